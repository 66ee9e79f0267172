// Steps that change several files, and are undone and done again as one.
import { invertedEffects, isolateHistory, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { type Extension, StateEffect, type TransactionSpec } from "@codemirror/state";
import { EditorView, type ViewUpdate } from "@codemirror/view";
import { say } from "./notes";

/** The number of the step that a change is a part of. */
const partOf = StateEffect.define<number>();

export interface Step {
  /** Its views, with how much could be undone in each after it. */
  depths: Map<EditorView, number>;
  /** What changes besides the texts. */
  besides(direction: "undo" | "redo"): void;
}

const steps = new Map<number, Step>();
let isFollowing = false;

/** Changes several views in one step; `besides` is told when it is undone or done again. */
export function inOneStep(changes: Map<EditorView, TransactionSpec>, besides: Step["besides"] = () => {}): void {
  const number = steps.size + 1;
  const depths = new Map<EditorView, number>();
  steps.set(number, { depths, besides });
  for (const [view, change] of changes) {
    const effects = [change.effects ?? [], partOf.of(number)].flat();
    view.dispatch({ ...change, effects, annotations: isolateHistory.of("full"), userEvent: "step" });
    depths.set(view, undoDepth(view.state));
  }
}

/** What an editor needs to take part. */
export function takingPart(): Extension {
  return [
    invertedEffects.of((it) => it.effects.filter((effect) => effect.is(partOf))),
    EditorView.updateListener.of((update) => follow(update)),
  ];
}

function follow(update: ViewUpdate): void {
  if (isFollowing) {
    return;
  }
  for (const change of update.transactions) {
    const direction = change.isUserEvent("undo") ? "undo" : change.isUserEvent("redo") ? "redo" : null;
    const number = change.effects.find((effect) => effect.is(partOf))?.value as number | undefined;
    if (direction && number !== undefined) {
      isFollowing = true;
      try {
        steps.get(number)?.besides(direction);
        others(update.view, number, direction);
      } finally {
        isFollowing = false;
      }
    }
  }
}

function others(first: EditorView, number: number, direction: "undo" | "redo"): void {
  for (const [view, depth] of steps.get(number)?.depths ?? []) {
    if (view === first) {
      continue;
    }
    if (direction === "undo" && undoDepth(view.state) === depth) {
      undo(view);
    } else if (direction === "redo" && undoDepth(view.state) === depth - 1 && redoDepth(view.state) > 0) {
      redo(view);
    } else {
      say("A part of this step is in another file, which was changed since: undo it there.");
    }
  }
}
