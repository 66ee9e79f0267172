// A form that gives the three files of a new KEP; the KEP moved to its next stage, in one step; and the README brought to the
// template.
import type { App } from "./app";
import type { About } from "./contract";
import { ask, field, open } from "./dialog";
import { element, today } from "./dom";
import { listed } from "./markdown";
import { say } from "./notes";

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
    const { kep, notes } = await app.session.ask("new", {
      number: number.value.trim(),
      title: title.value.trim(),
      sig: sig.value,
      authors: authors.value.split(/[\s,]+/).filter((name) => name !== ""),
      today: today(),
    });
    dialog.close();
    app.load(kep, { stage: null }, false);
    say("Here are the files of the KEP. Undo brings back what was here.", notes.join("\n") || null);
  });
  const offer = ({ groups }: About) => sig.append(...groups.map((group) => element("option", { value: group }, group)));
  app.session.ask("about", {}).then(offer, (error) => dialog.trouble(error));
  number.focus();
}

const GOALS = ["beta", "stable", "implemented"];

export function showPromote(app: App): void {
  const now = app.check?.kep.stage;
  const next = now === "beta" ? "stable" : now === "stable" ? "implemented" : "beta";
  const options = GOALS.map((goal) => element("option", { value: goal, selected: goal === next }, goal));
  const goal = element("select", {}, ...options);
  const skip = element("input", { type: "checkbox" });
  const skipping = element("label", { class: "check" }, skip, " Skip beta");
  const offer = () => {
    skipping.hidden = goal.value !== "stable" || now === "beta";
  };
  goal.addEventListener("change", offer);
  offer();
  const words = "Changes kep.yaml, the PRR file and the README. Undo takes it back.";
  const fields = [element("p", {}, words), field("To", goal), skipping];
  ask("Promote", "Promote", fields, async (dialog) => {
    const { edits, changes, notes } = await app.session.askForEdits("promote", {
      goal: goal.value,
      skipBeta: skip.checked && !skipping.hidden,
      release: app.form.settings().release,
      today: today(),
    });
    dialog.close();
    app.form.set({ ...app.form.settings(), stage: null });
    app.files.edit(edits);
    open(`Promoted to ${goal.value}`, list("Changed", changes), ...(notes.length > 0 ? [list("Notes", notes)] : []));
  });
}

/** Adds the headings that the template has and the README lacks, and says what is left. */
export async function upgrade(app: App): Promise<void> {
  const { stage } = app.form.settings();
  const { edits, notes } = await app.session.askForEdits("upgrade", { stage });
  app.files.edit(edits);
  open("To the template", list(edits.length > 0 ? "Changed: undo takes it back" : "Nothing is changed", notes));
}

function list(title: string, lines: string[]): HTMLElement {
  return element("section", {}, element("h3", {}, title), listed(lines));
}
