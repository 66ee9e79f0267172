// Bundles the extension, and with --tests the tests as well: node build.mjs [--production] [--tests]
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const options = new Set(process.argv.slice(2));
process.chdir(import.meta.dirname);

const common = { bundle: true, platform: "node", target: "node20", format: "cjs", logLevel: "warning" };
rmSync("dist", { recursive: true, force: true });
const { metafile } = await build({
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  external: ["vscode"],
  minify: options.has("--production"),
  legalComments: "none",
  metafile: true,
});
writeFileSync("dist/licenses.txt", licenses(Object.keys(metafile.inputs)));
// A package must have the license of the project in it.
copyFileSync("../../../LICENSE", "LICENSE");

if (options.has("--tests")) {
  rmSync("out", { recursive: true, force: true });
  mkdirSync("out");
  const tests = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: tests.map((name) => `test/${name}`),
    outdir: "out",
    sourcemap: "inline",
  });
}

/** The licenses of the packages whose files are in the bundle. */
function licenses(files) {
  const directory = (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
  const packages = [...new Set(files.map(directory).filter(Boolean))].sort();
  const text = (at) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(at, "package.json"), "utf8"));
    const file = readdirSync(at).find((name) => /^licen[cs]e/i.test(name));
    if (!file || !existsSync(path.join(at, file))) {
      throw new Error(`${name} has no file with its license`);
    }
    return `${name} ${version} (${license})\n\n${readFileSync(path.join(at, file), "utf8").trim()}\n`;
  };
  return packages.map(text).join(`\n${"-".repeat(80)}\n\n`);
}
