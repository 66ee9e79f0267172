// The state of the page in the fragment of its address: JSON, compressed, in letters of an address. A link comes from
// anybody, so that its size is bounded before and after it is unpacked, and each value is checked.
import type { Kep, Settings } from "./contract";
import { collected, ofBase64, record } from "./data";
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
  const bytes = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const small = new Uint8Array(await new Response(bytes).arrayBuffer());
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
  const large = `The state in this link is larger than ${STATE >> 20} MiB when it is unpacked.`;
  try {
    const bytes = new Blob([ofBase64(text.replaceAll("-", "+").replaceAll("_", "/"))]).stream();
    const inflated = bytes.pipeThrough(new DecompressionStream("deflate-raw"));
    const json = await collected(inflated, STATE, new Refused(large, help));
    return checked(JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(json)));
  } catch (error) {
    const damaged = "The state in this link is damaged: part of it may be missing.";
    throw error instanceof Refused ? error : new Refused(damaged, help);
  }
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
  const [kep, settings] = [record(record(json).kep), record(record(json).settings)];
  const textsOf = <K extends string>(of: Record<string, unknown>, ...keys: K[]): Record<K, string | null> => {
    const text = (value: unknown) => (typeof value === "string" ? value : null);
    return Object.fromEntries(keys.map((key) => [key, text(of[key])])) as Record<K, string | null>;
  };
  // What is downloaded has the name that the link gives it.
  const isDocument = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === "string" && /\.md$|(^|\/)OWNERS$/i.test(entry[0]);
  const documents = Object.entries(record(kep.others)).filter(isDocument).slice(0, DOCUMENTS);
  return {
    kep: { ...textsOf(kep, "directory", "readme", "metadata", "review"), others: Object.fromEntries(documents) },
    settings: { ...textsOf(settings, "stage", "release", "preset", "level", "config"), select: texts(settings.select) },
  };
}

/** A short list of words. */
function texts(value: unknown): string[] | null {
  const isList =
    Array.isArray(value) && value.length > 0 && value.length < 100 && value.every((it) => typeof it === "string");
  return isList ? value : null;
}
