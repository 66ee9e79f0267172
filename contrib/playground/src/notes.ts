// What the page says: short messages at its edge, and words for screen readers.

import { button, element, found, printable } from "./dom";
import { Refused } from "./engine";
import { withCode } from "./markdown";

/** How long a message that needs no answer stays, in milliseconds. */
const STAY = 8_000;
/** The most messages at a time. */
const MOST = 4;

/** Says something to everybody. */
export function say(words: string, help: string | null = null): void {
  note(words, help, false);
  announce(words);
}

/** Says what went wrong; it stays until it is closed. */
export function sayTrouble(reason: unknown): void {
  const { message, help } = troubleOf(reason);
  note(message, help, true);
}

/** What went wrong, and the way out. */
export function troubleOf(reason: unknown): { message: string; help: string | null } {
  if (reason instanceof Refused) {
    return reason;
  }
  return { message: `That did not work: ${reason instanceof Error ? reason.message : String(reason)}`, help: null };
}

/** Says something to screen readers; the same words again are not said. */
export function announce(words: string): void {
  const live = found("live");
  if (live.textContent !== printable(words)) {
    live.textContent = printable(words);
  }
}

function note(words: string, help: string | null, isTrouble: boolean): void {
  const box = found("messages");
  const parts = [words, help].map((part) => part && element("p", {}, withCode(part)));
  const text = element("div", { role: isTrouble && "alert" }, ...parts);
  const close = button("Close", () => it.remove(), { "aria-label": "Close this message" });
  const it = element("div", { class: isTrouble ? "note trouble" : "note" }, text, close);
  // What was done before is old news; what went wrong stays.
  if (!isTrouble) {
    for (const old of box.querySelectorAll(".note:not(.trouble)")) {
      old.remove();
    }
  }
  box.append(it);
  while (box.childElementCount > MOST) {
    box.firstElementChild?.remove();
  }
  if (!isTrouble) {
    setTimeout(() => it.remove(), STAY);
  }
}
