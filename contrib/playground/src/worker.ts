// Runs the engine apart from the page, so that typing never waits for it. After a trap it has a new instance.
import type { Reply } from "./engine";

interface Exports {
  memory: WebAssembly.Memory;
  request(length: number): number;
  answer(): number;
}

type Message = { module: WebAssembly.Module } | { id: number; question: unknown };

let compiled: WebAssembly.Module | null = null;
let engine: Exports | null = null;
// Messages are answered in their order, also while an instance is made.
let last: Promise<void> = Promise.resolve();

const say = (reply: Reply) => self.postMessage(reply);

self.onmessage = (event: MessageEvent<Message>) => {
  // Without an instance there is no answer any more, and the page makes another worker.
  last = last.then(() => take(event.data)).catch((error) => say({ broken: String(error) }));
};

async function take(message: Message): Promise<void> {
  if ("module" in message) {
    compiled = message.module;
    engine = await instance(compiled);
    return;
  }
  if (!compiled || !engine) {
    return;
  }
  try {
    say({ id: message.id, answer: answer(engine, message.question) });
  } catch (error) {
    engine = await instance(compiled);
    say({ id: message.id, trap: String(error) });
  }
}

async function instance(module: WebAssembly.Module): Promise<Exports> {
  return (await WebAssembly.instantiate(module)).exports as unknown as Exports;
}

function answer(exports: Exports, question: unknown): unknown {
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  const at = exports.request(bytes.length) >>> 0;
  // There is no room for a request that is too long, and the answer says so.
  if (at > 0) {
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  }
  // The memory may be another one after the call.
  const block = exports.answer() >>> 0;
  const length = new DataView(exports.memory.buffer).getUint32(block, true);
  return JSON.parse(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, block + 4, length)));
}
