// Where files come from: chosen, dropped (folders too), or in a zip archive. Nothing is read before it is needed.
import { Refused } from "./engine";
import { files, ZIP_BYTES } from "./zip";

/** A file that can be read. */
export interface Source {
  /** Its path in the folder or the archive, with `/`. */
  path: string;
  size: number;
  read(): Promise<Uint8Array>;
}

/** The most files of a folder or an archive that are looked at. */
const FILES = 30_000;

/** The files that were chosen or dropped. */
export async function opened(entries: (FileSystemEntry | File)[]): Promise<Source[]> {
  const sources: Source[] = [];
  for (const entry of entries) {
    if (entry instanceof File) {
      sources.push(...(await unpacked(entry, entry.webkitRelativePath || entry.name)));
      limit(sources.length);
    } else {
      await walk(entry, sources);
    }
  }
  return sources;
}

async function walk(entry: FileSystemEntry, sources: Source[]): Promise<void> {
  limit(sources.length);
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    sources.push(...(await unpacked(file, entry.fullPath.replace(/^\//, ""))));
    return;
  }
  if (entry.name === ".git" || entry.name === "node_modules") {
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A browser gives them by the hundred.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) {
      return;
    }
    for (const child of some) {
      await walk(child, sources);
    }
  }
}

function limit(count: number): void {
  if (count > FILES) {
    throw new Refused(`There are more than ${FILES} files.`, "Open the folder of one KEP, or the folder keps.");
  }
}

/** The file, or those in it if it is an archive. */
async function unpacked(file: File, path: string): Promise<Source[]> {
  if (!/\.zip$/i.test(file.name)) {
    return [{ path, size: file.size, read: async () => new Uint8Array(await file.arrayBuffer()) }];
  }
  if (file.size > ZIP_BYTES) {
    const help = "Unpack it, and open the folder of the KEP.";
    throw new Refused(`${file.name} has more than ${ZIP_BYTES >> 20} MiB.`, help);
  }
  const entries = files(file.name, new Uint8Array(await file.arrayBuffer()), limit);
  return entries.map(({ path, size, unpack }) => ({ path, size, read: async () => unpack() }));
}
