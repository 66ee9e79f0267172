// Why a rule is there, with examples; and which rules report nothing here.
import type { App } from "./app";
import { open } from "./dialog";
import { button, element, found } from "./dom";
import { rendered, withCode } from "./markdown";
import { say, sayTrouble, troubleOf } from "./notes";

export async function explain(app: App, rule: string): Promise<void> {
  const { markdown, hasExample } = await app.session.ask("explain", { rule });
  // Which severity a rule has in which phase is for those who configure it.
  const text = markdown.replace(/^#\s+.*\n/, "").replace(/^- Severity: .*\n/m, "");
  const dialog = open(rule, await rendered(app.session, text, 2));
  if (hasExample) {
    const words = "Open the bad example in place of your KEP";
    const press = button(words, () => {
      dialog.close();
      tryRule(app, rule).catch(sayTrouble);
    });
    dialog.content.append(element("div", { class: "buttons" }, press));
  }
}

/** Opens the example of a rule, so that its finding is seen. */
export async function tryRule(app: App, rule: string): Promise<void> {
  const { kep, settings } = await app.session.ask("example", { rule });
  app.load(kep, settings, true);
  say(`This is the bad example of \`${rule}\`. Undo brings back what was here.`);
}

/** Lists those that report nothing here when a reader asks, because it takes a moment. */
export function bindUnchecked(app: App): void {
  const details = found<HTMLDetailsElement>("unchecked");
  const box = details.querySelector("div") as HTMLElement;
  details.addEventListener("toggle", async () => {
    if (!details.open) {
      return;
    }
    box.replaceChildren(element("p", {}, "One moment…"));
    try {
      const unchecked = await app.session.ask("unchecked", {});
      const items = unchecked.map(({ name, summary }) => {
        const press = button(name, () => explain(app, name).catch(sayTrouble), { class: "rule" });
        return element("li", {}, press, ": ", withCode(summary));
      });
      const words =
        "These rules need other files of the repository, its template or its history, and report nothing here:";
      box.replaceChildren(element("p", {}, words), element("ul", {}, ...items));
    } catch (error) {
      box.replaceChildren(element("p", {}, troubleOf(error).message));
    }
  });
}
