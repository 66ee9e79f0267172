// The page: files, settings, and what the engine says of them.
import { redoDepth, type undo, undoDepth } from "@codemirror/commands";
import type { About, Check, Finding, Kep, Place, RemedyKind, Role, Settings } from "./contract";
import { button, counted, element, found, printable } from "./dom";
import type { Refused } from "./engine";
import { Files } from "./files";
import { FindingsList, inOrder, tooltip } from "./findings";
import { listed, withCode } from "./markdown";
import { announce, say, sayTrouble } from "./notes";
import type { Pane } from "./pane";
import { Session } from "./session";
import { SettingsForm } from "./settings";
import type { Step } from "./steps";

/** The most findings that are marked in one text: an editor has no use for more. */
const MARKS = 500;

export class App {
  readonly files = new Files(this);
  readonly form = new SettingsForm(() => this.session.changed());
  readonly session = new Session(this);
  private readonly list = new FindingsList(this);
  check: Check | null = null;
  private order: Finding[] = [];
  private current = -1;
  /** Whether nothing was checked, chosen or written since a KEP was opened. */
  private isFresh = false;

  /** Another file is in sight. */
  chosen(): void {
    this.isFresh = false;
    this.showButtons();
  }

  /** A check has begun or ended. */
  busy(is: boolean): void {
    found("counts").dataset.state = is ? "busy" : "done";
  }

  known(about: About): void {
    this.form.fill(about);
    found("version").textContent = `kep-lint ${about.version}`;
    found("loading").hidden = true;
  }

  /** Puts a KEP in place of the files, with settings, or those that are chosen. It can be undone. */
  load(kep: Kep, settings: Partial<Settings> | null, isSaved: boolean): void {
    this.files.load(kep, isSaved, this.setting(settings));
    this.isFresh = true;
    this.session.changed();
  }

  /** Puts files that were opened beside the others, or in the place of those with their roles. It can be undone. */
  put(texts: Map<Role, string>): void {
    this.files.put(texts, true, this.setting(null));
    this.files.choose([...texts.keys()][0] ?? "readme");
    this.isFresh = texts.size > 1;
    this.session.changed();
  }

  /** Sets what is checked; returns what is done when that is undone, or done again. */
  private setting(settings: Partial<Settings> | null): Step["besides"] {
    const before = this.form.settings();
    // What was left out of the check of other files is checked in these.
    const after = settings ?? { ...before, select: null, level: null };
    this.form.set(after);
    return (direction) => {
      this.form.set(direction === "undo" ? before : after);
      this.session.changed();
    };
  }

  /** The next or previous finding, from the one that was shown last. */
  step(by: 1 | -1): void {
    if (this.order.length > 0) {
      const from = this.current < 0 && by < 0 ? 0 : this.current;
      this.current = (from + by + this.order.length) % this.order.length;
      const finding = this.order[this.current] as Finding;
      this.show(finding);
      announce(`${this.current + 1} of ${this.order.length}: ${finding.severity}: ${finding.message}`);
    } else {
      announce("no findings");
    }
  }

  /** Moves the focus to what can be done about the finding at the cursor, or the one that was shown last. */
  toRemedies(pane: Pane): void {
    const at = pane.toExact(pane.view.state.selection.main.head);
    const own = this.order.filter(({ path }) => path === pane.path);
    const here = own.find(({ start, end }) => start.offset <= at && at <= end.offset);
    const finding = here ?? this.order[this.current];
    if (finding) {
      this.current = this.order.indexOf(finding);
      this.list.select(finding, true);
    }
  }

  async fixAll(): Promise<void> {
    const { edits, fixed } = await this.session.askForEdits("fix-all", {});
    this.files.edit(edits);
    const words = `Fixed ${counted(fixed, "finding", "findings")}. Undo takes it back.`;
    say(edits.length > 0 ? words : "There is nothing that a safe fix can do.");
  }

  /** Undoes or does again what was done last in the file that is in sight. */
  go(back: typeof undo): void {
    back(this.files.current.view);
    this.files.current.view.focus();
  }

  async remedy(finding: Finding, kind: RemedyKind): Promise<void> {
    const { edits, select } = await this.session.askForEdits("change", { id: finding.fingerprint, kind });
    this.files.edit(edits);
    const place = select ?? (edits[0] && { ...edits[0], end: edits[0].start });
    if (place) {
      this.goTo(place);
    }
    await this.session.settled();
    say(kind === "ignore" ? "Ignored. Please write the reason." : "Fixed. Undo takes it back.");
  }

  show(finding: Finding): void {
    this.current = this.order.indexOf(finding);
    this.list.select(finding, false);
    this.goTo(finding);
  }

  goTo(place: Place): void {
    const pane = this.files.at(place.path);
    if (pane) {
      this.files.choose(pane.role);
      pane.show(place);
    } else {
      say(`${place.path} is not open here.`);
    }
  }

  changed(): void {
    this.isFresh = false;
    const { isEmpty } = this.files;
    found("welcome").hidden = !isEmpty;
    found("results").hidden = isEmpty;
    document.body.classList.toggle("empty", isEmpty);
    this.showButtons();
    this.session.changed();
  }

  checked(check: Check): void {
    this.check = check;
    const shown = this.order[this.current];
    this.order = inOrder(check.findings, check.place.paths.readme);
    // The list may have lost the finding that was shown; the next one then has its place.
    const same = this.order.findIndex((it) => it.rule === shown?.rule && it.message === shown.message);
    this.current = same >= 0 ? same : Math.min(this.current, this.order.length) - 1;
    this.showFindings(check);
    // The finding that is read first is in a file that is in sight.
    const first = this.files.at(this.order[0]?.path ?? "");
    if (this.isFresh && first) {
      this.files.choose(first.role);
    }
    this.isFresh = false;
    const { select, level } = this.form.settings();
    // No finding of one rule is not a KEP without findings.
    const of = select ? `Only ${select.join(", ")} is checked: ` : level ? `Shown from ${level} on: ` : "";
    // And none in what is open is not a KEP without findings, either.
    const lacked = check.lacks.map(({ name }) => name).join(", ");
    const without = lacked && `Without ${lacked}: `;
    const words = printable(of + without + check.summary);
    found("counts").textContent = words;
    if (!this.files.isEmpty) {
      announce(words);
    }
  }

  /** Shows the findings in the texts, at the names of the files, and in the list; and what is said of the whole. */
  private showFindings(check: Check | null, trouble: Refused | null = null): void {
    this.files.showCounts(check);
    for (const pane of this.files.all()) {
      const own = this.order.filter(({ path }) => path === pane.path);
      pane.mark(own.slice(0, MARKS), (finding) => this.mark(finding));
    }
    this.list.show(this.order, trouble);
    found("kep").replaceChildren(...(check ? about(check.kep) : []));
    this.showLacks(check?.lacks ?? []);
    const conditions = check?.conditions ?? [];
    const summary = element("summary", {}, "Conditions of this check");
    const details = conditions.length > 0 && element("details", {}, summary, listed(conditions));
    found("conditions").replaceChildren(...(details ? [details] : []));
    this.showButtons();
  }

  private mark(finding: Finding) {
    const severity = finding.severity === "suggestion" ? ("info" as const) : finding.severity;
    const actions = finding.remedies.map(({ kind, title }) => ({
      // A button of the editor has only text.
      name: printable(title).replaceAll("`", ""),
      markClass: kind,
      apply: () => void this.remedy(finding, kind).catch(sayTrouble),
    }));
    return { severity, message: printable(finding.message), renderMessage: () => tooltip(finding), actions };
  }

  troubled(reason: Refused): void {
    const { message, help } = reason;
    // Nothing of the last check counts for these files.
    this.check = null;
    this.order = [];
    this.showFindings(null, reason);
    found("counts").textContent = "This could not be checked.";
    if (!this.session.about) {
      found("loading").replaceChildren(withCode(`${message} ${help ?? ""}`));
    } else if (!this.files.isEmpty) {
      announce(message);
    }
    if (reason.hasRestarted) {
      sayTrouble(reason);
    }
  }

  /** What is not open is not missing: each file has a button that adds it. */
  private showLacks(lacks: Check["lacks"]): void {
    const items = lacks.map(({ role, name, why }) => {
      const add = () => (this.files.has(role) ? this.files.choose(role, true) : found("open-files").click());
      const more = why && element("p", { class: "detail" }, `Until then, ${why}.`);
      return element("li", {}, `${name} is not open here: `, button("Add it", add), more);
    });
    found("lacks").replaceChildren(...items);
  }

  showButtons(): void {
    const { state } = this.files.current.view;
    found<HTMLButtonElement>("undo").disabled = undoDepth(state) === 0;
    found<HTMLButtonElement>("redo").disabled = redoDepth(state) === 0;
    const isEmpty = this.files.isEmpty;
    const safe = this.order.filter((finding) => finding.remedies.some(({ kind }) => kind === "fix")).length;
    const fixes = found<HTMLButtonElement>("fix-all");
    fixes.disabled = isEmpty || safe === 0;
    fixes.textContent = safe > 0 && !isEmpty ? `Fix all safe (${safe})` : "Fix all safe";
    for (const press of document.querySelectorAll<HTMLButtonElement>("[data-needs-text]")) {
      press.disabled = isEmpty;
    }
  }
}

/** Which KEP it is, and what it is checked for. */
function about({ title, lines }: Check["kep"]): HTMLElement[] {
  const brief = lines.map((line) => element("p", { class: "brief" }, printable(line)));
  return [element("h2", {}, printable(title ?? "A KEP without a title")), ...brief];
}
