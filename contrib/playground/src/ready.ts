// The checklist of a release: what is met, and what is not.
import type { App } from "./app";
import type { Answer, Entry } from "./contract";
import { open } from "./dialog";
import { button, element, printable } from "./dom";
import { withCode } from "./markdown";
import { sayTrouble } from "./notes";
import { copy } from "./sharing";
import { today } from "./today";

export async function showReady(app: App): Promise<void> {
  try {
    const { stage, release } = app.form.settings();
    const checklist = await app.session.ask("ready", { stage, release, today: today() });
    const dialog = open(printable(checklist.title), ...content(checklist));
    const press = button("Copy as Markdown", () => copy(checklist.markdown, "The checklist is copied."));
    dialog.content.append(element("div", { class: "buttons" }, press));
  } catch (error) {
    sayTrouble(error);
  }
}

function content({ isReady, entries, stage, release }: Answer<"ready">): HTMLElement[] {
  const target = [stage && `for ${stage}`, release && `in ${release}`].filter(Boolean).join(" ");
  const verdict = isReady ? "Ready" : "Not ready";
  return [
    element("p", {}, element("strong", { class: isReady ? "state met" : "state not-met" }, verdict), printable(target)),
    element("ul", { class: "entries" }, ...entries.map(entry)),
  ];
}

function entry({ words, state, detail, sections }: Entry): HTMLElement {
  const it = element(
    "li",
    {},
    element("span", { class: `state ${/^[a-z-]+$/.test(state) ? state : ""}` }, state.replaceAll("-", " ")),
  );
  it.append(withCode(words));
  if (detail) {
    const more = element("div", { class: "detail" });
    more.append(withCode(detail));
    it.append(more);
  }
  if (sections && sections.length > 0) {
    it.append(element("ul", { class: "detail" }, ...sections.map((section) => element("li", {}, printable(section)))));
  }
  return it;
}
