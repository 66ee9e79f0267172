// Line ends. The editor has lines that end with `\n`. A text whose line ends are all `\r\n` is shown without its `\r`, and
// gets each of them back byte for byte; in a text that mixes both, the `\r` stay visible in the editor.
import type { Text } from "@codemirror/state";

/** A text as the editor shows it. */
export function shown(exact: string): { text: string; isCrlf: boolean } {
  const isCrlf = exact.includes("\r\n") && !/(^|[^\r])\n/.test(exact);
  return { text: isCrlf ? exact.replaceAll("\r\n", "\n") : exact, isCrlf };
}

/** The exact text of what the editor shows. */
export function exact(text: string, isCrlf: boolean): string {
  return isCrlf ? text.replaceAll("\n", "\r\n") : text;
}

/** How many bytes of the exact text are before a place in the editor. */
export function toExact(text: Text, isCrlf: boolean, at: number): number {
  return new TextEncoder().encode(text.sliceString(0, at)).length + (isCrlf ? text.lineAt(at).number - 1 : 0);
}

/** The place in the editor of each byte of the exact text, and of its end. */
export function placesOf(text: Text, isCrlf: boolean): Uint32Array {
  const bytes = new TextEncoder().encode(exact(text.toString(), isCrlf));
  const places = new Uint32Array(bytes.length + 1);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    // What goes on with a character has no place, and neither has the `\r` that is not shown.
    const isInside = (byte & 0xc0) === 0x80 || (isCrlf && byte === 13 && bytes[at + 1] === 10);
    places[at + 1] = (places[at] ?? 0) + (isInside ? 0 : byte < 0xf0 ? 1 : 2);
  }
  return places;
}
