// One file in an editor. Its text is exact: line ends and a byte order mark are those of the file that was opened.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, invertedEffects } from "@codemirror/commands";
import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { yaml } from "@codemirror/lang-yaml";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import {
  Compartment,
  EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Text,
  type Transaction,
  type TransactionSpec,
} from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import type { App } from "./app";
import { completions, guidance } from "./at";
import type { Edit, Finding, Place, Role } from "./contract";
import { element } from "./dom";
import { bindings } from "./keys";
import { exact, placesOf, shown, toExact } from "./lines";
import { paragraphs, plainly, plainParagraphs } from "./plain";
import { takingPart } from "./steps";
import { look } from "./style";

const setCrlf = StateEffect.define<boolean>();
const hasCrlf = StateField.define<boolean>({
  create: () => false,
  update: (value, change) => change.effects.findLast((effect) => effect.is(setCrlf))?.value ?? value,
});
const undoneCrlf = invertedEffects.of((change) => {
  const before = change.startState.field(hasCrlf);
  return change.state.field(hasCrlf) === before ? [] : [setCrlf.of(before)];
});

/** Colors, signs and lines that go on below, which a text that would take too long has not. */
const drawing = new Compartment();

export class Pane {
  readonly view: EditorView;
  readonly host = element("div", { class: "editor" });
  /** The text that was opened or saved last, to know whether there is work to lose. */
  saved = "";
  /** Where its file is in the repository, as the last check says. */
  path = "";
  private known: { doc: Text; places: Uint32Array } | null = null;
  /** Whether its file is none of the KEP that is open. */
  isClosed = false;

  constructor(
    readonly role: Role,
    readonly name: string,
    hint: string,
    app: App,
  ) {
    const root = this.host.attachShadow({ mode: "open" });
    const isYaml = /\.ya?ml$/.test(name);
    const colored = isYaml
      ? yaml()
      : markdown({
          base: markdownLanguage,
          completeHTMLTags: false,
          extensions: plainParagraphs,
          pasteURLAsLink: false,
        });
    const drawn: Extension = [colored, highlightSpecialChars(), EditorView.lineWrapping];
    const extensions: Extension[] = [
      EditorState.lineSeparator.of("\n"),
      hasCrlf,
      undoneCrlf,
      takingPart(),
      history({ minDepth: 1000 }),
      lineNumbers(),
      lintGutter(),
      drawSelection(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      search({ top: true }),
      placeholder(hint),
      drawing.of(drawn),
      isYaml ? [] : paragraphs(),
      plainly(isYaml, (isPlain) => drawing.reconfigure(isPlain ? [] : drawn)),
      autocompletion({ override: [(context) => completions(app, this, context)], icons: false }),
      hoverTooltip(async (_, at) => {
        const found = await guidance(app, this, at);
        return (
          found && {
            pos: found.from,
            end: found.to,
            create: () => ({ dom: element("div", { class: "guidance" }, found.content) }),
          }
        );
      }),
      keymap.of([...bindings(app), ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap]),
      // What is pasted has the line ends of the program that it was copied from, which are not those of a file.
      EditorView.clipboardInputFilter.of((text) => text.replaceAll("\r\n", "\n")),
      EditorView.contentAttributes.of({
        tabindex: "0",
        "aria-label": name,
        spellcheck: "false",
        autocorrect: "off",
        autocapitalize: "off",
      }),
      look,
    ];
    this.view = new EditorView({
      state: EditorState.create({ extensions }),
      parent: root,
      root,
      dispatchTransactions: (changes, view) => {
        this.update(changes, view);
        if (changes.some(({ docChanged }) => docChanged)) {
          app.changed();
        }
      },
    });
  }

  /** A hidden editor would draw all of its text: it is in sight for that moment. What cannot be drawn is drawn anew. */
  private update(changes: readonly Transaction[], view: EditorView): void {
    const style = this.host.parentElement?.style;
    const isHidden = style?.display === "none" && changes.some(({ docChanged }) => docChanged);
    if (isHidden) {
      style.display = "";
      view.requestMeasure();
      view.coordsAtPos(0);
    }
    try {
      view.update(changes);
    } catch {
      view.setState(view.state);
    }
    if (isHidden) {
      style.display = "none";
    }
  }

  /** The exact text; empty for a file that is not there. */
  get text(): string {
    return exact(this.view.state.doc.toString(), this.isCrlf);
  }

  get isEmpty(): boolean {
    return this.view.state.doc.length === 0;
  }

  private get isCrlf(): boolean {
    return this.view.state.field(hasCrlf);
  }

  /** The change that makes `text` its text, which can be undone. */
  replacement(text: string): TransactionSpec {
    const { text: insert, isCrlf } = shown(text);
    return {
      changes: { from: 0, to: this.view.state.doc.length, insert },
      selection: { anchor: 0 },
      effects: [setCrlf.of(isCrlf), EditorView.scrollIntoView(0)],
    };
  }

  /** The change of edits in the exact text. */
  editing(edits: Edit[]): TransactionSpec {
    const changes = edits.map(({ start, end, text }) => ({
      from: this.toShown(start.offset),
      to: this.toShown(end.offset),
      insert: this.isCrlf ? text.replaceAll("\r\n", "\n") : text,
    }));
    // A file that is written by an edit has the line ends of the edit.
    const isNew = this.isEmpty && edits.length === 1;
    return isNew ? this.replacement(edits[0]?.text ?? "") : { changes };
  }

  toShown(at: number): number {
    const { doc } = this.view.state;
    if (this.known?.doc !== doc) {
      this.known = { doc, places: placesOf(doc, this.isCrlf) };
    }
    return this.known.places[at] ?? doc.length;
  }

  toExact(at: number): number {
    return toExact(this.view.state.doc, this.isCrlf, at);
  }

  /** Marks findings in the text. */
  mark(findings: Finding[], diagnostic: (finding: Finding) => Omit<Diagnostic, "from" | "to">): void {
    const marks = findings.map((finding) => {
      const from = this.toShown(finding.start.offset);
      return { from, to: Math.max(from, this.toShown(finding.end.offset)), ...diagnostic(finding) };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  /** Shows a part of the exact text, with the cursor at its start. */
  show({ start, end }: Place): void {
    const [anchor, head] = [this.toShown(start.offset), this.toShown(end.offset)];
    // A long part is not selected: the next key would replace it.
    const isShort = this.view.state.doc.lineAt(anchor).to >= head;
    this.view.dispatch({
      selection: { anchor, head: isShort ? head : anchor },
      effects: EditorView.scrollIntoView(anchor, { y: "center" }),
    });
    this.view.focus();
  }
}
