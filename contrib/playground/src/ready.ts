// The checklist of a release: what is met, what is not, and what somebody must look at.
import type { App } from "./app";
import type { Checklist, Entry } from "./contract";
import { open } from "./dialog";
import { button, element, printable } from "./dom";
import { withCode } from "./markdown";
import { sayTrouble } from "./notes";
import { copy } from "./sharing";
import { today } from "./today";

const WORDS: Record<Entry["state"], string> = { met: "met", info: "info", look: "look", "not-met": "not met" };

export async function showReady(app: App): Promise<void> {
  try {
    const { stage, release } = app.form.settings();
    const checklist = await app.session.ask("ready", { stage, release, today: today() });
    const dialog = open(`Checklist of ${printable(checklist.title)}`, ...content(checklist));
    const press = button("Copy as Markdown", () => copy(checklist.markdown, "The checklist is copied."));
    dialog.content.append(element("div", { class: "buttons" }, press));
  } catch (error) {
    sayTrouble(error);
  }
}

function content({ isReady, verdict, counts, entries, byHand }: Checklist): HTMLElement[] {
  const words = element("p", { class: isReady ? "verdict met" : "verdict not-met" });
  words.append(withCode(verdict), ` (${counts})`);
  const evidence = entries.filter(({ kind }) => kind === "evidence");
  return [
    words,
    list(entries.filter(({ kind }) => kind === "verdict").map(entry)),
    ...(evidence.length > 0 ? [element("h3", {}, "Evidence"), list(evidence.map(entry))] : []),
    ...(byHand.length > 0 ? [element("h3", {}, "To be checked by hand"), plain(byHand)] : []),
  ];
}

const list = (items: HTMLElement[]) => element("ul", { class: "entries" }, ...items);

function plain(lines: string[]): HTMLElement {
  const items = lines.map((line) => {
    const item = element("li");
    item.append(withCode(line));
    return item;
  });
  return element("ul", {}, ...items);
}

function entry({ title, state, words, detail, details, write }: Entry): HTMLElement {
  const heading = element(
    "div",
    {},
    element("span", { class: `state ${state}` }, WORDS[state]),
    element("strong", {}, printable(title)),
    " ",
  );
  heading.append(withCode(words));
  const more = details.map(({ words, help, place }) => {
    const item = element("li");
    item.append(withCode(words), place ? ` (${printable(place.path)}:${place.line})` : "");
    if (help) {
      item.append(element("br"), withCode(help));
    }
    return item;
  });
  const note = element("div", { class: "detail" });
  note.append(withCode(detail ?? ""));
  return element(
    "li",
    {},
    heading,
    detail !== null && note,
    write &&
      element("div", { class: "detail" }, `${printable(write.path)}:`, element("pre", {}, printable(write.text))),
    more.length > 0 && element("ul", { class: "detail" }, ...more),
  );
}
