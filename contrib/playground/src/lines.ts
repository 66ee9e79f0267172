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

/** The offset in the exact text of one in the editor. */
export function toExact(text: Text, isCrlf: boolean, at: number): number {
  return isCrlf ? at + text.lineAt(at).number - 1 : at;
}

/** The offset in the editor of one in the exact text; of one outside of it, the nearest. */
export function toShown(text: Text, isCrlf: boolean, at: number): number {
  const wanted = Math.max(0, Number.isFinite(at) ? Math.floor(at) : 0);
  if (!isCrlf) {
    return Math.min(wanted, text.length);
  }
  let [first, last] = [1, text.lines];
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if (text.line(middle).from + middle - 1 <= wanted) {
      first = middle;
    } else {
      last = middle - 1;
    }
  }
  const line = text.line(first);
  return Math.min(wanted - (first - 1), line.to);
}
