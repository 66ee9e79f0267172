// Which KEP a document belongs to, and what kep.yaml says of it in the lines that people look at first.

import * as vscode from "vscode";
import { harmless } from "./messages";

/** The documents that the server is told of. */
export const DOCUMENTS = [
  { scheme: "file", pattern: "**/kep.yaml" },
  { scheme: "file", pattern: "**/keps/**/*.md" },
  { scheme: "file", pattern: "**/keps/prod-readiness/**/*.yaml" },
];

/** A KEP. */
export interface Kep {
  directory: vscode.Uri;
  /** Such as `KEP-4742`, or the name of the directory if that has no number, to be shown. */
  name: string;
  /** The number of the directory, if it has one. */
  number: string | undefined;
}

/** What kep.yaml says, as far as it is there, to be shown. */
export interface Facts {
  title?: string;
  status?: string;
  stage?: string;
  milestone?: string;
}

/** How many findings a KEP has. */
export interface Counts {
  errors: number;
  warnings: number;
  suggestions: number;
}

/** The KEP of a document. */
export async function kepOf(document: vscode.TextDocument): Promise<Kep | undefined> {
  if (vscode.languages.match(DOCUMENTS, document) === 0) {
    return undefined;
  }
  const review = /^(.*\/keps)\/prod-readiness\/([^/]+)\/([0-9]+)\.yaml$/.exec(document.uri.path);
  if (review) {
    const [, keps = "", sig = "", number = ""] = review;
    const directory = await withNumber(document.uri.with({ path: `${keps}/${sig}` }), number);
    return directory && kep(directory);
  }
  for (let at = parent(document.uri); at.path !== "/" && !at.path.endsWith("/keps"); at = parent(at)) {
    if (await exists(vscode.Uri.joinPath(at, "kep.yaml"))) {
      return kep(at);
    }
    if (parent(at).path === at.path) {
      break;
    }
  }
  return undefined;
}

/** Whether a file is one of the KEP: in its directory, or its PRR file. */
export function belongsTo(kep: Kep, uri: vscode.Uri): boolean {
  if (uri.path.startsWith(`${kep.directory.path}/`)) {
    return true;
  }
  const number = /\/keps\/prod-readiness\/[^/]+\/([0-9]+)\.yaml$/.exec(uri.path)?.[1];
  return number !== undefined && Number(number) === Number(kep.number);
}

/** The findings of a KEP, counted. */
export function count(kep: Kep): Counts {
  const counts = { errors: 0, warnings: 0, suggestions: 0 };
  for (const [uri, diagnostics] of vscode.languages.getDiagnostics()) {
    if (!belongsTo(kep, uri)) {
      continue;
    }
    for (const { source, severity } of diagnostics) {
      if (source !== "kep-lint") {
        continue;
      }
      if (severity === vscode.DiagnosticSeverity.Error) {
        counts.errors++;
      } else if (severity === vscode.DiagnosticSeverity.Warning) {
        counts.warnings++;
      } else {
        counts.suggestions++;
      }
    }
  }
  return counts;
}

/** What kep.yaml says now, in the editor or on disk. */
export async function facts(kep: Kep): Promise<Facts> {
  const uri = vscode.Uri.joinPath(kep.directory, "kep.yaml");
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  let text = open?.getText();
  if (text === undefined) {
    try {
      text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    } catch {
      return {};
    }
  }
  const value = (key: string) => {
    const found = new RegExp(`^${key}:[ \\t]*(?:"([^"\\r\\n]*)"|'([^'\\r\\n]*)'|([^#\\r\\n]*))`, "m").exec(text);
    return harmless((found?.[1] ?? found?.[2] ?? found?.[3] ?? "").trim()) || undefined;
  };
  const all = { title: value("title"), status: value("status"), stage: value("stage") };
  return Object.fromEntries(
    Object.entries({ ...all, milestone: value("latest-milestone") }).filter(([, value]) => value !== undefined),
  );
}

/** The directory `keps` of a folder, which may also be in it. */
export async function kepsDirectory(folder: vscode.Uri): Promise<vscode.Uri> {
  const above = /^(.*\/keps)(\/|$)/.exec(folder.path)?.[1];
  const below = vscode.Uri.joinPath(folder, "keps");
  return above !== undefined && !(await exists(below)) ? folder.with({ path: above }) : below;
}

/** The names of the directories in a directory. */
export async function directoriesIn(directory: vscode.Uri): Promise<string[]> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(directory);
    return entries.filter(([, kind]) => kind === vscode.FileType.Directory).map(([name]) => name);
  } catch {
    return [];
  }
}

/** The directory of the KEP with a number. */
export async function withNumber(directory: vscode.Uri, number: string): Promise<vscode.Uri | undefined> {
  const names = await directoriesIn(directory);
  const name = names.find((name) => Number(/^([0-9]+)-/.exec(name)?.[1]) === Number(number));
  return name === undefined ? undefined : vscode.Uri.joinPath(directory, name);
}

function kep(directory: vscode.Uri): Kep {
  const name = directory.path.slice(directory.path.lastIndexOf("/") + 1);
  const number = /^([0-9]+)(?:-|$)/.exec(name)?.[1];
  return { directory, number, name: number === undefined ? harmless(name) : `KEP-${Number(number)}` };
}

function parent(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, "..");
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
