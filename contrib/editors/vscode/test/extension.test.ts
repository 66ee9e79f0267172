// What is shipped, `dist/extension.js`, with the real server and a stub of VS Code.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { test } from "node:test";
import { MANIFEST, repository, run, scratch, start, until } from "./support";
import type { Window } from "./vscode";

const KEP = "keps/sig-node/4742-node-topology-downward-api";
const README = `${KEP}/README.md`;
const YAML = `${KEP}/kep.yaml`;

/** The text of the status bar, once it is like this. */
function status(window: Window, like: RegExp): Promise<string> {
  const found = () => window.status.isShown && like.test(window.status.text) && window.status.text;
  return until(`${like} in the status bar`, found, () => window.status.text);
}

/** A message to the user, once there is one like this. */
function message(window: Window, like: RegExp): Promise<string> {
  const found = () => window.messages.find((text) => like.test(text));
  return until(`a message ${like}`, found, () => window.messages.join("\n"));
}

/** The findings of the command line in a KEP, as `path:line message`. */
function findings(folder: string, ...words: string[]): string[] {
  const { diagnostics } = JSON.parse(run(folder, KEP, "--format", "json", "--level", "suggestion", ...words));
  return diagnostics
    .map((it: any) => `${it.path}:${it.start.line}: ${it.message}${it.help ? `\nhelp: ${it.help}` : ""}`)
    .sort();
}

/** The same of the extension. */
function shown(window: Window): string[] {
  const { folder } = window.options;
  const files = [...window.diagnostics.values()].map(([uri]) => path.relative(folder, uri.path));
  const all = files.flatMap((file) => window.findings(file).map((finding) => `${file}:${finding}`));
  // The server names files by their whole paths.
  return all.map((finding) => finding.replaceAll(`${folder}/`, "")).sort();
}

test("what is typed has the findings of the command line, and the status bar counts them", async (t) => {
  const folder = repository(t);
  const window = await start(t, { folder });
  const document = window.open(README);
  const before = findings(folder);
  await until("the findings", () => shown(window).length === before.length);
  assert.deepEqual(shown(window), before);
  const { summary } = JSON.parse(run(folder, KEP, "--format", "json", "--level", "suggestion"));
  const shownCounts = `KEP-4742 beta $(warning) ${summary.warning} $(info) ${summary.suggestion}`;
  assert.equal(await status(window, /beta/), shownCounts);
  assert.match(window.status.tooltip, /Node Topologies via Downward API[\s\S]*implementable · beta · v1\.35/);
  const words = `${summary.warning} warning${summary.warning === 1 ? "" : "s"}, ${summary.suggestion} suggestions`;
  assert.equal(window.status.accessibilityInformation.label, `KEP-4742, beta: ${words}`);

  // What is not checked is not clean.
  window.close(document);
  await until("no findings", () => shown(window).length === 0);
  window.texts.splice(0);
  const again = window.open(README);
  await status(window, /beta/);
  assert.deepEqual([...new Set(window.texts)], ["KEP-4742 $(loading~spin)", shownCounts]);

  window.type(again, "## Summary", "## Sumary 🎉");
  fs.writeFileSync(again.fileName, again.getText());
  const after = findings(folder);
  assert.ok(after.length > before.length);
  await until("more findings", () => shown(window).length === after.length);
  assert.deepEqual(shown(window), after);
  await status(window, /\$\(error\) /);
  window.type(window.open(YAML), "stage: beta", "stage: stable");
  await status(window, /^KEP-4742 stable /);
  window.open("OWNERS_ALIASES");
  await until("no status", () => !window.status.isShown);
  assert.equal(window.contexts.get("kepLint.isKep"), false);
  window.open("keps/prod-readiness/sig-node/4742.yaml");
  await status(window, /^KEP-4742 /);
});

test("a heading says what the template asks", async (t) => {
  const window = await start(t, { folder: repository(t) });
  const document = window.open(README);
  const hover = await until("hovers", () => window.providers.get("registerHoverProvider"));
  const line = document.getText().split("\n").indexOf("### Scalability");
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
  const { contents } = await hover.provider.provideHover(document, { line, character: 6 }, token);
  assert.match([contents].flat()[0].value, /Required: from beta/);
});

test("a document is formatted only if that is set", async (t) => {
  const window = await start(t, { folder: repository(t) });
  const document = window.open(README);
  await status(window, /beta/);
  const right = document.getText();
  window.type(document, "- [Summary](#summary)\n", "");
  await status(window, /\$\(error\) 1/);
  const name = "registerDocumentFormattingEditProvider";
  assert.equal(window.providers.get(name), undefined);
  window.set("kep-lint.format-toc", true);
  const format = await until("a formatter", () => window.providers.get(name));
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
  const edits = await format.provider.provideDocumentFormattingEdits(
    document,
    { tabSize: 2, insertSpaces: true },
    token,
  );
  const words = edits.map((edit: { newText: string }) => edit.newText).join("");
  assert.ok(words.includes("- [Summary](#summary)\n") && right.includes(words), words);
});

test("another stage is looked at until the window is closed", async (t) => {
  const folder = repository(t);
  const window = await start(t, { folder });
  window.open(README);
  await status(window, /beta \$\(warning\) 1/);
  window.choose = (items) => items.find((item) => item.label === "stable");
  await window.module.commands.executeCommand("kepLint.stage");
  await status(window, /^KEP-4742 \$\(eye\) stable \$\(error\) 2/);
  assert.deepEqual(shown(window), findings(folder, "--stage", "stable"));
  await window.module.commands.executeCommand("kepLint.restart");
  await status(window, /\$\(eye\) stable \$\(error\) 2/);
  window.choose = (items) => items.find((item) => item.label === "As in kep.yaml");
  await window.module.commands.executeCommand("kepLint.stage");
  await status(window, /^KEP-4742 beta \$\(warning\) 1/);
});

test("settings are told to the server, and those of the workspace to the user", async (t) => {
  const folder = repository(t);
  const workspace: Record<string, unknown> = { "kep-lint.level": "error", "kep-lint.config": "../other.yaml" };
  const window = await start(t, { folder, workspace });
  window.open(README);
  await status(window, /^KEP-4742 beta \$\(check\)$/);
  assert.match(window.status.tooltip, /Settings of this workspace: level: error/);
  assert.ok(window.log.some((line) => line.includes("names a file outside it: ../other.yaml")));
  delete workspace["kep-lint.level"];
  window.set("kep-lint.level", "warning");
  await status(window, /^KEP-4742 beta \$\(warning\) 1$/);
  assert.doesNotMatch(window.status.tooltip, /workspace/);
  window.set("kep-lint.stage", "gamma");
  await message(window, /warning: kep-lint: settings of kep-lint: .*gamma/);
});

test("the configuration of the repository counts where nothing is set", async (t) => {
  const folder = repository(t);
  fs.writeFileSync(path.join(folder, ".kep-lint.yaml"), "preset: upstream\n");
  const wanted = findings(folder);
  const window = await start(t, { folder });
  window.open(README);
  await status(window, /beta \$/);
  assert.deepEqual(shown(window), wanted);
  window.set("kep-lint.preset", "strict");
  const strict = findings(folder, "--preset", "strict");
  assert.ok(strict.length > wanted.length);
  await until("more findings", () => shown(window).length === strict.length);
  assert.deepEqual(shown(window), strict);
});

test("without trust nothing is started", async (t) => {
  const window = await start(t, { folder: repository(t), isTrusted: false });
  window.open(README);
  assert.equal(await status(window, /./), "$(shield) KEP");
  await window.module.commands.executeCommand("kepLint.restart");
  assert.equal(window.status.text, "$(shield) KEP");
  assert.deepEqual(window.log, []);
  window.trust();
  await status(window, /beta \$\(warning\) 1/);
});

test("what a repository brings along is not started", { skip: process.platform === "win32" }, async (t) => {
  const folder = repository(t);
  const away = scratch(t);
  const mark = path.join(away, "mark");
  const names = [
    "evil",
    "kep-lint",
    "kep-lint.exe",
    "git",
    "node_modules/.bin/kep-lint",
    "server/kep-lint",
    "bin/kep-lint",
  ];
  for (const name of names) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\necho "$0" >>'${mark}'\nexec sleep 60\n`, { mode: 0o755 });
  }
  fs.symlinkSync(path.join(folder, "bin"), path.join(away, "link"));
  fs.mkdirSync(path.join(folder, ".vscode"));
  const [old, directory] = [process.env.PATH, process.cwd()];
  t.after(() => {
    process.env.PATH = old;
    process.chdir(directory);
  });
  process.chdir(folder);
  process.env.PATH = `:.:node_modules/.bin:${folder}:${folder}/node_modules/.bin:${away}/link:`;
  for (const evil of ["./evil", "evil", `${folder}/evil`, "${workspaceFolder}/evil", "../enhancements/evil"]) {
    const file = path.join(folder, ".vscode/settings.json");
    fs.writeFileSync(file, JSON.stringify({ "kep-lint.path": evil }));
    const workspace = JSON.parse(fs.readFileSync(file, "utf8"));
    const window = await start(t, { folder, workspace, user: { "kep-lint.path": "" } });
    window.open(README);
    await status(window, /no kep-lint/);
    await message(window, /warning: kep-lint: the program kep-lint is not installed/);
    await window.module.commands.executeCommand("kepLint.restart");
    await status(window, /no kep-lint/);
    window.choose = (items) => items.find((item) => item.command === "kepLint.settings");
    await window.module.commands.executeCommand("kepLint.menu");
    assert.deepEqual(window.ran.at(-1), ["workbench.action.openSettings", "kep-lint.path"]);
  }
  assert.ok(!fs.existsSync(mark), "a program of the repository was started");
});

test("the server finds no programs in the repository", { skip: process.platform === "win32" }, async (t) => {
  const folder = repository(t);
  const away = scratch(t);
  const program = path.join(away, "kep-lint");
  fs.writeFileSync(program, `#!/bin/sh\necho "$PATH" >>'${away}/path'\nexit 2\n`, { mode: 0o755 });
  const old = process.env.PATH;
  t.after(() => {
    process.env.PATH = old;
  });
  process.env.PATH = `.:${folder}:${away}:${old}`;
  const window = await start(t, { folder, user: { "kep-lint.path": "" } });
  window.open(README);
  // It also is no server.
  await message(window, /kep-lint does not serve editors/);
  await status(window, /no kep-lint/);
  await new Promise((done) => setTimeout(done, 500));
  const starts = fs.readFileSync(path.join(away, "path"), "utf8").trim().split("\n");
  assert.equal(starts.length, 1, "it is not tried again");
  const directories = (starts[0] as string).split(":");
  assert.equal(directories[0], away);
  assert.ok(!directories.includes(folder) && !directories.includes("."), starts[0]);
});

test("a server that dies comes back", { skip: process.platform !== "linux" }, async (t) => {
  const window = await start(t, { folder: repository(t) });
  window.open(README);
  await status(window, /beta \$\(warning\) 1/);
  const servers = () => {
    const children = fs.readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ");
    return children.filter((pid) => fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[1] === "lsp");
  };
  const [first] = servers();
  process.kill(Number(first), "SIGKILL");
  await until("another server", () => servers().some((pid) => pid !== first));
  await status(window, /beta \$\(warning\) 1/);
});

test("all safe fixes are applied", async (t) => {
  const folder = repository(t);
  const window = await start(t, { folder });
  const document = window.open(README);
  window.type(document, "- [Summary](#summary)\n", "");
  await until("the table of contents is stale", () =>
    shown(window).some((finding) => finding.includes("table of contents")),
  );
  await window.module.commands.executeCommand("kepLint.fixAll");
  await message(window, /information: kep-lint: (1 finding is|[0-9]+ findings are) fixed; the files are not saved yet/);
  assert.ok(document.getText().includes("- [Summary](#summary)\n"));
  await until("it is fixed", () => !shown(window).some((finding) => finding.includes("table of contents")));
  await window.module.commands.executeCommand("kepLint.fixAll");
  await message(window, /nothing that can be fixed safely/);
});

test("a KEP is promoted to the stage that is picked", async (t) => {
  const window = await start(t, { folder: repository(t) });
  const document = window.open(YAML);
  window.choose = (items) => items.find((item) => item.label === "stable");
  await until("it runs", () => window.contexts.get("kepLint.isRunning"));
  await window.module.commands.executeCommand("kepLint.promote");
  await message(window, /information: kep-lint: KEP-4742 is now stable; the files are not saved yet/);
  assert.match(document.getText(), /^stage: stable$/m);
  await status(window, /^KEP-4742 stable /);
  // The code lens of kep.yaml asks as well.
  window.choose = () => undefined;
  const before = window.messages.length;
  await window.module.commands.executeCommand("kep-lint.promote", { uri: document.uri.toString() });
  assert.equal(window.messages.length, before);
  const offered: string[] = [];
  window.choose = (items) => {
    offered.push(...items.map((item) => item.label));
    return undefined;
  };
  await window.module.commands.executeCommand("kepLint.promote");
  assert.deepEqual(offered, ["implemented", "deprecated", "disabled", "removed", "stable"]);
  await window.module.commands.executeCommand("kep-lint.promote", { uri: document.uri.toString(), to: "alpha" });
  await message(window, /error: kep-lint: /);
});

test("a README is brought to the template", async (t) => {
  const window = await start(t, { folder: repository(t) });
  const document = window.open(README);
  await until("it runs", () => window.contexts.get("kepLint.isRunning"));
  await window.module.commands.executeCommand("kepLint.upgrade");
  await message(window, /information: kep-lint: KEP-4742: .*added \d+.*; the files are not saved yet/);
  assert.match(document.getText(), /^## Infrastructure Needed \(Optional\)$/m);
  await window.module.commands.executeCommand("kepLint.upgrade");
  await message(window, /information: kep-lint: KEP-4742 has the headings of the template/);
});

test("what is not changed is not said to be", async (t) => {
  const window = await start(t, { folder: repository(t) });
  const document = window.open(YAML);
  await until("it runs", () => window.contexts.get("kepLint.isRunning"));
  window.takesEdits = false;
  window.choose = (items) => items.find((item) => item.label === "stable");
  await window.module.commands.executeCommand("kepLint.promote");
  assert.deepEqual(window.messages, ["error: kep-lint: the editor did not change the files"]);
  assert.match(document.getText(), /^stage: beta$/m);
});

test("readiness is a page that runs and loads nothing", async (t) => {
  const window = await start(t, { folder: repository(t) });
  const document = window.open(README);
  await until("it runs", () => window.contexts.get("kepLint.isRunning"));
  await window.module.commands.executeCommand("kepLint.ready");
  const [panel] = window.panels;
  assert.equal(panel.title, "KEP-4742: ready?");
  assert.deepEqual(
    [panel.options.enableScripts, panel.options.enableCommandUris, panel.options.localResourceRoots],
    [false, false, []],
  );
  const { html } = panel.webview;
  assert.match(
    html,
    /^<!DOCTYPE html>\s*<html[^>]*>\s*<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri/,
  );
  assert.match(html, /4742[\s\S]*latest-milestone/);
  assert.equal(html.match(/Content-Security-Policy/g)?.length, 1);
  assert.ok(html.includes("@media not all {"));
  window.module.window.activeColorTheme.kind = 2;
  window.event("onDidChangeActiveColorTheme").fire();
  const dark: string = panel.webview.html;
  assert.ok(dark.includes("@media all {") && dark.includes("  color-scheme: dark;"));
  assert.ok(!dark.includes("prefers-color-scheme"));
  // The code lens of the title shows it in the same panel.
  panel.webview.html = "";
  await window.module.commands.executeCommand("kep-lint.ready", { uri: document.uri.toString() });
  assert.equal(window.panels.length, 1);
  assert.match(panel.webview.html, /latest-milestone/);
});

test("a new KEP is a form", async (t) => {
  const folder = repository(t);
  const window = await start(t, { folder });
  const asked: string[] = [];
  let goesBack = true;
  window.fill = async (input) => {
    asked.push(`${input.title} ${input.step}`);
    if (input.step === 1) {
      assert.ok(input.items.length > 5 && input.items.every((item) => item.label.startsWith("sig-")));
      input.pick("sig-node");
    } else if (input.step === 2) {
      for (const [wrong, why] of [
        ["x", /number is required/],
        ["4742", /4742 is there: sig-node\/4742-node/],
        ["04742", /required/],
        ["2551", /sig-cli/],
      ] as const) {
        input.type(wrong);
        input.accept();
        await until(`${wrong} is wrong`, () => why.test(input.validationMessage ?? ""));
      }
      input.type("9999");
      if (goesBack) {
        goesBack = false;
        input.back();
      } else {
        input.accept();
      }
    } else {
      input.type("");
      input.accept();
      input.type(' Prefetch "images": `#1` ');
      input.accept();
    }
  };
  await window.module.commands.executeCommand("kepLint.new");
  assert.deepEqual(asked, ["New KEP 1", "New KEP 2", "New KEP 1", "New KEP 2", "New KEP 3"]);
  await message(window, /information: kep-lint: KEP-9999 is begun/);
  const made = fs.readdirSync(path.join(folder, "keps/sig-node")).find((name) => name.startsWith("9999-"));
  const yaml = window.open(`keps/sig-node/${made}/kep.yaml`);
  assert.match(yaml.getText(), /^title: .*Prefetch .*images/m);
  window.open(`keps/sig-node/${made}/README.md`);
  await status(window, /^KEP-9999 alpha /);
});

/** Asserts that words with these letters were shown; each test asserts that none are a link. */
async function shows(window: Window, letters: string): Promise<void> {
  await until(`${letters} is shown`, () => [...window.words].some((text) => text.includes(letters)));
}

test("what a repository says is no link, and nothing in it is hidden", async (t) => {
  const evil = (name: string) => `[${name}](command:quit) [y](https:e) \u202e\u200b`;
  const folder = repository(t);
  const yaml = fs.readFileSync(path.join(folder, YAML), "utf8");
  const other = `keps/sig-node/${evil("directory")}`;
  fs.cpSync(path.join(folder, KEP), path.join(folder, other), { recursive: true });
  fs.mkdirSync(path.join(folder, `keps/sig-node/9999-${evil("number")}`));
  fs.mkdirSync(path.join(folder, `keps/sig-${evil("group")}`));
  fs.writeFileSync(path.join(folder, YAML), yaml.replace(/^ {2}alpha:.*$/m, `  alpha: "${evil("milestone")}"`));
  fs.writeFileSync(
    path.join(folder, other, "kep.yaml"),
    yaml.replace(/^title:.*$/m, `title: "${evil("title")}"`).replace(/^status:.*$/m, `status: "${evil("status")}"`),
  );
  const workspace = { "kep-lint.release": evil("setting") };
  const window = await start(t, { folder, workspace });
  await until("it runs", () => window.contexts.get("kepLint.isRunning"));
  await shows(window, "[setting] (command:quit) [y] (https:e) ??????");
  workspace["kep-lint.release"] = "";
  window.set("kep-lint.release", "");

  const document = window.open(YAML);
  window.choose = (items) => items.find((item) => item.label === "stable");
  await window.module.commands.executeCommand("kepLint.promote");
  await shows(window, "[milestone] (command");
  await window.module.commands.executeCommand("kep-lint.promote", { uri: document.uri.toString(), to: evil("to") });
  await shows(window, "[to] (command");

  window.open(`${other}/README.md`);
  await shows(window, "[title] (command");
  await window.module.commands.executeCommand("kepLint.ready");
  await shows(window, "[directory] (command:quit) [y] (https:e) ??: ready?");
  await window.module.commands.executeCommand("kepLint.promote");
  await shows(window, "Promote [directory] (command");
  await shows(window, "unknown status `[status] (command");

  window.fill = (input) => {
    if (input.step === 1) {
      input.pick("sig-node");
    } else {
      input.type("9999");
      input.accept();
    }
  };
  void window.module.commands.executeCommand("kepLint.new");
  await shows(window, "KEP-9999 is there: sig-node/9999-[number] (command");
  assert.ok(![...window.words].some((text) => text.includes("group")));

  fs.writeFileSync(path.join(folder, ".kep-lint.yaml"), `'${evil("key")}': 1\n`);
  await shows(window, "[key] (command");
});

test("what is declared is what there is", async (t) => {
  const folder = repository(t);
  const window = await start(t, { folder });
  window.open(README);
  const declared = MANIFEST.contributes.commands.map(({ command }: { command: string }) => command);
  const registered = [...window.commands.keys()].filter((name) => name.startsWith("kepLint."));
  assert.deepEqual(registered.sort(), declared.sort());
  await status(window, /beta/);
  let offered: string[] = [];
  window.choose = (items) => {
    offered = items.map((item) => item.command);
    return undefined;
  };
  await window.module.commands.executeCommand("kepLint.menu");
  const others = declared.filter((name: string) => name !== "kepLint.menu");
  assert.deepEqual(offered.sort(), others);
  const { properties } = MANIFEST.contributes.configuration;
  assert.equal(properties["kep-lint.path"].scope, "machine");
  const { untrustedWorkspaces, virtualWorkspaces } = MANIFEST.capabilities;
  assert.equal(untrustedWorkspaces.supported, "limited");
  assert.equal(virtualWorkspaces.supported, false);
  const harmless = ["kep-lint.format-toc", "kep-lint.trace.server"];
  const restricted = [...untrustedWorkspaces.restrictedConfigurations, ...harmless];
  assert.deepEqual(restricted.sort(), Object.keys(properties).sort());

  const [{ pattern }] = MANIFEST.contributes.problemMatchers;
  const lines = run(folder, "--format", "concise", "-q", "--level", "suggestion", "--color", "never").trim().split("\n");
  assert.ok(lines.length > 50);
  for (const line of lines) {
    assert.match(line, new RegExp(pattern.regexp));
  }
});
