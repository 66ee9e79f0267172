// Where files come from: chosen, dropped (folders too), or in a zip archive. Nothing is read before it is needed.
import { unzipSync } from "fflate";
import { Refused } from "./engine";

/** A file that can be read. */
export interface Source {
  /** Its path in the folder or the archive, with `/`. */
  path: string;
  size: number;
  read(): Promise<Uint8Array>;
}

/** The most files of a folder or an archive that are looked at. */
const FILES = 30_000;
const ZIP_BYTES = 100 << 20;
/** The largest file of an archive that is unpacked; the engine takes less. */
const ENTRY_BYTES = 16 << 20;

/** The files of a dialog or of a drop. It must be called while the event is handled. */
export async function dropped(transfer: DataTransfer): Promise<Source[]> {
  const items = [...transfer.items].filter((item) => item.kind === "file");
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile()).filter((entry) => entry !== null);
  const sources: Source[] = [];
  for (const entry of entries) {
    if (entry instanceof File) {
      sources.push(...(await chosen([entry])));
    } else {
      await walk(entry, sources);
    }
  }
  return sources;
}

export async function chosen(files: Iterable<File>): Promise<Source[]> {
  const sources: Source[] = [];
  for (const file of files) {
    sources.push(...(await opened(file, file.webkitRelativePath || file.name)));
    limit(sources);
  }
  return sources;
}

async function walk(entry: FileSystemEntry, sources: Source[]): Promise<void> {
  limit(sources);
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    sources.push(...(await opened(file, entry.fullPath.replace(/^\//, ""))));
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

function limit(sources: Source[]): void {
  if (sources.length > FILES) {
    throw new Refused(`There are more than ${FILES} files.`, "Open the folder of one KEP, or the folder keps.");
  }
}

async function opened(file: File, path: string): Promise<Source[]> {
  if (/\.zip$/i.test(file.name)) {
    return archived(file);
  }
  return [{ path, size: file.size, read: async () => new Uint8Array(await file.arrayBuffer()) }];
}

/** The files of an archive. Each is unpacked alone, into as many bytes as the archive says, and no more. */
async function archived(file: File): Promise<Source[]> {
  if (file.size > ZIP_BYTES) {
    throw new Refused(
      `${file.name} has more than ${ZIP_BYTES >> 20} MiB.`,
      "Unpack it, and open the folder of the KEP.",
    );
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const sources: Source[] = [];
  try {
    unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        limit(sources);
        if (!name.endsWith("/")) {
          sources.push({ path: name, size: originalSize, read: async () => entry(bytes, name) });
        }
        return false;
      },
    });
  } catch (error) {
    if (error instanceof Refused) {
      throw error;
    }
    throw new Refused(`${file.name} cannot be read as a zip archive.`, "Unpack it, and open the files.");
  }
  return sources;
}

function entry(bytes: Uint8Array, wanted: string): Uint8Array {
  let isFound = false;
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        const isWanted = !isFound && name === wanted && originalSize <= ENTRY_BYTES;
        isFound ||= isWanted;
        return isWanted;
      },
    });
    const text = Object.hasOwn(files, wanted) ? files[wanted] : undefined;
    if (text) {
      return text;
    }
  } catch {
    // It is damaged, or packed in a way that is not known.
  }
  throw new Refused(`${wanted} cannot be unpacked.`, "Unpack the archive, and open the files.");
}
