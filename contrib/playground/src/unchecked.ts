// Which rules report nothing here, because they need other files or the history of the repository: those whose own example
// the engine does not report with what it knows.
import type { App } from "./app";
import { button, element, found } from "./dom";
import { explain } from "./explain";
import { withCode } from "./markdown";
import { sayTrouble, troubleOf } from "./notes";

/** Lists them when a reader asks, because it takes a moment. */
export function bindUnchecked(app: App): void {
  const details = found<HTMLDetailsElement>("unchecked");
  details.addEventListener("toggle", () => {
    if (details.open) {
      void fill(app, details);
    }
  });
}

/** With other facts, there are others. */
export function forgetUnchecked(): void {
  found<HTMLDetailsElement>("unchecked").open = false;
}

async function fill(app: App, details: HTMLDetailsElement): Promise<void> {
  const box = details.querySelector("div") as HTMLElement;
  box.replaceChildren(element("p", {}, "One moment…"));
  try {
    const rules = app.about?.rules ?? [];
    const answers = await Promise.all(rules.map(({ name }) => app.session.askFree("explain", { rule: name })));
    const silent = rules.filter((_, at) => answers[at]?.hasExample === false);
    const items = silent.map(({ name, summary }) => {
      const press = button(name, () => explain(app, name).catch(sayTrouble), { class: "rule" });
      return element("li", {}, press, ": ", withCode(summary));
    });
    const words =
      "These rules need other files of the repository, its template or its history, and report nothing here:";
    box.replaceChildren(element("p", {}, words), element("ul", {}, ...items));
  } catch (error) {
    box.replaceChildren(element("p", {}, troubleOf(error).message));
  }
}
