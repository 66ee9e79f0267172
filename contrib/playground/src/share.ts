// The state of the page in the fragment of its address: JSON, compressed, in letters of an address. A link comes from
// anybody, so that its size is bounded before and after it is unpacked, and each value is checked.
import type { Kep, Settings } from "./contract";
import { Refused } from "./engine";
import { DOCUMENTS } from "./kep-files";

/** The most letters of a state in an address. Browsers take more, but most programs that links are sent with do not. */
export const LINK = 500_000;
/** The most bytes of a state. */
const STATE = 8 << 20;

export interface State {
  kep: Kep;
  settings: Settings;
}

export async function packed(state: State): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const small = new Uint8Array(
    await new Response(stream(bytes).pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer(),
  );
  const text = base64url(small);
  if (text.length > LINK) {
    throw new Refused(
      `The link would have ${text.length} letters, and ${LINK} is the most.`,
      "Send the files instead: Share, Download all.",
    );
  }
  return text;
}

export async function unpacked(text: string): Promise<State> {
  const help = "Ask for the files instead, and open them here.";
  if (text.length > LINK) {
    throw new Refused(`The state in this link has ${text.length} letters, and ${LINK} is the most.`, help);
  }
  let json: unknown;
  try {
    json = JSON.parse(await inflated(text));
  } catch (error) {
    if (error instanceof Refused) {
      throw error;
    }
    throw new Refused("The state in this link is damaged: part of it may be missing.", help);
  }
  return checked(json);
}

async function inflated(text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const reader = stream(bytes).pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: BlobPart[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      break;
    }
    size += value.length;
    if (size > STATE) {
      await reader.cancel();
      throw new Refused(
        `The state in this link is larger than ${STATE >> 20} MiB when it is unpacked.`,
        "Ask for the files instead, and open them here.",
      );
    }
    parts.push(value);
  }
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await new Blob(parts).arrayBuffer());
}

function stream(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([bytes]).stream();
}

function base64url(bytes: Uint8Array): string {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Only what a state has: nothing else of the JSON is kept. */
function checked(json: unknown): State {
  const kep = part(json, "kep");
  const settings = part(json, "settings");
  const textsOf = <K extends string>(of: unknown, ...keys: K[]): Record<K, string | null> => {
    const text = (value: unknown) => (typeof value === "string" ? value : null);
    return Object.fromEntries(keys.map((key) => [key, text(part(of, key))])) as Record<K, string | null>;
  };
  const others = part(kep, "others");
  const entries = typeof others === "object" && others !== null ? Object.entries(others) : [];
  // What is downloaded has the name that the link gives it.
  const isDocument = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === "string" && /\.md$|(^|\/)OWNERS$/i.test(entry[0]);
  const documents = entries.filter(isDocument).slice(0, DOCUMENTS);
  return {
    kep: {
      ...textsOf(kep, "directory", "readme", "metadata", "review"),
      others: Object.fromEntries(documents),
    },
    settings: {
      ...textsOf(settings, "stage", "release", "preset", "level", "config"),
      select: texts(part(settings, "select")),
    },
  };
}

/** A short list of words. */
function texts(value: unknown): string[] | null {
  const isList =
    Array.isArray(value) && value.length > 0 && value.length < 100 && value.every((it) => typeof it === "string");
  return isList ? value : null;
}

function part(of: unknown, key: string): unknown {
  return typeof of === "object" && of !== null && Object.hasOwn(of, key)
    ? (of as Record<string, unknown>)[key]
    : undefined;
}
