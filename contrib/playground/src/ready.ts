// The checklist of a release: what is met, what is not, and what somebody must look at.
import type { App } from "./app";
import type { Checklist, Entry, EntryPlace } from "./contract";
import { open } from "./dialog";
import { button, element, nameOf, printable, today } from "./dom";
import { listed, withCode } from "./markdown";
import { copy } from "./sharing";

const WORDS: Record<Entry["state"], string> = { met: "met", info: "info", look: "look", "not-met": "not met" };

export async function showReady(app: App): Promise<void> {
  const { stage, release } = app.form.settings();
  const checklist = await app.session.ask("ready", { stage, release, today: today() });
  const to = (place: EntryPlace | null) => {
    const show = (place: EntryPlace) => {
      dialog.close();
      // A dialog gives the focus back once it is closed.
      setTimeout(() => app.goTo(place));
    };
    return place && button(`${printable(nameOf(place.path))}:${place.line}`, () => show(place), { class: "jump" });
  };
  const dialog = open(printable(checklist.title), ...content(checklist, to));
  const press = button("Copy as Markdown", () => copy(checklist.markdown, "The checklist is copied."));
  dialog.content.append(element("div", { class: "buttons" }, press));
}

/** A button that leads to a place. */
type To = (place: EntryPlace | null) => HTMLElement | null;

function content({ title, isReady, verdict, counts, entries, byHand }: Checklist, to: To): HTMLElement[] {
  const judged = withCode(`${title}: ${verdict} (${counts})`);
  const of = (wanted: Entry["kind"]) => entries.filter(({ kind }) => kind === wanted).map((it) => entry(it, to));
  const evidence = of("evidence");
  return [
    element("p", { class: isReady ? "verdict met" : "verdict not-met" }, judged),
    list(of("verdict")),
    ...(evidence.length > 0 ? [element("h3", {}, "Evidence"), list(evidence)] : []),
    ...(byHand.length > 0 ? [element("h3", {}, "To be checked by hand"), listed(byHand)] : []),
  ];
}

const list = (items: HTMLElement[]) => element("ul", { class: "entries" }, ...items);

function entry({ title, state, words, place, details, write }: Entry, to: To): HTMLElement {
  const mark = element("span", { class: `state ${state}` }, WORDS[state]);
  const more = details.map(({ words, help, place }) => {
    const before = words && [withCode(words), " ", to(place), help && element("br")];
    return element("li", {}, ...(before || []), withCode(help ?? ""));
  });
  const lines = write && element("pre", { tabindex: 0 }, printable(write.text));
  return element(
    "li",
    {},
    element("div", {}, mark, element("strong", {}, printable(title)), " ", withCode(words), " ", to(place)),
    write && element("div", { class: "detail" }, `${printable(write.path)}:`, lines),
    more.length > 0 && element("ul", { class: "detail" }, ...more),
  );
}
