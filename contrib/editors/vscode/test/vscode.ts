// A stub of the module `vscode`: as much of it as the extension and vscode-languageclient use, with real files, and with
// what tests ask about. It is not VS Code: what is drawn, and how, is not tested with it.

import * as fs from "node:fs";
import * as path from "node:path";
import {
  CancellationTokenSource,
  CodeActionKind,
  Diagnostic,
  Disposable,
  EventEmitter,
  Hover,
  MarkdownString,
  Position,
  QuickInput,
  Range,
  TextDocument,
  TextEdit,
  Uri,
  WorkspaceEdit,
} from "./values";

export * from "./values";

/** How a window is opened. */
export interface Options {
  folder: string;
  isTrusted?: boolean;
  /** What the extension declares of settings. */
  declared?: Record<string, { default?: unknown }>;
  /** The settings of the user. */
  user?: Record<string, unknown>;
  /** Those of the workspace, of which any counts here: VS Code leaves some out. */
  workspace?: Record<string, unknown>;
}

/** A window, as the extension sees it and as a test does. */
export class Window {
  readonly commands = new Map<string, (...words: any[]) => any>();
  readonly ran: any[][] = [];
  readonly contexts = new Map<string, unknown>();
  /** What was shown to the user, as `error: …`. */
  readonly messages: string[] = [];
  /** All words that were shown: of messages, lists, forms, panels and the status bar. */
  readonly words = new Set<string>();
  /** What the user presses below a message, or picks of a list; nothing leaves it. */
  choose: (items: any[], options?: any) => unknown = () => undefined;
  /** What the user does with a form. */
  fill: (input: QuickInput) => unknown = (input) => input.leave();
  /** Whether files can be changed. */
  takesEdits = true;
  readonly panels: any[] = [];
  readonly log: string[] = [];
  readonly providers = new Map<string, any>();
  readonly documents: TextDocument[] = [];
  readonly diagnostics = new Map<string, [Uri, Diagnostic[]]>();
  status: any;
  /** All that the status bar has shown. */
  readonly texts: string[] = [];
  readonly module: any;
  private active: { document: TextDocument } | undefined;
  private readonly events = new Map<string, EventEmitter>();

  constructor(readonly options: Options) {
    options.user ??= {};
    options.workspace ??= {};
    this.module = this.make();
  }

  /** Opens a file, and makes it the active one. */
  open(file: string): TextDocument {
    const uri = Uri.file(path.resolve(this.options.folder, file));
    let document = this.documents.find((document) => document.uri.path === uri.path);
    if (document === undefined) {
      document = new TextDocument(uri, fs.readFileSync(uri.path, "utf8"));
      this.documents.push(document);
      this.event("onDidOpenTextDocument").fire(document);
    }
    this.active = { document };
    this.event("onDidChangeActiveTextEditor").fire(this.active);
    return document;
  }

  /** Closes a document. */
  close(document: TextDocument): void {
    this.documents.splice(this.documents.indexOf(document), 1);
    document.isClosed = true;
    this.event("onDidCloseTextDocument").fire(document);
  }

  /** Replaces the first occurrence of a text. */
  type(document: TextDocument, old: string, text: string): void {
    const at = document.getText().indexOf(old);
    const place = (offset: number) => {
      const lines = document.getText().slice(0, offset).split("\n");
      return new Position(lines.length - 1, (lines.at(-1) as string).length);
    };
    this.edit(document, new Range(place(at), place(at + old.length)), text);
  }

  /** Sets a setting of the user. */
  set(name: string, value: unknown): void {
    (this.options.user as any)[name] = value;
    const affectsConfiguration = (section: string) => name === section || name.startsWith(`${section}.`);
    this.event("onDidChangeConfiguration").fire({ affectsConfiguration });
  }

  /** The user trusts the folder. */
  trust(): void {
    this.options.isTrusted = true;
    this.event("onDidGrantWorkspaceTrust").fire();
  }

  /** The findings of a file, as `line: message`. */
  findings(file: string): string[] {
    const [, all] = this.diagnostics.get(Uri.file(path.resolve(this.options.folder, file)).toString()) ?? [null, []];
    return all.map(({ range, message }) => `${range.start.line + 1}: ${message}`);
  }

  event(name: string): EventEmitter {
    const event = this.events.get(name) ?? new EventEmitter();
    this.events.set(name, event);
    return event;
  }

  /** Remembers words that are shown, also those of items. */
  saw(...shown: unknown[]): void {
    for (const it of shown) {
      if (typeof it === "string") {
        this.words.add(it);
      } else if (typeof it === "object" && it !== null) {
        this.saw(...Object.values(it));
      }
    }
  }

  private edit(document: TextDocument, range: Range, text: string): void {
    const change = { range, text, rangeOffset: document.offsetAt(range.start), rangeLength: 0 };
    document.replace(range, text);
    this.event("onDidChangeTextDocument").fire({ document, contentChanges: [change] });
  }

  private apply(edit: WorkspaceEdit): boolean {
    for (const { uri, create, edits } of edit.steps) {
      if (create) {
        fs.mkdirSync(path.dirname(uri.path), { recursive: true });
        fs.writeFileSync(uri.path, create.contents ?? "", { flag: "wx" });
      }
      if (edits) {
        const active = this.active;
        const document = this.open(uri.path);
        this.active = active;
        const last = (one: TextEdit, other: TextEdit) =>
          document.offsetAt(other.range.start) - document.offsetAt(one.range.start);
        for (const { range, newText } of [...edits].sort(last)) {
          this.edit(document, range, newText);
        }
      }
    }
    return true;
  }

  private make(): any {
    const window = this;
    const { options } = this;
    const folders = [{ uri: Uri.file(options.folder), name: path.basename(options.folder), index: 0 }];
    const show =
      (kind: string) =>
      async (text: string, ...rest: any[]) => {
        window.messages.push(`${kind}: ${text}`);
        window.saw(text, ...rest);
        return window.choose(rest.filter((item) => typeof item === "string" || item?.title !== undefined));
      };
    const register = (kind: string) => (selector: unknown, provider: unknown) => {
      window.providers.set(kind, { selector, ...(provider as object), provider });
      return new Disposable(() => window.providers.delete(kind));
    };
    const line = (text: string) => void window.log.push(text);
    const channel = { info: line, warn: line, error: line, debug: line, trace: line, append: line, appendLine: line };
    const nothing = () => new Disposable(() => {});

    const own: any = {
      // So that no importer copies the names that it has.
      __esModule: true,
      Uri,
      Disposable,
      EventEmitter,
      Position,
      Range,
      Diagnostic,
      Hover,
      MarkdownString,
      TextEdit,
      WorkspaceEdit,
      CodeActionKind,
      CancellationTokenSource,
      CancellationError: class extends Error {},
      ThemeColor: class {},
      DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
      FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 },
      ColorThemeKind: { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 },
      StatusBarAlignment: { Left: 1, Right: 2 },
      ViewColumn: { Beside: -2 },
      QuickInputButtons: { Back: "back" },
      version: "1.91.0",
      env: { language: "en", appName: "stub", openExternal: async (uri: Uri) => window.ran.push(["open", uri]) },
      commands: {
        registerCommand(name: string, act: (...words: any[]) => unknown) {
          if (window.commands.has(name)) {
            throw new Error(`command ${name} is there already`);
          }
          window.commands.set(name, act);
          return new Disposable(() => window.commands.delete(name));
        },
        async executeCommand(name: string, ...words: any[]) {
          if (name === "setContext") {
            window.contexts.set(words[0], words[1]);
            return undefined;
          }
          window.ran.push([name, ...words]);
          return await window.commands.get(name)?.(...words);
        },
      },
      languages: {
        match: (selector: any, document: TextDocument) =>
          [selector].flat().some((filter: any) => matches(filter, document.uri)) ? 10 : 0,
        getDiagnostics: () => [...window.diagnostics.values()],
        createDiagnosticCollection() {
          const set = (uri: Uri, all: Diagnostic[] | undefined) => {
            if (all?.length) {
              window.diagnostics.set(uri.toString(), [uri, all]);
            } else {
              window.diagnostics.delete(uri.toString());
            }
            window.event("onDidChangeDiagnostics").fire({ uris: [uri] });
          };
          const clear = () => {
            window.diagnostics.clear();
            window.event("onDidChangeDiagnostics").fire({ uris: [] });
          };
          return { set, delete: (uri: Uri) => set(uri, undefined), clear, dispose: clear };
        },
      },
      window: {
        get activeTextEditor() {
          return window.active;
        },
        get visibleTextEditors() {
          return window.active === undefined ? [] : [window.active];
        },
        activeColorTheme: { kind: 1 },
        tabGroups: { all: [], onDidChangeTabs: nothing, onDidChangeTabGroups: nothing },
        createOutputChannel: () => ({ ...channel, show() {}, dispose() {}, onDidChangeLogLevel: nothing, logLevel: 3 }),
        createStatusBarItem() {
          const { texts } = window;
          window.status = {
            isShown: false,
            dispose() {},
            get text() {
              return texts.at(-1) ?? "";
            },
            set text(text: string) {
              texts.push(text);
              window.saw(text);
            },
            set tooltip(text: string) {
              window.saw(text.split("\n"));
              this.lines = text;
            },
            get tooltip() {
              return this.lines;
            },
          };
          window.status.show = () => Object.assign(window.status, { isShown: true });
          window.status.hide = () => Object.assign(window.status, { isShown: false });
          return window.status;
        },
        createWebviewPanel(_view: string, title: string, _column: unknown, options: unknown) {
          const panel = { title, options, webview: { html: "" }, reveal() {}, onDidDispose: nothing };
          window.saw(title);
          window.panels.push(panel);
          return panel;
        },
        createQuickPick: () => new QuickInput((input) => window.fill(input), window.words),
        createInputBox: () => new QuickInput((input) => window.fill(input), window.words),
        async showQuickPick(items: any[], options: any) {
          window.saw(items, options);
          return window.choose(items, options);
        },
        showTextDocument: async (uri: Uri) => window.open(uri.path),
        showErrorMessage: show("error"),
        showWarningMessage: show("warning"),
        showInformationMessage: show("information"),
      },
      workspace: {
        get isTrusted() {
          return options.isTrusted ?? true;
        },
        workspaceFolders: folders,
        notebookDocuments: [],
        get textDocuments() {
          return window.documents;
        },
        getWorkspaceFolder: () => folders[0],
        getConfiguration: (section?: string) => configuration(options, section),
        async applyEdit(edit: WorkspaceEdit) {
          await new Promise((done) => setTimeout(done, 200));
          return window.takesEdits && window.apply(edit);
        },
        fs: {
          stat: async (uri: Uri) => fs.promises.stat(uri.path),
          readFile: async (uri: Uri) => fs.promises.readFile(uri.path),
          async readDirectory(uri: Uri) {
            const entries = await fs.promises.readdir(uri.path, { withFileTypes: true });
            return entries.map((entry) => [entry.name, entry.isDirectory() ? 2 : 1]);
          },
        },
      },
    };
    return besides(own, () => class {}, {
      languages: (name) => (name.startsWith("register") ? register(name) : window.event(name).event),
      window: (name) => window.event(name).event,
      workspace: (name) => window.event(name).event,
    });
  }
}

/** The module, where a name that it does not have is a class, and one of a namespace an event. */
function besides(own: any, named: (name: string) => any, spaces: Record<string, (name: string) => any>): any {
  const made = new Map<string, any>();
  const with_ = (target: any, prefix: string, make: (name: string) => any) =>
    new Proxy(target, {
      get(target, name) {
        if (typeof name !== "string" || name in target) {
          return target[name];
        }
        const key = `${prefix}.${name}`;
        if (!made.has(key)) {
          made.set(key, make(name));
        }
        return made.get(key);
      },
    });
  const inner = Object.entries(spaces).map(([name, make]) => [name, with_(own[name], name, make)]);
  const module = with_({ ...own, ...Object.fromEntries(inner) }, "", (name) =>
    /^[A-Z]/.test(name) ? named(name) : undefined,
  );
  return module;
}

/** The settings of a section, with where they come from. */
function configuration({ declared, user, workspace }: Options, section?: string): any {
  const key = (name: string) => (section === undefined ? name : `${section}.${name}`);
  return {
    get: (name: string, other?: unknown) =>
      workspace?.[key(name)] ?? user?.[key(name)] ?? declared?.[key(name)]?.default ?? other,
    inspect: (name: string) => ({ globalValue: user?.[key(name)], workspaceValue: workspace?.[key(name)] }),
  };
}

/** Whether a filter of a selector fits. */
function matches(filter: any, uri: Uri): boolean {
  const escaped = String(filter.pattern ?? "**").replace(/[.+^${}()|[\]\\]/g, "\\$&");
  const pattern = escaped.replace(/\*\*\/|\*\*|\*/g, (stars) => ({ "**/": "(?:.*/)?", "**": ".*" })[stars] ?? "[^/]*");
  return (filter.scheme ?? uri.scheme) === uri.scheme && new RegExp(`^${pattern}$`).test(uri.path.slice(1));
}
