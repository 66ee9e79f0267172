// The extension of a window: one server for all its KEPs, an item in the status bar, and commands.

import * as vscode from "vscode";
import { Commands } from "./commands";
import { warn } from "./messages";
import * as page from "./page";
import { Server } from "./server";
import { FORMAT, SECTION } from "./settings";
import { Status } from "./status";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const commands: Commands = new Commands(
    () => own,
    () => status,
  );
  const own = new Server(context.extensionUri, commands.takeovers());
  const status = new Status(own);
  server = own;
  context.subscriptions.push(
    status,
    ...Object.entries(commands.all()).map(([name, act]) => vscode.commands.registerCommand(name, act)),
    vscode.window.onDidChangeActiveColorTheme(page.redraw),
    vscode.workspace.onDidGrantWorkspaceTrust(() => own.restart()),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      // What the editor offers is decided at the start.
      if (["path", FORMAT].some((name) => change.affectsConfiguration(`${SECTION}.${name}`))) {
        await own.restart();
      } else if (change.affectsConfiguration(SECTION)) {
        await own.configure();
      }
    }),
  );
  await own.restart();
  if (own.condition.is === "missing") {
    const { problem } = own.condition;
    const more = "What to Do";
    // Nothing waits for the answer.
    void warn(problem, more).then((answer) => {
      if (answer === more) {
        void vscode.commands.executeCommand("kepLint.menu");
      }
    });
  }
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
  server = undefined;
}
