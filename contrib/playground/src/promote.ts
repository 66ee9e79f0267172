// Moves the KEP to its next stage: kep.yaml, the PRR file and the README in one step; or only the README to the template.
import type { App } from "./app";
import { ask, field, open } from "./dialog";
import { element } from "./dom";
import { listed, withCode } from "./markdown";
import { today } from "./today";

const GOALS = ["beta", "stable", "implemented"];

export function showPromote(app: App): void {
  // The stage that is checked may be another one.
  const now = /^stage:\s*["']?(\w+)/m.exec(app.files.pane("metadata").text)?.[1];
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
  const words = withCode(
    "Changes kep.yaml, the PRR file and the README, as `kep-lint promote` does. Undo takes it back.",
  );
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
