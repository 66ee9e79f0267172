// What is known of a place in a text: in a tooltip at the mouse, and in a dialog for the keyboard.
import type { App } from "./app";
import { open } from "./dialog";
import { rendered } from "./markdown";
import { announce } from "./notes";
import type { Pane } from "./pane";

export async function guidance(
  app: App,
  pane: Pane,
  at: number,
): Promise<{ from: number; to: number; content: Node } | null> {
  try {
    const known = await app.session.ask("hover", { role: pane.role, at: pane.toExact(at) });
    if (!known) {
      return null;
    }
    const content = await rendered(app.session, known.markdown);
    return { from: pane.toShown(known.from), to: pane.toShown(known.to), content };
  } catch {
    // Nothing is known of a text that cannot be checked, and the list of findings says why.
    return null;
  }
}

export async function showGuidance(app: App, pane: Pane): Promise<void> {
  const found = await guidance(app, pane, pane.view.state.selection.main.head);
  if (found) {
    open("Guidance", found.content);
  } else {
    announce("There is no guidance for this place.");
  }
}
