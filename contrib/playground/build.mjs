// Builds the page from src/ and the engine: node build.mjs [--tests] [--wasm FILE] [--facts FILE --day DAY]
//
// dist/site is a site for any path of a server, dist/kep-lint.html the same in one file that is opened from disk. With
// --tests, it bundles the tests into out/ instead.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/**
 * The most bytes of the first script, and, packed by gzip, of all scripts and of the engine. README.md says what the engine
 * consists of; this keeps it from growing.
 */
const MOST = { first: 2_048, scripts: 250_000, engine: 1_125_000 };

const { values: options } = parseArgs({
  options: {
    tests: { type: "boolean" },
    wasm: { type: "string" },
    facts: { type: "string" },
    day: { type: "string" },
  },
});
const given = (file) => file && path.resolve(file);
const [wasmFile, factsFile] = [given(options.wasm), given(options.facts)];
process.chdir(import.meta.dirname);

if (options.tests) {
  await bundleTests();
} else {
  await buildPage();
}

async function buildPage() {
  const engine = readFileSync(wasmFile ?? "kep-lint.wasm");
  // An engine that a browser would not take, or that asks for something from outside, is no engine for the page.
  if (WebAssembly.Module.imports(await WebAssembly.compile(engine)).length > 0) {
    throw new Error("the engine has imports");
  }
  const script = await bundled("src/main.ts");
  const first = (await bundled("src/first.ts")).text;
  const worker = await bundled("src/worker.ts");
  const style = await bundled("src/page.css");
  const licenses = licensesOf([...script.inputs, ...worker.inputs]);

  rmSync("dist", { recursive: true, force: true });
  mkdirSync("dist/site", { recursive: true });
  const github = "https://api.github.com https://raw.githubusercontent.com";
  const always = [
    "default-src 'none'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types kep-lint",
  ];
  const packed = (content) => gzipSync(content, { level: 9 }).length;
  const setting = (file, line) => line.exec(readFileSync(path.join("../..", file), "utf8"))[1];
  const links = {
    book: `${setting("src/report/look.rs", /^const BOOK: &str = "(.*)";$/m)}/`,
    project: setting("Cargo.toml", /^repository = "(.*)"$/m),
  };
  const notices = data("licenses", "text/plain", licenses);

  writeFileSync("dist/site/page.js", script.text);
  writeFileSync("dist/site/worker.js", worker.text);
  writeFileSync("dist/site/page.css", style.text);
  writeFileSync("dist/site/kep-lint.wasm", engine);
  if (factsFile) {
    copyFileSync(factsFile, "dist/site/facts.json");
  }
  const site = page({
    policy: [
      ...always,
      `script-src '${hash(first)}' 'self' 'wasm-unsafe-eval'`,
      "style-src 'self'",
      "worker-src 'self'",
      `connect-src 'self' ${github}`,
    ],
    first,
    ...links,
    facts: factsFile ? offer(options.day, packed(readFileSync(factsFile))) : "",
    size: ` (${(packed(engine) / 1e6).toFixed(1)} MB)`,
    style: '<link rel="stylesheet" href="page.css">',
    script: `${notices}\n<script src="page.js"></script>`,
  });
  writeFileSync("dist/site/index.html", site);

  const parts = [
    notices,
    data("worker-source", "text/plain", worker.text),
    data("engine", "text/plain", gzipSync(engine, { level: 9 }).toString("base64")),
    `<script>${inside(script.text)}</script>`,
  ];
  const file = page({
    policy: [
      ...always,
      `script-src '${hash(first)}' '${hash(script.text)}' 'wasm-unsafe-eval'`,
      `style-src '${hash(style.text)}'`,
      "worker-src blob:",
      `connect-src ${github}`,
    ],
    first,
    ...links,
    facts: `<a href="${links.book}try/" target="_blank" rel="noopener noreferrer">With those of kubernetes/enhancements</a>`,
    size: "",
    style: `<style>${inside(style.text)}</style>`,
    script: parts.join("\n"),
  });
  writeFileSync("dist/kep-lint.html", file);

  const sizes = {
    "first script": [first, packed(first)],
    "page.js": [script.text, packed(script.text)],
    "worker.js": [worker.text, packed(worker.text)],
    "page.css": [style.text, packed(style.text)],
    "index.html": [site, packed(site)],
    "kep-lint.wasm": [engine, packed(engine)],
    "kep-lint.html (one file)": [file, packed(file)],
  };
  for (const [name, [content, small]] of Object.entries(sizes)) {
    const size = Buffer.byteLength(content);
    console.log(`${name.padEnd(26)}${String(size).padStart(9)} bytes ${String(small).padStart(9)} with gzip`);
  }
  if (first.length > MOST.first) {
    throw new Error(`the first script has ${first.length} bytes, and ${MOST.first} is the most`);
  }
  const scripts = sizes["page.js"][1] + sizes["worker.js"][1];
  if (scripts > MOST.scripts) {
    throw new Error(`the scripts have ${scripts} bytes with gzip, and ${MOST.scripts} is the most`);
  }
  if (sizes["kep-lint.wasm"][1] > MOST.engine) {
    throw new Error(`the engine has ${sizes["kep-lint.wasm"][1]} bytes with gzip, and ${MOST.engine} is the most`);
  }
}

async function bundled(file) {
  const { outputFiles, metafile } = await build({
    // The HTML in a README needs no colors, which would be a third of the script.
    alias: { "@codemirror/lang-html": "./src/plain-html.ts" },
    bundle: true,
    entryPoints: [file],
    format: "iife",
    legalComments: "none",
    loader: { ".md": "text", ".yaml": "text" },
    logLevel: "warning",
    metafile: true,
    minify: true,
    platform: "browser",
    target: ["chrome120", "firefox128", "safari17.4"],
    write: false,
  });
  return { text: outputFiles[0].text.trim(), inputs: Object.keys(metafile.inputs) };
}

function page({ policy, ...parts }) {
  parts.policy = policy.join("; ");
  parts.first = `<script>${inside(parts.first)}</script>`;
  return readFileSync("src/page.html", "utf8").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
}

/** The button that fetches facts of that day. */
function offer(day, size) {
  const words = `Get those of kubernetes/enhancements of ${day} (${Math.ceil(size / 1000)} kB)`;
  return `<button type="button" id="get-facts" data-day="${day}">${words}</button>`;
}

function hash(text) {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** A script or a style that is written into a page; it must not end the element that it is in. */
function inside(text) {
  if (/<\/(script|style)|<!--[\s\S]*<script/i.test(text)) {
    throw new Error("what is written into the page would end too early");
  }
  return text;
}

function data(id, type, text) {
  return `<script type="${type}" id="${id}">${inside(text)}</script>`;
}

/** The licenses of the packages whose files are in the bundle. */
function licensesOf(files) {
  const directory = (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
  const packages = [...new Set(files.map(directory).filter(Boolean))].sort();
  const text = (at) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(at, "package.json"), "utf8"));
    const file = readdirSync(at).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) {
      throw new Error(`${name} has no file with its license`);
    }
    return `${name} ${version} (${license})\n\n${readFileSync(path.join(at, file), "utf8").trim()}\n`;
  };
  return packages.map(text).join(`\n${"-".repeat(80)}\n\n`);
}

async function bundleTests() {
  rmSync("out", { recursive: true, force: true });
  mkdirSync("out");
  const files = readdirSync("test").filter((name) => /\.test\.ts$|^pictures\.ts$/.test(name));
  await build({
    bundle: true,
    entryPoints: files.map((name) => `test/${name}`),
    external: ["playwright-core", "axe-core"],
    format: "esm",
    logLevel: "warning",
    outdir: "out",
    platform: "node",
    sourcemap: "inline",
    target: "node20",
  });
}
