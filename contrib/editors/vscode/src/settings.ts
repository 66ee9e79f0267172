// The settings as the server knows them: the options of `kep-lint check`, by their names.

import * as path from "node:path";
import * as vscode from "vscode";

/** The section of all settings. */
export const SECTION = "kep-lint";

/** The setting that makes the server format. */
export const FORMAT = "format-toc";

/** What the server understands beside that. */
const OPTIONS = ["config", "level", "preset", "release", "stage", "template"] as const;
type Option = (typeof OPTIONS)[number];
const FILES: readonly Option[] = ["config", "template"];

/** The settings of this window. */
export interface Settings {
  /** What is sent to the server. */
  options: Partial<Record<Option, string> & Record<typeof FORMAT, boolean>>;
  /** Those of them that the workspace sets and not the user, as `name: value`. */
  ofWorkspace: string[];
  /** What is wrong with others, which are left out. */
  problems: string[];
}

/** Reads the settings. */
export function read(): Settings {
  const settings: Settings = { options: {}, ofWorkspace: [], problems: [] };
  const section = vscode.workspace.getConfiguration(SECTION);
  for (const name of OPTIONS) {
    const value = section.get<unknown>(name);
    if (typeof value !== "string" || value === "") {
      continue;
    }
    const isOfWorkspace = section.inspect(name)?.workspaceValue !== undefined;
    const option = FILES.includes(name) ? file(value, isOfWorkspace) : value;
    if (option === undefined) {
      settings.problems.push(`${SECTION}.${name} of the workspace names a file outside it: ${value}`);
      continue;
    }
    settings.options[name] = option;
    if (isOfWorkspace) {
      settings.ofWorkspace.push(`${name}: ${value}`);
    }
  }
  if (formatsContents()) {
    settings.options[FORMAT] = true;
    if (section.inspect(FORMAT)?.workspaceValue !== undefined) {
      settings.ofWorkspace.push(`${FORMAT}: true`);
    }
  }
  return settings;
}

/** The program that the user names. What a workspace says does not count, whatever VS Code makes of it. */
export function program(): string {
  const value = vscode.workspace.getConfiguration(SECTION).inspect("path")?.globalValue;
  return typeof value === "string" ? value : "";
}

/** Whether formatting a document writes its table of contents. */
export function formatsContents(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get<unknown>(FORMAT) === true;
}

/** A file that a setting names, as an absolute path; nothing if a workspace names what is not its own. */
function file(value: string, isOfWorkspace: boolean): string | undefined {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (!isOfWorkspace && path.isAbsolute(value)) {
    return value;
  }
  if (folder === undefined) {
    return undefined;
  }
  const absolute = path.resolve(folder, value);
  const way = path.relative(folder, absolute);
  const isInside = way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
  return isInside || !isOfWorkspace ? absolute : undefined;
}
