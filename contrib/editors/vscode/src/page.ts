// The page that says whether a KEP is ready.

import * as vscode from "vscode";

/** What a page may load and run: nothing. The page has such a rule of its own, and both count. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The pages that are open, by the address of their KEP. */
const open = new Map<string, vscode.WebviewPanel>();

/** Shows a page in a panel of its own. */
export function show(key: string, title: string, html: string): void {
  const old = open.get(key);
  const panel = old ?? create(key, title);
  panel.title = title;
  panel.webview.html = strict(html);
  if (old !== undefined) {
    panel.reveal(undefined, true);
  }
}

/** A page with the rule before all that it has. */
export function strict(html: string): string {
  const rule = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  const head = /^\s*<!doctype html>\s*<html[^>]*>\s*<head>/i.exec(html);
  return head ? html.slice(0, head[0].length) + rule + html.slice(head[0].length) : rule + html;
}

function create(key: string, title: string): vscode.WebviewPanel {
  const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const panel = vscode.window.createWebviewPanel("kepLint.ready", title, column, {
    enableScripts: false,
    enableForms: false,
    enableCommandUris: false,
    enableFindWidget: true,
    localResourceRoots: [],
  });
  open.set(key, panel);
  panel.onDidDispose(() => open.delete(key));
  return panel;
}
