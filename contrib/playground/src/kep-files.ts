// Which of many files are those of a KEP: README.md and kep.yaml of one folder, and the PRR file of its number.
import type { Role } from "./contract";
import { nameOf } from "./dom";
import { Refused } from "./engine";
import type { Source } from "./sources";

/** A KEP among the files. */
export interface Candidate {
  /** Its folder; empty if the files were opened without one. */
  directory: string;
  files: Map<Role, Source>;
  /** How many of its documents are too many to be opened. */
  left: number;
}

/** What is in a list of files. */
export interface Contents {
  keps: Candidate[];
  config: Source | null;
  /** Files that may be those of facts. */
  facts: Source[];
  /** Files of no known name. */
  rest: Source[];
}

/** How many files of a KEP are opened: each has an editor. */
export const DOCUMENTS = 20;

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** The folder that all files are in, if there is one. */
function rootOf(sources: Source[]): string {
  const [first] = sources;
  const root = first?.path.slice(0, Math.max(0, first.path.indexOf("/"))) ?? "";
  return sources.every(({ path }) => path.startsWith(`${root}/`)) ? root : "";
}

/** Sorts files by what their names say. */
export function contents(sources: Source[]): Contents {
  const found: Contents = { keps: [], config: null, facts: [], rest: [] };
  const folders = new Map<string, Candidate>();
  const reviews: Source[] = [];
  const documents: Source[] = [];
  const owners: Source[] = [];
  const put = (source: Source, role: Role) => {
    const directory = folderOf(source.path);
    const kep = folders.get(directory) ?? { directory, files: new Map(), left: 0 };
    folders.set(directory, kep);
    const other = kep.files.get(role);
    if (other?.path === source.path) {
      throw new Refused(`There are two files \`${source.path}\`.`, "Open the folder of one KEP.");
    }
    // Where letters differ only in case, README.md counts.
    if (!other || nameOf(other.path) !== "README.md") {
      kep.files.set(role, source);
    }
  };
  const root = rootOf(sources);
  for (const source of sources) {
    const name = nameOf(source.path);
    if (name === "kep.yaml") {
      put(source, "metadata");
    } else if (/^\d+\.yaml$/.test(name) && isReview(source.path)) {
      reviews.push(source);
    } else if (/^\.?kep-lint\.yaml$/.test(name) && folderOf(source.path) === root) {
      // Those in other folders are not that of the repository.
      found.config ??= source;
    } else if (/\.json$/.test(name) && !source.path.includes("/")) {
      found.facts.push(source);
    } else if (/\.md$/i.test(name)) {
      documents.push(source);
    } else if (name === "OWNERS") {
      owners.push(source);
    } else {
      found.rest.push(source);
    }
  }
  // An OWNERS file alone is added to the files that are open.
  const isLone = folders.size === 0;
  const [first] = owners;
  if (first && !folderOf(first.path) && !folders.has("")) {
    put(first, nameOf(first.path));
  }
  for (const source of documents.filter((it) => nameOf(it.path).toLowerCase() === "readme.md")) {
    // Of a whole tree, a README is that of a KEP only beside a kep.yaml.
    if (isLone || folders.has(folderOf(source.path))) {
      put(source, "readme");
    }
  }
  // One document of any name is a README.
  const [only, ...more] = documents;
  if (folders.size === 0 && only && more.length === 0) {
    put(only, "readme");
  }
  // Also what is in folders of a KEP is its own.
  const around = (folder: string): Candidate | undefined =>
    folders.get(folder) ?? (folder === "" ? undefined : around(folderOf(folder)));
  for (const source of [...owners, ...documents]) {
    const kep = around(folderOf(source.path));
    if (kep && ![...kep.files.values()].includes(source)) {
      if (kep.files.size < DOCUMENTS) {
        kep.files.set(source.path, source);
      } else {
        kep.left += 1;
      }
    }
  }
  found.keps = [...folders.values()].sort((one, other) => (one.directory < other.directory ? -1 : 1));
  pair(found, reviews);
  return found;
}

const isReview = (path: string) => !path.includes("/") || path.includes("prod-readiness/") || !path.includes("/keps/");

/** Gives each KEP the PRR file of its number; one KEP and one PRR file belong together. */
function pair(found: Contents, reviews: Source[]): void {
  const [review, ...more] = reviews;
  if (found.keps.length === 0 && review) {
    found.keps.push({ directory: "", files: new Map([["review", review]]), left: 0 });
    found.rest.push(...more);
    return;
  }
  for (const kep of found.keps) {
    const number = /^0*(\d+)-/.exec(nameOf(kep.directory))?.[1];
    const own = reviews.find((it) => number !== undefined && nameOf(it.path).replace(/^0+/, "") === `${number}.yaml`);
    const taken = own ?? (found.keps.length === 1 && more.length === 0 ? review : undefined);
    if (taken) {
      kep.files.set("review", taken);
    }
  }
}

/** The directory of a KEP in the repository, from the folder it was opened with; `null` if that says too little. */
export function directoryOf(folder: string): string | null {
  return /(?:^|\/)(keps\/(?:[^/]+\/){1,3}[^/]+)$/.exec(folder)?.[1] ?? null;
}

/** The text of a file, byte for byte; one that is not text, or too large, is refused. */
export async function textOf(source: Source, most: number): Promise<string> {
  if (source.size > most) {
    throw new Refused(
      `${source.path} has ${source.size} bytes, and ${most} is the most.`,
      "Shorten it, or move parts of it to other files.",
    );
  }
  return decoded(await source.read(), source.path);
}

export function decoded(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refused(`${name} is not UTF-8 text.`, "Save it as UTF-8 in your editor, and open it again.");
  }
}
