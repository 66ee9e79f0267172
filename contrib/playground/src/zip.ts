// The files of a zip archive. Each is unpacked alone, into as many bytes as the archive says, and no more.
import { unzipSync } from "fflate";
import { Refused } from "./engine";

/** A file of an archive. */
export interface Entry {
  path: string;
  size: number;
  unpack(): Uint8Array;
}

/** The largest archive that is read. */
export const ZIP_BYTES = 100 << 20;
/** The largest file of an archive that is unpacked; the engine takes less. */
const ENTRY_BYTES = 16 << 20;
/** The longest target of a link, in bytes. */
const TARGET = 1_000;
/** How many links are followed to a file. */
const LINKS = 5;

/** The files of the archive with this name, and without its folders. `limit` refuses too many. */
export function files(name: string, bytes: Uint8Array, limit: (count: number) => void): Entry[] {
  const all: { path: string; size: number }[] = [];
  let count = 0;
  let found: { sum: number; isLink: boolean }[];
  try {
    unzipSync(bytes, {
      filter: ({ name: path, originalSize: size }) => {
        all.push({ path, size });
        count += path.endsWith("/") ? 0 : 1;
        limit(count);
        return false;
      },
    });
    found = directory(bytes);
  } catch (error) {
    const unread = `${name} cannot be read as a zip archive.`;
    throw error instanceof Refused ? error : new Refused(unread, "Unpack it, and open the files.");
  }
  const content = (number: number, links: number): Uint8Array => {
    const { path } = all[number] as { path: string };
    const unpacked = unpack(bytes, number, path, found[number]?.sum);
    if (!found[number]?.isLink) {
      return unpacked;
    }
    const target = new TextDecoder().decode(unpacked.slice(0, TARGET));
    const wanted = followed(path, target);
    const other = all.findIndex((it) => slashed(it.path) === wanted);
    if (other < 0 || links > LINKS) {
      throw new Refused(`${path} is a link to \`${target}\`, which is not in the archive.`, "Open that file, too.");
    }
    return content(other, links + 1);
  };
  const entries = all.map(({ path, size }, number) => {
    return { path: slashed(path), size, unpack: () => content(number, 0) };
  });
  return entries.filter(({ path }) => !path.endsWith("/"));
}

/** Some programs for Windows write paths with its sign. */
const slashed = (path: string) => path.replaceAll("\\", "/");

/** The path that a link at `path` leads to. */
function followed(path: string, target: string): string {
  const parts = path.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") {
      parts.pop();
    } else if (part !== ".") {
      parts.push(part);
    }
  }
  return parts.join("/");
}

/** The bytes of the file with this number in the archive. */
function unpack(bytes: Uint8Array, number: number, path: string, sum: number | undefined): Uint8Array {
  let at = 0;
  try {
    const unpacked = unzipSync(bytes, { filter: ({ originalSize }) => at++ === number && originalSize <= ENTRY_BYTES });
    const content = Object.hasOwn(unpacked, path) ? unpacked[path] : undefined;
    // With a size that is too small, a file would be cut without a word.
    if (content && checksum(content) === sum) {
      return content;
    }
  } catch {
    // It is damaged, or packed in a way that is not known.
  }
  throw new Refused(`${path} cannot be unpacked.`, "Unpack the archive, and open the files.");
}

/** What fflate does not read of the directory of an archive: checksums, and which files are links. */
function directory(bytes: Uint8Array): { sum: number; isLink: boolean }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (at: number) => view.getUint32(at, true);
  let end = bytes.length - 22;
  while (word(end) !== 0x06054b50) {
    end -= 1;
  }
  let [left, at] = [view.getUint16(end + 8, true), word(end + 16)];
  // A Zip64 archive has a second end record before this one. What is between the two says where it begins.
  if (end >= 20 && word(end - 20) === 0x07064b50 && word(word(end - 12)) === 0x06064b50) {
    const large = word(end - 12);
    [left, at] = [word(large + 32), word(large + 48)];
  }
  const entries: { sum: number; isLink: boolean }[] = [];
  for (; left > 0; left -= 1) {
    // The upper half has the mode of a file on Unix.
    entries.push({ sum: word(at + 16), isLink: word(at + 38) >>> 28 === 0xa });
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The CRC-32 of `bytes`, as archives have it. */
function checksum(bytes: Uint8Array): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
    }
  }
  return ~sum >>> 0;
}
