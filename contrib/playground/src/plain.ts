// What would take too long to draw is plain, and a line above the text says so: paragraphs with very many marks have no colors,
// and texts that are nested very deeply or hide very many characters, and very long YAML, have no signs either.
import { EditorState, type Extension, StateEffect, StateField, type Text, type Transaction } from "@codemirror/state";
import { EditorView, type Panel, showPanel } from "@codemirror/view";
import type { MarkdownConfig } from "@lezer/markdown";
import { element } from "./dom";

/** The most marks of a paragraph that has colors: each is compared with those before it. */
const MARKS = 1_000;
const MARK = /[[\]`*_~<&\\!]/g;
/** The length at which a paragraph is drawn as two, so that a key draws only a part of it. */
const PART = 20_000;
/** The most hidden characters of a line that have a sign. */
const SIGNS = 200;
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffc]/gu;
/** Quotations and lists in each other, which the editor colors each by a call of its own; and signs above each other. */
const DEEP = /(?:[>*+-][ \t]?){100}|(?:[[{][ \t]?){100}|\p{M}{100}/u;
/** The longest YAML that is drawn: a quotation in it is read as one. */
const YAML = 200_000;
/** How long nothing must be written before the whole text is looked at, in milliseconds. */
const PAUSE = 500;

/** How much of a text is plain. */
type Plain = "nothing" | "part" | "all";

const count = (text: string, of: RegExp) => text.match(of)?.length ?? 0;
/** Whether a part of a paragraph is plain. One that is longer than its bound has a long line. */
const isPlain = (length: number, marks: number) => length > 2 * PART || marks > MARKS;
const isDense = (text: string) => text.length > MARKS && isPlain(text.length, count(text, MARK));

/** Whether a text has a part that is plain. */
function hasDense(text: string): boolean {
  let [length, marks] = [0, 0];
  for (const line of text.split("\n")) {
    if (line.trim() === "" || length > PART) {
      [length, marks] = [0, 0];
    }
    length += line.length + 1;
    marks += count(line, MARK);
    if (isPlain(length, marks)) {
      return true;
    }
  }
  return false;
}

/** Markdown in which paragraphs with very many marks are plain. */
export const plainParagraphs: MarkdownConfig = {
  parseBlock: [{ name: "LongParagraph", endLeaf: (_, __, leaf) => leaf.content.length > PART }],
  parseInline: [
    {
      name: "DenseParagraph",
      before: "Escape",
      parse: (block, _, at) => (at === block.offset && isDense(block.text) ? block.end : -1),
    },
  ],
};

const setPlain = StateEffect.define<Plain>();
const plain = StateField.define<Plain>({
  create: () => "nothing",
  update: (value, change) => change.effects.findLast((effect) => effect.is(setPlain))?.value ?? value,
  provide: (field) => showPanel.from(field, (value) => (value === "nothing" ? null : () => panel(value))),
});

function panel(value: Plain): Panel {
  const what = value === "all" ? "This text" : "A paragraph of this text";
  const words = `${what} would take too long to draw, and is shown without colors${value === "all" ? ", signs and wrapped lines" : ""}.`;
  return { dom: element("div", { class: "plain", role: "status" }, words), top: true };
}

/** Whether lines cannot be drawn in time. */
function isHeavy(lines: string): boolean {
  return DEEP.test(lines) || lines.split("\n").some((line) => count(line, HIDDEN) > SIGNS);
}

function changed(change: Transaction): string {
  const doc: Text = change.newDoc;
  const parts: string[] = [];
  change.changes.iterChangedRanges((_from, _to, from, to) => {
    parts.push(doc.sliceString(doc.lineAt(from).from, doc.lineAt(to).to));
  });
  return parts.join("\n");
}

/** Says whether a paragraph is plain, once nothing is written for a while. */
export function paragraphs(): Extension {
  let timer = 0;
  const look = (view: EditorView) => {
    const before = view.state.field(plain);
    const now = before === "all" ? before : hasDense(view.state.doc.toString()) ? "part" : "nothing";
    if (now !== before) {
      view.dispatch({ effects: setPlain.of(now) });
    }
  };
  return EditorView.updateListener.of(({ docChanged, view }) => {
    if (docChanged) {
      clearTimeout(timer);
      timer = window.setTimeout(look, PAUSE, view);
    }
  });
}

/** What draws a text, or does not: `drawn` says what changes then. */
export function plainly(isYaml: boolean, drawn: (isPlain: boolean) => StateEffect<unknown>): Extension {
  return [
    plain,
    EditorState.transactionExtender.of((change) => {
      if (!change.docChanged) {
        return null;
      }
      const wasHeavy = change.startState.field(plain) === "all";
      const isLong = isYaml && change.newDoc.length > YAML;
      const isNow = isLong || isHeavy(wasHeavy ? change.newDoc.toString() : changed(change));
      return isNow === wasHeavy ? null : { effects: [drawn(isNow), setPlain.of(isNow ? "all" : "nothing")] };
    }),
  ];
}
