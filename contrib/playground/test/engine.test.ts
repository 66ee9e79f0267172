// The engine as WebAssembly: its findings are those of the program, its memory does not grow, and nothing ends it.
//
// It needs kep-lint.wasm, which ./wasm builds, or the file that KEP_LINT_WASM names, and the program, which `cargo build`
// builds, or the one that KEP_LINT names. With KEP_LINT_SHARED, real KEPs are compared as well.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";

const playground = path.join(import.meta.dirname, "..");
const project = path.join(playground, "..", "..");
const engineFile = process.env.KEP_LINT_WASM ?? path.join(playground, "kep-lint.wasm");
const program =
  process.env.KEP_LINT ?? path.join(process.env.CARGO_TARGET_DIR ?? path.join(project, "target"), "debug", "kep-lint");
const scratch = mkdtempSync(path.join(tmpdir(), "kep-lint-engine-"));
after(() => rmSync(scratch, { recursive: true }));

/** How many KEPs of the corpus are compared. */
const REAL_KEPS = 200;

interface Found {
  path: string;
  start: { line: number; column: number };
  severity: string;
  rule: string;
  message: string;
  help: string | null;
}

interface Exports {
  memory: WebAssembly.Memory;
  request(length: number): number;
  answer(): number;
}

/** An instance of the engine, without anything from outside. */
class Engine {
  private constructor(readonly exports: Exports) {}

  static async start(): Promise<Engine> {
    const module = await WebAssembly.compile(readFileSync(engineFile));
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    const instance = await WebAssembly.instantiate(module, {});
    return new Engine(instance.exports as unknown as Exports);
  }

  /** The answer to these bytes. */
  send(request: Uint8Array): { ok?: unknown; refused?: { message: string; help: string | null } } {
    const start = this.exports.request(request.length);
    new Uint8Array(this.exports.memory.buffer, start, request.length).set(request);
    return this.answer();
  }

  answer(): { ok?: unknown; refused?: { message: string; help: string | null } } {
    const start = this.exports.answer();
    const length = new DataView(this.exports.memory.buffer).getUint32(start, true);
    const bytes = new Uint8Array(this.exports.memory.buffer, start + 4, length);
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  }

  ask<T>(ask: string, about: object = {}): T {
    const { ok, refused } = this.send(new TextEncoder().encode(JSON.stringify({ ask, ...about })));
    assert.ok(refused === undefined, `${ask}: ${refused?.message}`);
    return ok as T;
  }

  check(kep: object): { findings: Found[] } {
    return this.ask("check", { kep, settings: {} });
  }
}

function run(...words: string[]): string {
  const { error, status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.ok(!error && status !== null && status < 2, `${program} ${words.join(" ")}: ${error ?? stderr}`);
  return stdout;
}

function textAt(file: string): string | null {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** The files of a KEP as a page has them. */
function kepAt(root: string, directory: string) {
  const start = path.join(root, directory);
  const [, sig, name] = directory.split("/");
  const names = readdirSync(start, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const ways = names.map((entry) => path.relative(start, path.join(entry.parentPath, entry.name)));
  const isOther = (way: string) => (/\.md$/i.test(way) && way !== "README.md") || path.basename(way) === "OWNERS";
  return {
    directory,
    readme: textAt(path.join(start, "README.md")),
    metadata: textAt(path.join(start, "kep.yaml")),
    review: textAt(path.join(root, "keps", "prod-readiness", sig ?? "", `${Number.parseInt(name ?? "", 10)}.yaml`)),
    others: Object.fromEntries(ways.filter(isOther).map((way) => [way, readFileSync(path.join(start, way), "utf8")])),
  };
}

const shown = ({ path: file, start, severity, rule, message, help }: Found) =>
  `${file}:${start.line}:${start.column} ${severity}[${rule}] ${message} ${help}`;

/** Links to headings of other KEPs' documents need their texts, which facts do not have. */
const needsTexts = ({ rule, message }: Found) => rule === "dead-anchor" && message.includes(" in `keps/");

/** Compares the findings in at most so many KEPs of a tree; returns how many findings there were. */
async function compare(root: string, most: number): Promise<number> {
  const engine = await Engine.start();
  const facts = path.join(scratch, `${path.basename(root)}.json`);
  run("facts", path.join(root, "keps"), "--output", facts);
  engine.ask("facts", { text: readFileSync(facts, "utf8") });
  const report = JSON.parse(run("--isolated", "--fail-on", "never", "--format", "json", path.join(root, "keps")));
  const within = (text: string) => text.replaceAll(`${root}/`, "");
  const byKep = new Map<string, string[]>();
  for (const target of report.targets) {
    if (target.kep) {
      byKep.set(within(target.kep), []);
    }
  }
  for (const it of report.diagnostics) {
    const found = { ...it, path: within(it.path), message: within(it.message) } as Found & { kep: string };
    found.help = found.help && within(found.help);
    if (found.kep && !needsTexts(found)) {
      byKep.get(within(found.kep))?.push(shown(found));
    }
  }
  const all = [...byKep];
  const step = Math.max(1, Math.floor(all.length / most));
  let count = 0;
  for (const [directory, wanted] of all.filter((_, at) => at % step === 0)) {
    const { findings } = engine.check(kepAt(root, directory));
    const own = findings.filter((finding) => !needsTexts(finding)).map(shown);
    assert.deepEqual(own, wanted, directory);
    count += own.length;
  }
  return count;
}

test("the sample has the findings of the program", async () => {
  const count = await compare(path.join(project, "fixtures", "sample"), 100);
  assert.ok(count > 50, `${count} findings`);
});

const shared = process.env.KEP_LINT_SHARED;
test("real KEPs have the findings of the program", { skip: !shared && "KEP_LINT_SHARED is not set" }, async (t) => {
  const count = await compare(path.join(shared ?? "", "corpus"), REAL_KEPS);
  assert.ok(count > 200, `${count} findings`);
  t.diagnostic(`${count} findings are the same`);
});

test("memory does not grow with the number of checks", async (t) => {
  const engine = await Engine.start();
  const root = path.join(project, "fixtures", "sample");
  const keps = readdirSync(path.join(root, "keps", "sig-node")).filter((name) => /^\d+-/.test(name));
  const files = keps.map((name) => kepAt(root, `keps/sig-node/${name}`));
  const some = (count: number) => {
    for (let at = 0; at < count; at++) {
      engine.check(files[at % files.length] ?? {});
    }
    return engine.exports.memory.buffer.byteLength;
  };
  const before = some(100);
  assert.equal(some(1000), before);
  t.diagnostic(`${before / 1024} KiB after 100 and after 1,100 checks`);
});

test("nothing that is sent ends the engine", async () => {
  const engine = await Engine.start();
  const kep = { directory: null, readme: "# KEP-1: 🎉\n", metadata: null, review: null, others: {} };
  engine.check(kep);
  for (const request of [
    "",
    "{",
    "null",
    '{"ask":"x"}',
    '{"ask":"hover","path":"README.md","at":10}',
    "[".repeat(1 << 20),
  ]) {
    const { refused } = engine.send(new TextEncoder().encode(request));
    assert.ok(refused?.message, request.slice(0, 40));
  }
  assert.ok(engine.send(new Uint8Array([0xff, 0xfe, 0])).refused);
  assert.equal(engine.exports.request(0xffffffff), 0, "a request that is too long has no place");
  assert.match(engine.answer().refused?.message ?? "", /64 MiB/);
  assert.match(engine.answer().refused?.message ?? "", /64 MiB/, "and there is none after it");
  const most = "x\n".repeat((2 << 20) / 2);
  assert.ok(engine.check({ ...kep, readme: most }).findings.length > 0);
  const over = { ask: "check", kep: { ...kep, readme: `${most}x` }, settings: {} };
  assert.match(engine.send(new TextEncoder().encode(JSON.stringify(over))).refused?.message ?? "", /2(\.\d)? MiB/);
  assert.match(engine.send(new TextEncoder().encode('{"ask":"comment"}')).refused?.message ?? "", /no KEP is checked/);
  engine.check(kep);
  engine.ask("comment");
});

test("what a check takes", async (t) => {
  const time = (work: () => void) => {
    const start = performance.now();
    work();
    return performance.now() - start;
  };
  const engine = await Engine.start();
  const root = path.join(project, "fixtures", "sample");
  const names = readdirSync(path.join(root, "keps"), { recursive: true, encoding: "utf8" });
  const readmes = names.filter((name) => path.basename(name) === "README.md");
  const size = (name: string) => statSync(path.join(root, "keps", name)).size;
  const largest = path.posix.join(
    "keps",
    path.dirname(readmes.reduce((one, other) => (size(one) < size(other) ? other : one))),
  );
  const kep = kepAt(root, largest);
  // The same work in JavaScript, to compare machines by.
  const calibration = time(() => {
    let sum = 0;
    for (let at = 0; at < 20_000_000; at++) {
      sum = (sum + at * at) % 1_000_003;
    }
    assert.ok(sum >= 0);
  });
  const first = time(() => engine.check(kep));
  const later = Array.from({ length: 30 }, () => time(() => engine.check(kep))).sort((one, other) => one - other);
  const [best, usual] = [later[0] ?? 0, later[15] ?? 0];
  t.diagnostic(
    `${largest}: first check ${first.toFixed(1)} ms, later ones ${usual.toFixed(1)} ms (best ${best.toFixed(1)}); calibration ${calibration.toFixed(1)} ms`,
  );
});
