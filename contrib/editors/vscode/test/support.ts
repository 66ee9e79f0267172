// What the tests of the extension share: a copy of the sample of the project, and the extension in a window.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import * as os from "node:os";
import * as path from "node:path";
import type { TestContext } from "node:test";
import { type Options, Uri, Window } from "./vscode";

const HERE = path.resolve(__dirname, "..");
const ROOT = path.resolve(HERE, "../../..");

/** The program that was built. */
export const PROGRAM = path.resolve(
  process.env.KEP_LINT ?? path.join(process.env.CARGO_TARGET_DIR ?? path.join(ROOT, "target"), "debug/kep-lint"),
);

/** What the extension declares. */
export const MANIFEST = JSON.parse(fs.readFileSync(path.join(HERE, "package.json"), "utf8"));

/** An empty directory until the test ends. */
export function scratch(test: TestContext): string {
  const directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "kep-lint-")));
  test.after(() => fs.rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A repository with the KEPs of the sample. */
export function repository(test: TestContext): string {
  const directory = path.join(scratch(test), "enhancements");
  fs.cpSync(path.join(ROOT, "fixtures/sample"), directory, { recursive: true });
  execFileSync("git", ["init", "--quiet", directory]);
  return directory;
}

/** The extension in a window, started with the program that was built unless the options say otherwise. */
export async function start(test: TestContext, options: Options): Promise<Window> {
  const window = new Window({
    ...options,
    declared: MANIFEST.contributes.configuration.properties,
    user: { "kep-lint.path": PROGRAM, ...options.user },
  });
  const require = createRequire(__filename);
  const module = require("node:module");
  const load = module._load;
  module._load = (name: string, ...rest: unknown[]) => (name === "vscode" ? window.module : load(name, ...rest));
  const file = require.resolve("../dist/extension.js");
  delete require.cache[file];
  const extension = require(file);
  module._load = load;
  const context = { extensionUri: Uri.file(HERE), subscriptions: [] as { dispose(): unknown }[] };
  test.after(async () => {
    await extension.deactivate();
    for (const subscription of context.subscriptions) {
      subscription.dispose();
    }
    // VS Code makes links of `[text](target)` in many of them. Its client ends lines.
    const acts = /\]\(|(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
    assert.deepEqual(
      [...window.words].filter((text) => acts.test(text)),
      [],
    );
  });
  await extension.activate(context);
  return window;
}

/** Runs the program. */
export function run(folder: string, ...words: string[]): string {
  return spawnSync(PROGRAM, words, { cwd: folder, encoding: "utf8" }).stdout;
}

/** Waits until something is so. */
export async function until<T>(what: string, is: () => T | undefined | false, instead = () => ""): Promise<T> {
  const end = Date.now() + 20_000;
  while (Date.now() < end) {
    const value = is();
    if (value !== undefined && value !== false) {
      return value;
    }
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`${what}: it did not come to that: ${instead()}`);
}
