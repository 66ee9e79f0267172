// Where the page gets its worker and its engine: beside it on a site, or in it if it is one file. A browser that knows
// trusted types starts nothing but this worker.
import { ofBase64 } from "./data";

interface Policy {
  createScriptURL(address: string): string;
}

/** A new worker, and the compiled engine; what failed is tried again. */
export function environment() {
  const source = document.getElementById("worker-source");
  const engine = document.getElementById("engine");
  const isOneFile = source !== null && engine !== null;
  const address = isOneFile
    ? URL.createObjectURL(new Blob([source.textContent ?? ""], { type: "text/javascript" }))
    : new URL("worker.js", document.baseURI).href;
  type Types = { createPolicy(name: string, policy: Policy): Policy };
  const types = (globalThis as { trustedTypes?: Types }).trustedTypes;
  const own = (asked: string) => {
    if (asked !== address) {
      throw new TypeError("only the worker of this page is started");
    }
    return asked;
  };
  const trusted = types ? types.createPolicy("kep-lint", { createScriptURL: own }).createScriptURL(address) : address;
  let compiled: Promise<WebAssembly.Module> | null = null;
  const compile = () =>
    WebAssembly.compileStreaming(isOneFile ? unpacked(engine.textContent ?? "") : beside("kep-lint.wasm"));
  const module = () => {
    compiled ??= compile().catch((error) => {
      compiled = null;
      throw error;
    });
    return compiled;
  };
  return { worker: () => new Worker(trusted), module };
}

/** A file of the site. */
export async function beside(name: string): Promise<Response> {
  const answer = await fetch(new URL(name, document.baseURI));
  if (!answer.ok) {
    throw new Error(`${name} is missing beside the page`);
  }
  return answer;
}

function unpacked(base64: string): Response {
  const stream = new Blob([ofBase64(base64.trim())]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "content-type": "application/wasm" } });
}
