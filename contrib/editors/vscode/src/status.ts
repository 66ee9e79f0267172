// The status bar: how the KEP of the active editor is.

import * as vscode from "vscode";
import { type Counts, count, type Facts, facts, type Kep, kepOf } from "./keps";
import { harmless } from "./messages";
import type { Server } from "./server";
import * as settings from "./settings";

/** The item of the status bar, and the KEP that it is about. */
export class Status implements vscode.Disposable {
  /** The KEP of the active editor. */
  kep: Kep | undefined;
  private readonly item: vscode.StatusBarItem;
  private readonly parts: vscode.Disposable[];
  private round = 0;

  constructor(private readonly server: Server) {
    this.item = vscode.window.createStatusBarItem("kep-lint", vscode.StatusBarAlignment.Left);
    this.item.name = "kep-lint";
    this.item.command = "kepLint.menu";
    const update = () => void this.update();
    const ofKep = (uri: vscode.Uri) => uri.path.endsWith("/kep.yaml");
    this.parts = [
      this.item,
      vscode.window.onDidChangeActiveTextEditor(update),
      vscode.languages.onDidChangeDiagnostics(update),
      vscode.workspace.onDidSaveTextDocument((document) => ofKep(document.uri) && update()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => ofKep(document.uri) && update()),
      server.onDidChange(update),
    ];
    update();
  }

  dispose(): void {
    for (const part of this.parts) {
      part.dispose();
    }
  }

  /** Shows how things are now. */
  async update(): Promise<void> {
    const round = ++this.round;
    const document = vscode.window.activeTextEditor?.document;
    const kep = document && (await kepOf(document));
    const known = kep && (await facts(kep));
    // Another editor may have become active in between.
    if (round !== this.round) {
      return;
    }
    this.kep = kep;
    void vscode.commands.executeCommand("setContext", "kepLint.isKep", kep !== undefined);
    if (document === undefined || kep === undefined || known === undefined) {
      this.item.hide();
      return;
    }
    this.show(kep, known, document);
    this.item.show();
  }

  private show(kep: Kep, known: Facts, document: vscode.TextDocument): void {
    const { condition, preview } = this.server;
    this.item.backgroundColor = undefined;
    switch (condition.is) {
      case "untrusted":
        this.word("$(shield) KEP", "kep-lint is not started before this folder is trusted.");
        return;
      case "missing":
        this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
        this.word("$(warning) KEP: no kep-lint", condition.problem);
        return;
      case "starting":
        this.word("$(loading~spin) KEP", "kep-lint is starting.");
        return;
      case "stopped":
        this.word("$(debug-disconnect) KEP", "The server of kep-lint is not running.");
        return;
      case "running": {
        if (!this.server.hasChecked(document.uri)) {
          this.word(`${kep.name} $(loading~spin)`, `${kep.name} is being checked.`);
          return;
        }
        const counts = count(kep);
        const stage = preview === undefined ? (known.stage ?? "") : `$(eye) ${preview}`;
        this.item.text = [kep.name, stage, icons(counts)].filter((part) => part !== "").join(" ");
        this.item.tooltip = this.tooltip(kep, known, counts, condition.version);
        const label = `${kep.name}, ${preview ?? known.stage ?? "no stage"}: ${words(counts)}`;
        this.item.accessibilityInformation = { label, role: "button" };
      }
    }
  }

  private word(text: string, tooltip: string): void {
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: `KEP: ${tooltip}`, role: "button" };
  }

  /** Plain text: Markdown would make links of addresses. */
  private tooltip(kep: Kep, known: Facts, counts: Counts, version: string): string {
    const lines = [[kep.name, known.title].filter((part) => part !== undefined).join(" ")];
    const state = [known.status, known.stage, known.milestone].filter((part) => part !== undefined);
    if (state.length > 0) {
      lines.push(state.join(" · "));
    }
    lines.push(words(counts));
    if (this.server.preview !== undefined) {
      lines.push(`Checked as ${this.server.preview}, until this window is closed.`);
    }
    const { ofWorkspace } = settings.read();
    if (ofWorkspace.length > 0) {
      lines.push(harmless(`Settings of this workspace: ${ofWorkspace.join(", ")}`));
    }
    return [...lines, `kep-lint ${version}`].join("\n");
  }
}

function icons({ errors, warnings, suggestions }: Counts): string {
  const parts: [string, number][] = [
    ["$(error)", errors],
    ["$(warning)", warnings],
    ["$(info)", suggestions],
  ];
  const shown = parts.filter(([, number]) => number > 0).map(([icon, number]) => `${icon} ${number}`);
  return shown.length === 0 ? "$(check)" : shown.join(" ");
}

function words({ errors, warnings, suggestions }: Counts): string {
  const number = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;
  const parts: [number, string][] = [
    [errors, "error"],
    [warnings, "warning"],
    [suggestions, "suggestion"],
  ];
  const shown = parts.filter(([count]) => count > 0).map(([count, one]) => number(count, one));
  return shown.length === 0 ? "no findings" : shown.join(", ");
}
