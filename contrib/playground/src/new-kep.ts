// A form that gives the three files of a new KEP.
import type { App } from "./app";
import type { About } from "./contract";
import { ask, field } from "./dialog";
import { element } from "./dom";
import { say } from "./notes";
import { today } from "./today";

export function showNew(app: App): void {
  const number = element("input", { inputmode: "numeric", pattern: "[0-9]{1,7}", required: true, autocomplete: "off" });
  const title = element("input", { required: true, maxlength: 200, autocomplete: "off" });
  const sig = element("select", { required: true }, element("option", { value: "" }, "choose…"));
  const authors = element("input", { placeholder: "@octocat, @hubot", autocomplete: "off" });
  const fields = [
    field("Number of the issue in kubernetes/enhancements", number),
    field("Title", title),
    field("Owning SIG", sig),
    field("Authors (GitHub handles)", authors),
  ];
  const { dialog } = ask("New KEP", "Make the files", fields, async (dialog) => {
    const names = authors.value.split(/[\s,]+/).filter((name) => name !== "");
    const asked = {
      number: number.value.trim(),
      title: title.value.trim(),
      sig: sig.value,
      authors: names,
      today: today(),
    };
    const { kep, notes } = await app.session.askFree("new", asked);
    dialog.close();
    app.load(kep, { stage: null }, false);
    say("Here are the files of the KEP. Undo brings back what was here.", notes.join("\n") || null);
  });
  const offer = ({ groups }: About) => sig.append(...groups.map((group) => element("option", { value: group }, group)));
  app.session.askFree("about", {}).then(offer, (error) => dialog.trouble(error));
  number.focus();
}
