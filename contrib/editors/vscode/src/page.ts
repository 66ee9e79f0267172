// The page that says whether a KEP is ready.

import * as vscode from "vscode";

/** What a page may load and run: nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A page in a panel of its own. */
interface Page {
  panel: vscode.WebviewPanel;
  html: string;
}

/** The pages that are open, by the address of their KEP. */
const open = new Map<string, Page>();

/** Shows a page. */
export function show(key: string, title: string, html: string): void {
  const old = open.get(key);
  const page = { panel: old?.panel ?? create(key, title), html };
  open.set(key, page);
  draw(page);
  if (old !== undefined) {
    page.panel.reveal(undefined, true);
  }
}

/** Shows all pages in the colors of now. */
export function redraw(): void {
  for (const page of open.values()) {
    draw(page);
  }
}

/** A page with the rule of this file in place of its own, which would not let its colors be changed. */
export function strict(html: string, scheme: "dark" | "light"): string {
  const rule = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  // A page follows the system, and not the theme of the editor.
  const own = html
    .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/g, "")
    .replaceAll("(prefers-color-scheme: dark)", scheme === "dark" ? "all" : "not all")
    .replaceAll("color-scheme: light dark", `color-scheme: ${scheme}`);
  const head = /^\s*<!doctype html>\s*<html[^>]*>\s*<head>/i.exec(own)?.[0] ?? "";
  return head + rule + own.slice(head.length);
}

function draw({ panel, html }: Page): void {
  const { Dark, HighContrast } = vscode.ColorThemeKind;
  const isDark = [Dark, HighContrast].includes(vscode.window.activeColorTheme.kind);
  panel.webview.html = strict(html, isDark ? "dark" : "light");
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
  panel.onDidDispose(() => open.delete(key));
  return panel;
}
