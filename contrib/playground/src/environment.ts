// Where the page gets its worker and its engine: beside it on a site, or in it if it is one file. A browser that knows
// trusted types starts nothing but this worker.
export interface Environment {
  worker(): Worker;
  module: ArrayBuffer;
  /** The facts beside the site. */
  facts: string | null;
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}

export async function environment(): Promise<Environment> {
  const source = document.getElementById("worker-source");
  const engine = document.getElementById("engine");
  const isOneFile = source !== null && engine !== null;
  const address = isOneFile
    ? URL.createObjectURL(new Blob([source.textContent ?? ""], { type: "text/javascript" }))
    : new URL("worker.js", document.baseURI).href;
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  const own = (asked: string) => {
    if (asked !== address) {
      throw new TypeError("only the worker of this page is started");
    }
    return asked;
  };
  const trusted = types ? types.createPolicy("kep-lint", { createScriptURL: own }).createScriptURL(address) : address;
  const module = isOneFile
    ? await unpacked(engine.textContent ?? "")
    : await (await beside("kep-lint.wasm")).arrayBuffer();
  return { worker: () => new Worker(trusted), module, facts: isOneFile ? null : await factsBeside() };
}

async function beside(name: string): Promise<Response> {
  const answer = await fetch(new URL(name, document.baseURI));
  if (!answer.ok) {
    throw new Error(`${name} is missing beside the page`);
  }
  return answer;
}

/** A site without facts has a file with `null`, because a browser complains of a missing one. */
async function factsBeside(): Promise<string | null> {
  const text = await beside("facts.json")
    .then((answer) => answer.text())
    .catch(() => "null");
  return text.trim() === "null" ? null : text;
}

async function unpacked(base64: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
