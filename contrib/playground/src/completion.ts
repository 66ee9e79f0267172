// What can be written at a place, as the engine knows it.
import type { autocompletion, Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { App } from "./app";
import { element } from "./dom";
import { rendered } from "./markdown";
import type { Pane } from "./pane";

export function completions(app: App, pane: Pane): Parameters<typeof autocompletion>[0] {
  return { override: [(context) => offered(app, pane, context)], icons: false };
}

async function offered(app: App, pane: Pane, context: CompletionContext): Promise<CompletionResult | null> {
  const found = await app.session.ask("complete", { role: pane.role, at: pane.toExact(context.pos) }).catch(() => null);
  if (!found || context.aborted) {
    return null;
  }
  const [from, to] = [pane.toShown(found.from), pane.toShown(found.to)];
  const options = found.items.map((item): Completion => {
    const { label, text, detail, documentation } = item;
    const info =
      documentation && (async () => element("div", { class: "guidance" }, await rendered(app.session, documentation)));
    return { label, apply: text, ...(detail ? { detail } : {}), ...(info ? { info } : {}) };
  });
  // The order is that of the engine, which knows what fits best.
  return { from, to, options, filter: true };
}
