// The parts that need no browser: line ends, names of files, addresses, links.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { parsed, plan } from "../src/github";
import { contents, decoded, directoryOf } from "../src/kep-files";
import { exact, placesOf, shown, toExact } from "../src/lines";
import { packed, unpacked } from "../src/share";
import type { Source } from "../src/sources";

const SOURCES = path.resolve(import.meta.dirname, "../src");

test("a text comes back byte for byte", () => {
  const texts = [
    "",
    "a",
    "\n",
    "\r\n",
    "a\r\nb",
    "a\r\n\r\nb\r\n",
    "a\nb\r\n",
    "a\rb\r\n",
    "\r\r\n",
    "\ufeffa\r\n",
    "a\u2028b\n",
    "é😀x\r\n\ud800y\r\n",
    "\0\n",
  ];
  for (const text of texts) {
    const { text: lines, isCrlf } = shown(text);
    const document = Text.of(lines.split("\n"));
    assert.equal(exact(document.toString(), isCrlf), text);
    const places = placesOf(document, isCrlf);
    for (let at = 0; at <= text.length; at += String.fromCodePoint(text.codePointAt(at) ?? 0).length) {
      const from = Buffer.byteLength(text.slice(0, at));
      const back = toExact(document, isCrlf, places[from] ?? -1);
      // Between `\r` and `\n` there is no place in the editor.
      assert.ok(
        back === from || (isCrlf && text[at] === "\n" && back === from - 1),
        `${JSON.stringify(text)} at ${from}: ${back}`,
      );
    }
    assert.equal(places.length, Buffer.byteLength(text) + 1);
  }
});

test("what is not UTF-8 is refused, and a byte order mark stays", () => {
  assert.throws(() => decoded(new Uint8Array([0x61, 0xff]), "README.md"), /README.md is not UTF-8/);
  assert.equal(decoded(new Uint8Array([0xef, 0xbb, 0xbf, 0x61]), "x"), "\ufeffa");
});

const source = (name: string): Source => ({ path: name, size: 1, read: async () => new Uint8Array() });
const sorted = (...names: string[]) => {
  const { keps, config, facts, rest } = contents(names.map(source));
  const roles = keps.map(({ directory, files }) => [
    directory,
    Object.fromEntries([...files].map(([role, it]) => [role, it.path])),
  ]);
  return { keps: roles, config: config?.path, facts: facts.map(({ path }) => path), rest: rest.map((it) => it.path) };
};

test("the files of a KEP are found by their names", () => {
  const [directory, review] = ["x-main/keps/sig-node/12-a", "x-main/keps/prod-readiness/sig-node/12.yaml"];
  const whole = sorted(
    "x-main/README.md",
    `${directory}/README.md`,
    `${directory}/kep.yaml`,
    `${directory}/notes.md`,
    `${directory}/OWNERS`,
    `${directory}/more/README.md`,
    review,
    "x-main/keps/prod-readiness/sig-node/112.yaml",
  );
  assert.deepEqual(whole.keps, [
    [
      directory,
      {
        metadata: `${directory}/kep.yaml`,
        readme: `${directory}/README.md`,
        [`${directory}/OWNERS`]: `${directory}/OWNERS`,
        [`${directory}/notes.md`]: `${directory}/notes.md`,
        [`${directory}/more/README.md`]: `${directory}/more/README.md`,
        review,
      },
    ],
  ]);
  assert.deepEqual(sorted("draft.md").keps, [["", { readme: "draft.md" }]]);
  assert.deepEqual(sorted("12.yaml").keps, [["", { review: "12.yaml" }]]);
  assert.deepEqual(sorted("README.md", "kep.yaml", "12.yaml").keps, [
    ["", { metadata: "kep.yaml", readme: "README.md", review: "12.yaml" }],
  ]);
  assert.deepEqual(sorted("keps/a/1-x/kep.yaml", "keps/a/2-y/kep.yaml").keps.length, 2);
  assert.deepEqual(sorted(".kep-lint.yaml", "facts.json", "a.png"), {
    keps: [],
    config: ".kep-lint.yaml",
    facts: ["facts.json"],
    rest: ["a.png"],
  });
  // No file takes the place of another one, and JSON in a folder is of something else.
  assert.throws(() => sorted("README.md", "README.md"), /two files `README.md`/);
  assert.deepEqual(sorted("a/readme.md", "a/README.md", "a/kep.yaml").keps[0]?.[1], {
    metadata: "a/kep.yaml",
    readme: "a/README.md",
    "a/readme.md": "a/readme.md",
  });
  const many = sorted("a/kep.yaml", ...Array.from({ length: 25 }, (_, at) => `a/${at}.md`));
  assert.equal(Object.keys(many.keps[0]?.[1] ?? {}).length, 20);
  assert.deepEqual(sorted("x/package.json", "x/kep.yaml").facts, []);
  assert.equal(directoryOf(directory), "keps/sig-node/12-a");
  assert.equal(directoryOf("12-a"), null);
  assert.equal(directoryOf("my-keps/a/b"), null);
});

test("addresses of GitHub are known, and nothing else is", () => {
  const base = "https://github.com/kubernetes/enhancements";
  assert.deepEqual(parsed(` ${base}/pull/1234/files?w=1#x `), {
    kind: "pull",
    repository: "kubernetes/enhancements",
    number: "1234",
  });
  const tree = { kind: "tree", repository: "kubernetes/enhancements", path: "keps/sig-node/1-a" };
  assert.deepEqual(parsed(`${base}/blob/master/keps/sig-node/1-a/README.md`), { ...tree, ref: "master" });
  assert.deepEqual(parsed(`${base}/tree/feature/x/keps/sig-node/1-a/`), { ...tree, ref: "feature/x" });
  const wrong = [
    "",
    "x",
    `${base}/issues/1`,
    `${base}/blob/master/README.md`,
    "http://github.com/a/b/pull/1",
    "https://github.com.evil.example/a/b/pull/1",
    "https://github.com:8443/a/b/pull/1",
    "https://evil.example/https://github.com/a/b/pull/1",
    "javascript://github.com/a/b/pull/1",
    `${base}/blob/master/keps/..%2f..%2fx/README.md`,
    `${base}/blob/%2e%2e/keps/a/b/README.md`,
    `${base}/blob/master/keps/%zz/README.md`,
  ];
  assert.deepEqual(
    wrong.filter((address) => parsed(address) !== null),
    [],
  );
  for (const line of plan({ kind: "pull", repository: "a/b", number: "1" })) {
    assert.match(line, /^https:\/\/(api\.github\.com|raw\.githubusercontent\.com)\//);
  }
});

const NOTHING = { directory: null, readme: null, metadata: null, review: null, others: {} };
const DEFAULT = { stage: null, release: null, preset: null, level: null, config: null, select: null };

test("a link brings back what was put into it", async () => {
  const kep = { ...NOTHING, readme: "# é😀\r\n\ufeff\0", others: Object.fromEntries([["__proto__.md", "x"]]) };
  const state = { kep, settings: { ...DEFAULT, stage: "beta" } };
  const text = await packed(state);
  assert.match(text, /^[A-Za-z0-9_-]+$/);
  assert.deepEqual(await unpacked(text), state);
});

test("a link that is damaged, too long, or too large inside is refused", async () => {
  const deflated = async (text: string) => {
    const small = await new Response(
      new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")),
    ).arrayBuffer();
    return Buffer.from(small).toString("base64url");
  };
  await assert.rejects(unpacked("%%%"), /damaged/);
  await assert.rejects(unpacked("AAAA"), /damaged/);
  await assert.rejects(unpacked(await deflated("{")), /damaged/);
  await assert.rejects(unpacked("A".repeat(2 << 20)), /is the most/);
  const bomb = await deflated(`{"kep":{"readme":"${"a".repeat(64 << 20)}"}}`);
  assert.ok(bomb.length < 500_000);
  await assert.rejects(unpacked(bomb), /larger than 8 MiB/);
  const noise = Array.from({ length: 600_000 }, (_, at) =>
    String.fromCharCode(0x4e00 + ((at * 7919 * (at % 997)) % 20_000)),
  ).join("");
  await assert.rejects(packed({ kep: { ...NOTHING, readme: noise }, settings: DEFAULT }), /is the most/);
});

test("a link says nothing but what a state has", async () => {
  const hostile =
    '{"__proto__":{"polluted":1},"kep":{"__proto__":{"readme":"x"},"readme":["a"],"metadata":{"a":1},"others":{"__proto__":"x","a.md":1,"b.md":"c","run.bat":"x"}},"settings":"x"}';
  const text = await new Response(
    new Blob([hostile]).stream().pipeThrough(new CompressionStream("deflate-raw")),
  ).arrayBuffer();
  const state = await unpacked(Buffer.from(text).toString("base64url"));
  assert.deepEqual(state, { kep: { ...NOTHING, others: { "b.md": "c" } }, settings: DEFAULT });
  assert.equal(({} as any).polluted, undefined);
});

test("no source makes markup or code of text", () => {
  const files = readdirSync(SOURCES).filter((name) => name.endsWith(".ts"));
  assert.ok(files.length > 20);
  for (const file of files) {
    const text = readFileSync(path.join(SOURCES, file), "utf8");
    const word =
      /innerHTML|outerHTML|insertAdjacent|document\.write|DOMParser|\beval\b|new Function|createContextualFragment|srcdoc|localStorage|sessionStorage|indexedDB|document\.cookie/.exec(
        text,
      );
    assert.equal(word, null, `${file}: ${word}`);
    assert.ok(text.split("\n").length < 500, `${file} is too long`);
  }
});
