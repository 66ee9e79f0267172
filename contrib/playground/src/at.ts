// What is known of a place in a text, in a tooltip at the mouse or in a dialog for the keyboard; and what can be written there.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { App } from "./app";
import { open } from "./dialog";
import { element } from "./dom";
import { rendered } from "./markdown";
import { announce } from "./notes";
import type { Pane } from "./pane";

export async function guidance(app: App, pane: Pane, at: number) {
  // Nothing is known of a text that cannot be checked, and the list of findings says why.
  const known = await app.session.ask("hover", { path: pane.path, at: pane.toExact(at) }).catch(() => null);
  const content = known && (await rendered(app.session, known.markdown));
  return content && { from: pane.toShown(known.start.offset), to: pane.toShown(known.end.offset), content };
}

export async function showGuidance(app: App, pane: Pane): Promise<void> {
  const found = await guidance(app, pane, pane.view.state.selection.main.head);
  if (found) {
    open("Guidance", found.content);
  } else {
    announce("There is no guidance for this place.");
  }
}

export async function completions(app: App, pane: Pane, context: CompletionContext): Promise<CompletionResult | null> {
  const found = await app.session.ask("complete", { path: pane.path, at: pane.toExact(context.pos) }).catch(() => null);
  if (!found || context.aborted) {
    return null;
  }
  const [from, to] = [pane.toShown(found.start.offset), pane.toShown(found.end.offset)];
  const options = found.items.map((item): Completion => {
    const { label, text, detail, documentation } = item;
    const info =
      documentation && (async () => element("div", { class: "guidance" }, await rendered(app.session, documentation)));
    return { label, apply: text, ...(detail ? { detail } : {}), ...(info ? { info } : {}) };
  });
  // The order is that of the engine, which knows what fits best.
  return { from, to, options, filter: true };
}
