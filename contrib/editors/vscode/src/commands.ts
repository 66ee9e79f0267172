// What the user can ask for. The server does the work; this asks what it needs to know, and shows what came of it.

import * as vscode from "vscode";
import { ask, type Question } from "./form";
import { directoriesIn, facts, type Kep, kepOf, kepsDirectory, withNumber } from "./keps";
import { harmless, tell, tellError } from "./messages";
import * as page from "./page";
import type { Server, Takeover } from "./server";
import type { Status } from "./status";

/** What a KEP can be promoted to, in the order of a feature's life. */
const TARGETS: [string, string][] = [
  ["alpha", "off by default, for early users"],
  ["beta", "well tested, behind a gate"],
  ["stable", "always on"],
  ["implemented", "stable, released and closed"],
  ["deprecated", "the feature is to go"],
  ["disabled", "off by default, before it goes"],
  ["removed", "the feature is gone"],
];

/** The stages that can be looked at. */
const STAGES = ["alpha", "beta", "stable", "deprecated", "disabled", "removed"];

/** What the server says of files that it has changed. */
interface Changed {
  notes?: string[];
}

/** The commands of a window. */
export class Commands {
  constructor(
    private readonly server: () => Server,
    private readonly status: () => Status,
  ) {}

  /** The commands by their names. */
  all(): Record<string, (argument?: unknown) => unknown> {
    return {
      "kepLint.check": () => this.check(),
      "kepLint.fixAll": () => this.onKep((uri) => this.fixAll(uri)),
      "kepLint.promote": () => this.onKep((uri, kep) => this.promote(uri, kep, {})),
      "kepLint.upgrade": () => this.onKep((uri, kep) => this.upgrade(uri, kep)),
      "kepLint.ready": () => this.onKep((uri, kep) => this.ready(uri, kep, {})),
      "kepLint.new": (folder) => this.new(folder instanceof vscode.Uri ? folder : undefined),
      "kepLint.stage": () => this.preview(),
      "kepLint.restart": () => this.server().restart(),
      "kepLint.showLog": () => this.server().log.show(),
      "kepLint.menu": () => this.menu(),
    };
  }

  /** The commands of the server behind code lenses that need more than it can do. */
  takeovers(): Map<string, Takeover> {
    return new Map<string, Takeover>([
      ["kep-lint.promote", (argument) => this.byLens(argument, (uri, kep, rest) => this.promote(uri, kep, rest))],
      ["kep-lint.ready", (argument) => this.byLens(argument, (uri, kep, rest) => this.ready(uri, kep, rest))],
    ]);
  }

  private async check(): Promise<void> {
    await this.server().checkAgain();
    await vscode.commands.executeCommand("workbench.actions.view.problems");
  }

  private async fixAll(uri: string): Promise<void> {
    const { fixed } = await this.server().run<{ fixed: number }>("kep-lint.fixAll", { uri });
    const done = fixed === 1 ? "1 finding is fixed" : `${fixed} findings are fixed`;
    tell(fixed === 0 ? "there is nothing that can be fixed safely" : `${done}; the files are not saved yet`);
  }

  private async promote(uri: string, kep: Kep, given: object): Promise<void> {
    const argument: Record<string, unknown> = { ...given, uri };
    if (typeof argument.to !== "string") {
      const { stage } = await facts(kep);
      const picked = await vscode.window.showQuickPick(targets(stage), {
        title: `Promote ${kep.name}`,
        placeHolder: stage === undefined ? "It has no stage" : `It is ${stage}`,
      });
      if (picked === undefined) {
        return;
      }
      argument.to = picked.label;
      if (stage === "alpha" && picked.label === "stable") {
        const yes = "Leave Out Beta";
        const detail = "A feature goes through beta, unless there is a reason not to.";
        if ((await vscode.window.showWarningMessage("From alpha to stable?", { modal: true, detail }, yes)) !== yes) {
          return;
        }
        argument.skipBeta = true;
      }
    }
    const changed = await this.server().run<Changed>("kep-lint.promote", argument);
    tellOf(changed, `${kep.name} is now ${argument.to}; the files are not saved yet`);
  }

  private async upgrade(uri: string, kep: Kep): Promise<void> {
    const stage = this.server().preview;
    const argument = { ...(stage === undefined ? {} : { stage }), uri };
    const { files, notes } = await this.server().run<Changed & { files: number }>("kep-lint.upgrade", argument);
    const [summary] = notes ?? [];
    tell(files === 0 ? `${kep.name} has the headings of the template` : `${kep.name}: ${summary}; the files are not saved yet`);
  }

  private async ready(uri: string, kep: Kep, given: object): Promise<void> {
    const stage = this.server().preview;
    const argument = { ...(stage === undefined ? {} : { stage }), ...given, uri };
    const html = await this.server().run<string>("kep-lint.ready", argument);
    page.show(kep.directory.toString(), `${kep.name}: ready?`, html);
  }

  private async new(given: vscode.Uri | undefined): Promise<void> {
    const folder = given ?? (await this.folder());
    if (folder === undefined) {
      return;
    }
    const keps = await kepsDirectory(folder);
    // What cannot be shown as it is, is no group.
    const isGroup = (name: string) => name.startsWith("sig-") && name === harmless(name);
    const groups = (await directoriesIn(keps)).filter(isGroup).sort();
    const answers = await ask("New KEP", questions(keps, groups, /\/keps\/(sig-[^/]+)/.exec(folder.path)?.[1]));
    if (answers === undefined) {
      return;
    }
    const [title, number, sig] = [...answers].reverse();
    await attempt(async () => {
      const argument = { folder: folder.toString(), number, title, ...(sig === undefined ? {} : { sig }) };
      const made = await this.server().run<Changed & { readme: string }>("kep-lint.new", argument);
      await vscode.window.showTextDocument(vscode.Uri.parse(made.readme, true));
      tellOf(made, `KEP-${number} is begun`);
    });
  }

  private async preview(): Promise<void> {
    const server = this.server();
    const none = { label: "As in kep.yaml", description: "no preview", stage: undefined };
    const items = STAGES.map((stage) => ({ label: stage, description: `what ${stage} requires`, stage }));
    const picked = await vscode.window.showQuickPick([none, ...items], {
      title: "Preview Another Stage",
      placeHolder: "All KEPs are checked as if this were their stage, until the window is closed",
    });
    if (picked !== undefined) {
      server.preview = picked.stage;
      await server.configure();
    }
  }

  private async menu(): Promise<void> {
    const { condition } = this.server();
    const entry = (label: string, command: string, description = "") => ({ label, command, description });
    const log = entry("$(output) Show the log", "kepLint.showLog");
    const restart = entry("$(debug-restart) Restart the server", "kepLint.restart");
    const items = [];
    if (condition.is === "missing") {
      items.push(
        entry("$(cloud-download) How to install kep-lint", "kepLint.install", condition.problem),
        entry("$(gear) Set where it is", "kepLint.settings"),
      );
    } else if (condition.is === "untrusted") {
      items.push(entry("$(shield) Trust this folder...", "workbench.trust.manage"));
    }
    if (condition.is === "running" && this.status().kep !== undefined) {
      items.push(
        entry("$(checklist) Show whether it is ready", "kepLint.ready"),
        entry("$(wand) Apply all safe fixes", "kepLint.fixAll"),
        entry("$(arrow-up) Promote to a stage...", "kepLint.promote"),
        entry("$(list-tree) Bring the README to the template", "kepLint.upgrade"),
        entry("$(refresh) Check again and show the problems", "kepLint.check"),
      );
    }
    if (condition.is === "running") {
      items.push(
        entry("$(eye) Preview another stage...", "kepLint.stage", this.server().preview),
        entry("$(new-file) New KEP...", "kepLint.new"),
      );
    }
    if (condition.is !== "untrusted") {
      items.push(restart);
    }
    const picked = await vscode.window.showQuickPick([...items, log], { title: "KEP" });
    if (picked?.command === "kepLint.install") {
      await vscode.env.openExternal(vscode.Uri.parse(INSTALL, true));
    } else if (picked?.command === "kepLint.settings") {
      await vscode.commands.executeCommand("workbench.action.openSettings", "kep-lint.path");
    } else if (picked !== undefined) {
      await vscode.commands.executeCommand(picked.command);
    }
  }

  /** Does something with the KEP of the active editor. */
  private async onKep(act: (uri: string, kep: Kep) => Promise<void>): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const kep = document && (await kepOf(document));
    if (document === undefined || kep === undefined) {
      tell("open a file of a KEP first");
      return;
    }
    await attempt(() => act(document.uri.toString(), kep));
  }

  /** Does something with the KEP that the server names. */
  private async byLens(argument: unknown, act: (uri: string, kep: Kep, rest: object) => Promise<void>): Promise<void> {
    const { uri, ...rest } = (argument ?? {}) as { uri?: unknown };
    const is = (document: vscode.TextDocument) => document.uri.toString() === vscode.Uri.parse(String(uri)).toString();
    const document = vscode.workspace.textDocuments.find(is);
    const kep = document && (await kepOf(document));
    if (kep !== undefined) {
      await attempt(() => act(String(uri), kep, rest));
    }
  }

  /** The folder that a new KEP is for. */
  private async folder(): Promise<vscode.Uri | undefined> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    if (folders.length > 1) {
      const picked = await vscode.window.showWorkspaceFolderPick({ placeHolder: "The repository of the new KEP" });
      return picked?.uri;
    }
    if (folders[0] === undefined) {
      tell("open a folder of KEPs first");
    }
    return folders[0]?.uri;
  }
}

/** Where people read how to install the program. */
const INSTALL = "https://github.com/<owner>/kep-lint#install";

/** What the form of a new KEP asks; the group only where there are some. */
function questions(keps: vscode.Uri, groups: string[], group: string | undefined): Question[] {
  const parents = groups.length === 0 ? [keps] : groups.map((name) => vscode.Uri.joinPath(keps, name));
  const all: Question[] = [
    {
      prompt: "The number of its tracking issue in kubernetes/enhancements",
      placeholder: "4742",
      async wrong(answer) {
        if (!/^[1-9][0-9]{0,6}$/.test(answer)) {
          return "A number is required, such as 4742.";
        }
        for (const parent of parents) {
          const other = await withNumber(parent, answer);
          if (other !== undefined) {
            return harmless(`KEP-${answer} is there: ${other.path.slice(keps.path.length + 1)}`);
          }
        }
        return undefined;
      },
    },
    {
      prompt: "The title: a few words that say what changes for users",
      placeholder: "Node topology labels in the downward API",
      wrong(answer) {
        if (!/[\p{L}\p{N}]/u.test(answer)) {
          return "A title is required.";
        }
        return /\p{Cc}/u.test(answer) ? "A title has no control characters." : undefined;
      },
    },
  ];
  if (groups.length > 0) {
    const first = groups.filter((name) => name === group);
    const items = [...first, ...groups.filter((name) => name !== group)].map((label) => ({ label }));
    all.unshift({ prompt: "The SIG that owns it", items });
  }
  return all;
}

/** What a KEP of this stage can become, the next stage first. */
function targets(stage: string | undefined): vscode.QuickPickItem[] {
  const items = TARGETS.map(([label, description]) => ({ label, description }));
  const now = items.findIndex(({ label }) => label === stage);
  const again = items.slice(now, now + 1).map(({ label }) => ({ label, description: "again, in a later release" }));
  return now < 0 ? items : [...items.slice(now + 1), ...again];
}

/** Does something, and says what went wrong. */
async function attempt(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    tellError(error);
  }
}

function tellOf({ notes }: Changed, words: string): void {
  for (const text of [words, ...(notes ?? [])]) {
    tell(text);
  }
}
