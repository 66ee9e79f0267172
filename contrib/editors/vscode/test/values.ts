// The values of the stub of `vscode`: addresses, places, texts, events, and what is drawn from.

import * as path from "node:path";
import { pathToFileURL } from "node:url";

/** An address. */
export class Uri {
  constructor(
    readonly scheme: string,
    readonly authority: string,
    readonly path: string,
    readonly query = "",
    readonly fragment = "",
  ) {}
  static file(file: string) {
    return new Uri("file", "", path.resolve(file));
  }
  static parse(text: string) {
    const { protocol, host, pathname, search, hash } = new URL(text);
    return new Uri(protocol.slice(0, -1), host, decodeURIComponent(pathname), search.slice(1), hash.slice(1));
  }
  static joinPath(uri: Uri, ...parts: string[]) {
    return uri.with({ path: path.posix.join(uri.path, ...parts) });
  }
  with(change: { path?: string }) {
    return new Uri(this.scheme, this.authority, change.path ?? this.path, this.query, this.fragment);
  }
  get fsPath() {
    return this.path;
  }
  toString() {
    return this.scheme === "file" ? pathToFileURL(this.path).href : `${this.scheme}://${this.authority}${this.path}`;
  }
}

export class Disposable {
  constructor(private readonly act: () => void) {}
  dispose() {
    this.act();
  }
}

export class EventEmitter {
  private readonly listeners = new Set<(value: any) => unknown>();
  readonly event = (listener: (value: any) => unknown, self?: unknown, all?: unknown[]) => {
    const bound = self === undefined ? listener : listener.bind(self);
    this.listeners.add(bound);
    const disposable = new Disposable(() => this.listeners.delete(bound));
    all?.push(disposable);
    return disposable;
  };
  fire(value?: unknown) {
    for (const listener of [...this.listeners]) {
      listener(value);
    }
  }
  dispose() {
    this.listeners.clear();
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  /** Two places, or the four numbers of them. */
  constructor(...of: (Position | number)[]) {
    const [a, b, c, d] = of as number[];
    const isNumbers = typeof a === "number";
    this.start = isNumbers ? new Position(a as number, b as number) : (of[0] as Position);
    this.end = isNumbers ? new Position(c as number, d as number) : (of[1] as Position);
  }
}

export class Hover {
  constructor(
    readonly contents: unknown,
    readonly range?: Range,
  ) {}
}

export class Diagnostic {
  source: string | undefined;
  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity: number,
  ) {}
}

export class MarkdownString {
  constructor(public value = "") {}
  appendText(text: string) {
    this.value += text.replace(/[\\`*_{}[\]()#+\-!~<>]/g, "\\$&");
    return this;
  }
  appendMarkdown(text: string) {
    this.value += text;
    return this;
  }
}

export class TextEdit {
  constructor(
    readonly range: Range,
    readonly newText: string,
  ) {}
}

/** What is to be done to files, in order. */
export class WorkspaceEdit {
  readonly steps: { uri: Uri; create?: { contents?: Uint8Array }; edits?: TextEdit[] }[] = [];
  set(uri: Uri, edits: (TextEdit | [TextEdit, unknown])[]) {
    this.steps.push({ uri, edits: edits.map((edit) => (Array.isArray(edit) ? edit[0] : edit)) });
  }
  createFile(uri: Uri, options?: { contents?: Uint8Array }) {
    this.steps.push({ uri, create: options ?? {} });
  }
}

export class CodeActionKind {
  constructor(readonly value: string) {}
  append(part: string) {
    return new CodeActionKind(this.value === "" ? part : `${this.value}.${part}`);
  }
  contains(other: CodeActionKind) {
    return this.value === "" || `${other.value}.`.startsWith(`${this.value}.`);
  }
  static readonly Empty = new CodeActionKind("");
}

export class CancellationTokenSource {
  readonly token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event };
  cancel() {}
  dispose() {}
}

/** A text in the editor. */
export class TextDocument {
  version = 1;
  isClosed = false;
  isDirty = false;
  readonly languageId: string;
  constructor(
    readonly uri: Uri,
    private text: string,
  ) {
    this.languageId = uri.path.endsWith(".md") ? "markdown" : "yaml";
  }
  get fileName() {
    return this.uri.fsPath;
  }
  getText() {
    return this.text;
  }
  offsetAt({ line, character }: Position) {
    const lines = this.text.split("\n").slice(0, line);
    return Math.min(lines.join("\n").length + (line > 0 ? 1 : 0) + character, this.text.length);
  }
  replace(range: Range, text: string) {
    this.text = this.text.slice(0, this.offsetAt(range.start)) + text + this.text.slice(this.offsetAt(range.end));
    this.version++;
    this.isDirty = true;
  }
}

/** A question with given or with free answers, which a test gives. */
export class QuickInput {
  value = "";
  items: any[] = [];
  activeItems: any[] = [];
  selectedItems: any[] = [];
  title = "";
  step = 0;
  private wrong: string | undefined;
  private readonly accepted = new EventEmitter();
  private readonly hidden = new EventEmitter();
  private readonly typed = new EventEmitter();
  private readonly pressed = new EventEmitter();
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;
  readonly onDidChangeValue = this.typed.event;
  readonly onDidTriggerButton = this.pressed.event;
  constructor(
    private readonly answer: (input: QuickInput) => unknown,
    private readonly words: Set<string>,
  ) {}
  get validationMessage() {
    return this.wrong;
  }
  set validationMessage(wrong: string | undefined) {
    this.wrong = wrong;
    this.words.add(wrong ?? "");
  }
  show() {
    for (const word of [this.title, ...this.items.map((item) => item.label)]) {
      this.words.add(word);
    }
    setImmediate(() => this.answer(this));
  }
  dispose() {}
  pick(label: string) {
    this.selectedItems = this.items.filter((item) => item.label === label);
    this.accepted.fire();
  }
  type(value: string) {
    this.value = value;
    this.typed.fire(value);
  }
  accept() {
    this.accepted.fire();
  }
  back() {
    this.pressed.fire();
  }
  leave() {
    this.hidden.fire();
  }
}
