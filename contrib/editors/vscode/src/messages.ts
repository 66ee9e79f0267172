// What the user is told. VS Code makes links of `[text](target)` in a message, also such that run a command, and what is
// told may quote a repository.

import * as vscode from "vscode";

/** Text of a repository, the server or a setting as VS Code may show it: no part of it is a link, and every letter shows. */
export function harmless(text: string): string {
  const line = text.replace(/[\t\n\r]/g, " ").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
  return line.replaceAll("](", "] (");
}

export function tell(words: string): void {
  void vscode.window.showInformationMessage(message(words));
}

export function tellError(error: unknown): void {
  void vscode.window.showErrorMessage(message(error instanceof Error ? error.message : String(error)));
}

/** Warns, and returns what the user chose. */
export function warn(words: string, choice: string): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(message(words), choice);
}

function message(words: string): string {
  return harmless(`kep-lint: ${words}`);
}
