// Prints the rules whose bad example the page can show with its finding: those whose pages in the book have a link to it.
import { readFileSync } from "node:fs";
import path from "node:path";

const bytes = readFileSync(path.join(import.meta.dirname, "kep-lint.wasm"));
const { memory, request, answer } = (await WebAssembly.instantiate(bytes)).instance.exports;

function ask(question) {
  const text = new TextEncoder().encode(JSON.stringify(question));
  const at = request(text.length) >>> 0;
  new Uint8Array(memory.buffer, at, text.length).set(text);
  const block = answer() >>> 0;
  const length = new DataView(memory.buffer).getUint32(block, true);
  return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, block + 4, length))).ok;
}

for (const { name } of ask({ ask: "about" }).rules) {
  const example = ask({ ask: "example", rule: name });
  const check = example && ask({ ask: "check", ...example });
  if (check?.findings.some(({ rule }) => rule === name)) {
    console.log(name);
  }
}
