// The files of the KEP in their editors: as tabs, or side by side on a wide screen.
import type { TransactionSpec } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { App } from "./app";
import type { Check, Edit, Kep, Role } from "./contract";
import { element, found, nameOf, printable } from "./dom";
import { Pane } from "./pane";
import { inOneStep, type Step } from "./steps";

const FIXED: [Role, string, string][] = [
  ["readme", "README.md", "Paste the README of a KEP here, or drop its files anywhere on this page."],
  ["metadata", "kep.yaml", "Paste kep.yaml here. Without it, the KEP is checked as far as the README goes."],
  ["review", "PRR file", "Paste the production readiness review here: keps/prod-readiness/SIG/NUMBER.yaml."],
];

export class Files {
  private readonly panes = new Map<Role, Pane>();
  private active: Role = "readme";
  /** The folder that the KEP was opened from. */
  directory: string | null = null;

  constructor(private readonly app: App) {
    for (const [role, name, hint] of FIXED) {
      this.add(role, name, hint);
    }
    this.show("readme", false);
    found("tabs").addEventListener("keydown", (event) => this.step(event));
  }

  get current(): Pane {
    return this.pane(this.active);
  }

  get isEmpty(): boolean {
    return this.all().every((pane) => pane.isEmpty);
  }

  /** Whether something was written since it was opened or downloaded. */
  get isUnsaved(): boolean {
    return this.all().some(isUnsaved);
  }

  all(): Pane[] {
    return [...this.panes.values()];
  }

  has(role: Role): boolean {
    return this.panes.has(role);
  }

  pane(role: Role): Pane {
    return this.panes.get(role) ?? (this.panes.get("readme") as Pane);
  }

  /** The file at this path. */
  at(path: string): Pane | undefined {
    return this.all().find((pane) => pane.path === path);
  }

  kep(): Kep {
    // What is no letter has no place in JSON; the replacement has the same length.
    const text = (role: Role) => this.pane(role).text.toWellFormed() || null;
    const others = this.all().filter((pane) => !isFixed(pane.role) && !pane.isEmpty);
    return {
      directory: this.directory,
      readme: text("readme"),
      metadata: text("metadata"),
      review: text("review"),
      others: Object.fromEntries(others.map(({ role, text }) => [role, text.toWellFormed()])),
    };
  }

  /** Puts other files in the place of these, in one step that can be undone; `besides` is told when it is, or done again. */
  load(kep: Kep, isSaved: boolean, besides: Step["besides"]): void {
    const before = this.directory;
    // What is undone by hand only is still work that would be lost.
    const isKept = isSaved && !this.isUnsaved;
    this.directory = kep.directory;
    const texts = new Map<Role, string>(Object.entries(kep.others));
    for (const role of ["readme", "metadata", "review"] as const) {
      texts.set(role, kep[role] ?? "");
    }
    for (const pane of this.all()) {
      pane.isClosed = !texts.has(pane.role);
      texts.set(pane.role, texts.get(pane.role) ?? "");
    }
    this.put(texts, isKept, (direction) => {
      this.directory = direction === "undo" ? before : kep.directory;
      besides(direction);
    });
    const first = FIXED.find(([role]) => texts.get(role)) ?? FIXED[0];
    this.choose(first?.[0] ?? "readme");
  }

  /** Puts texts in place of those of some files, in one step that can be undone in each of them. */
  put(texts: Map<Role, string>, isSaved: boolean, besides?: Step["besides"]): void {
    const changes = new Map<EditorView, TransactionSpec>();
    const isKept = isSaved && ![...texts.keys()].some((role) => this.has(role) && isUnsaved(this.pane(role)));
    for (const [role, text] of texts) {
      this.add(role, nameOf(role), "");
      const pane = this.pane(role);
      changes.set(pane.view, pane.text === text ? {} : pane.replacement(text));
      if (isKept) {
        pane.saved = text;
      }
    }
    inOneStep(changes, besides);
  }

  /** Writes a text at the cursor, with the cursor after so much of it. */
  write(text: string, cursor: number, isFocused: boolean): void {
    const { view } = this.current;
    const insert = text.replaceAll("\r\n", "\n");
    if (insert !== "") {
      const { from, to } = view.state.selection.main;
      view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + Math.min(cursor, insert.length) } });
    }
    if (isFocused) {
      view.focus();
    }
  }

  /** Applies edits in one step. */
  edit(edits: Edit[]): void {
    const changes = new Map<EditorView, TransactionSpec>();
    const changed = this.all().filter((pane) => edits.some(({ path }) => path === pane.path));
    for (const pane of changed) {
      changes.set(pane.view, pane.editing(edits.filter(({ path }) => path === pane.path)));
    }
    inOneStep(changes);
    // What can be undone is in sight.
    const [first] = changed;
    if (first && !changed.includes(this.current)) {
      this.choose(first.role);
    }
  }

  choose(role: Role, isFocused = false): void {
    this.show(role, isFocused);
    this.app.chosen();
  }

  private show(role: Role, isFocused: boolean): void {
    this.active = this.has(role) ? role : "readme";
    for (const pane of this.panes.values()) {
      const isActive = pane.role === this.active;
      const tab = this.tab(pane.role);
      tab.setAttribute("aria-selected", String(isActive));
      tab.tabIndex = isActive ? 0 : -1;
      panel(pane).style.display = isActive ? "" : "none";
      if (isActive) {
        tab.scrollIntoView({ block: "nearest", inline: "nearest" });
        pane.view.requestMeasure();
        if (isFocused) {
          pane.view.focus();
        }
      }
    }
  }

  /** Shows which files are there, and how many findings each has. */
  showCounts(check: Check | null): void {
    for (const pane of this.panes.values()) {
      pane.path = check?.place.paths[pane.role] ?? "";
      const count = check?.findings.filter(({ path }) => path === pane.path).length ?? 0;
      const tab = this.tab(pane.role);
      const name = pane.role === "review" && check?.kep.number ? nameOf(pane.path) : pane.name;
      const words = count === 1 ? " finding" : " findings";
      const badge = element("span", { class: "badge" }, String(count), element("span", { class: "unseen" }, words));
      tab.replaceChildren(printable(name || pane.name), ...(count > 0 ? [" ", badge] : []));
      tab.classList.toggle("absent", pane.isEmpty);
      panel(pane)
        .querySelector("h2")
        ?.replaceChildren(...[...tab.childNodes].map((node) => node.cloneNode(true)));
      // One that is closed comes back when that is undone.
      tab.hidden = pane.isClosed && pane.isEmpty;
      panel(pane).hidden = tab.hidden;
    }
    if (this.tab(this.active).hidden) {
      this.choose("readme");
    }
  }

  private add(role: Role, name: string, hint: string): void {
    if (this.panes.has(role)) {
      return;
    }
    const number = this.panes.size;
    const pane = new Pane(role, name, hint, this.app);
    this.panes.set(role, pane);
    const attributes = { type: "button", role: "tab", id: `tab-${number}`, "aria-controls": `pane-${number}` };
    const tab = element("button", { ...attributes, click: () => this.choose(role, true) }, printable(name));
    found("tabs").append(tab);
    const heading = element("h2", {}, printable(name));
    const labels = { role: "tabpanel", id: `pane-${number}`, "aria-labelledby": tab.id };
    found("panes").append(element("div", { class: "pane", ...labels }, heading, pane.host));
    pane.host.addEventListener("focusin", () => {
      if (this.active !== role) {
        this.choose(role);
      }
    });
  }

  private tab(role: Role): HTMLElement {
    return found(`tab-${[...this.panes.keys()].indexOf(role)}`);
  }

  /** Arrow keys go from tab to tab. */
  private step(event: KeyboardEvent): void {
    const roles = [...this.panes.keys()].filter((role) => !this.tab(role).hidden);
    const at = roles.indexOf(this.active);
    const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: roles.length - 1 };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      const role = roles[(next + roles.length) % roles.length] ?? "readme";
      this.choose(role);
      this.tab(role).focus();
    }
  }
}

const isFixed = (role: Role) => FIXED.some(([fixed]) => fixed === role);
const isUnsaved = (pane: Pane) => pane.text !== pane.saved;

function panel(pane: Pane): HTMLElement {
  return pane.host.parentElement as HTMLElement;
}
