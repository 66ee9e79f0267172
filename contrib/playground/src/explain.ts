// A rule: why it is there, with examples.
import type { App } from "./app";
import { open } from "./dialog";
import { button, element } from "./dom";
import { rendered } from "./markdown";
import { say, sayTrouble } from "./notes";

export async function explain(app: App, rule: string): Promise<void> {
  const { markdown, hasExample } = await app.session.askFree("explain", { rule });
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
  const { kep, settings } = await app.session.askFree("example", { rule });
  app.load(kep, settings, true);
  await app.session.settled();
  const isSeen = app.check?.findings.some((finding) => finding.rule === rule);
  const missing = "It is not reported here, because other files of the repository are needed.";
  say(`This is the bad example of \`${rule}\`. Undo brings back what was here.`, isSeen ? null : missing);
}
