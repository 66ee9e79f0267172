// The findings as a list beside the text: the most severe first, each with what the report says of it and its fixes.
import type { App } from "./app";
import type { Finding, Severity } from "./contract";
import { button, element, found, link, nameOf, printable } from "./dom";
import type { Refused } from "./engine";
import { withCode } from "./markdown";
import { sayTrouble } from "./notes";
import { explain } from "./rules";

const GROUPS: [Severity, string][] = [
  ["error", "Errors"],
  ["warning", "Warnings"],
  ["suggestion", "Suggestions"],
];

/** How many findings of a group are shown before more are asked for. */
const MOST = 100;

/** The order of the list, which is also that of F8: the README, which is in sight first, comes before other files. */
export function inOrder(findings: Finding[], readme: string | undefined): Finding[] {
  const own = findings.filter(({ path }) => path === readme);
  const all = [...own, ...findings.filter(({ path }) => path !== readme)];
  return GROUPS.flatMap(([severity]) => all.filter((finding) => finding.severity === severity));
}

export class FindingsList {
  private readonly box = found("findings");
  private readonly closed = new Set<Severity>();
  private readonly whole = new Set<Severity>();
  private last: Finding[] = [];

  constructor(private readonly app: App) {}

  show(findings: Finding[], trouble: Refused | null = null): void {
    this.last = findings;
    // Who reads the list with the keyboard stays at the same finding.
    const held = this.box.querySelector(":focus");
    const place = held?.closest("[data-key]")?.getAttribute("data-key");
    const index = typeof place !== "string" ? -1 : this.focusable(place).indexOf(held as HTMLElement);
    const shown = trouble ? [failure(trouble)] : GROUPS.flatMap((group) => this.group(findings, group));
    this.box.replaceChildren(...shown);
    if (place !== undefined && place !== null) {
      const fields = this.focusable(place);
      (fields[index] ?? fields[0] ?? found("findings-title")).focus({ preventScroll: true });
    }
  }

  /** Marks a finding as the current one, and moves the focus to its first remedy if that is wanted. */
  select(finding: Finding, isFocused: boolean): void {
    for (const other of this.box.querySelectorAll("[aria-current]")) {
      other.removeAttribute("aria-current");
    }
    const item = this.box.querySelector<HTMLElement>(`[data-id="${CSS.escape(finding.fingerprint)}"]`);
    item?.setAttribute("aria-current", "true");
    item?.closest("details")?.setAttribute("open", "");
    item?.scrollIntoView({ block: "nearest" });
    if (isFocused) {
      const press =
        item?.querySelector<HTMLElement>(".remedies button") ?? item?.querySelector<HTMLElement>(".ignore, button");
      press?.focus();
    }
  }

  private remedy(finding: Finding, { kind, title }: Finding["remedies"][number]): HTMLButtonElement {
    const isIgnore = kind === "ignore";
    const attributes = { class: isIgnore ? "ignore" : kind, title: isIgnore ? title : null };
    // Each finding can be ignored: the whole words would be most of the list.
    return button(
      isIgnore ? "Ignore…" : withCode(title),
      () => this.app.remedy(finding, kind).catch(sayTrouble),
      attributes,
    );
  }

  private focusable(place: string): HTMLElement[] {
    return [...this.box.querySelectorAll<HTMLElement>(`[data-key="${CSS.escape(place)}"] :is(button, a)`)];
  }

  private group(findings: Finding[], [severity, title]: (typeof GROUPS)[number]): HTMLElement[] {
    const own = findings.filter((finding) => finding.severity === severity);
    if (own.length === 0) {
      return [];
    }
    const shown = this.whole.has(severity) ? own : own.slice(0, MOST);
    const items = shown.map((finding) => this.item(finding));
    const more = () => {
      this.whole.add(severity);
      this.show(this.last);
    };
    const rest = own.length - shown.length;
    const toggle = () => this.closed[details.open ? "delete" : "add"](severity);
    const details = element(
      "details",
      { open: !this.closed.has(severity), toggle },
      element("summary", {}, element("h3", { class: severity }, `${title} (${own.length})`)),
      element("ul", { class: "findings" }, ...items),
      rest > 0 && button(`Show ${rest} more`, more),
    );
    return [details];
  }

  private item(finding: Finding): HTMLElement {
    const { app } = this;
    // Names it also after another check.
    const key = `${finding.rule} ${nameOf(finding.path)} ${finding.message}`;
    const fixes = finding.remedies.filter(({ kind }) => kind !== "ignore").map((it) => this.remedy(finding, it));
    const ignores = finding.remedies.filter(({ kind }) => kind === "ignore").map((it) => this.remedy(finding, it));
    return element(
      "li",
      { class: "finding", "data-id": finding.fingerprint, "data-key": key, "data-rule": finding.rule },
      messageOf(
        finding,
        button(withCode(finding.message), () => app.show(finding), { class: "jump" }),
      ),
      facts(finding, () => explain(app, finding.rule).catch(sayTrouble), ignores),
      finding.help && helpOf(finding.help),
      ...finding.related.map((other) => {
        const press = button(placeName(other.path), () => app.goTo(other), { class: "jump" });
        return element("p", { class: "related" }, press, ": ", withCode(other.message));
      }),
      fixes.length > 0 && element("div", { class: "remedies" }, ...fixes),
    );
  }
}

const placeName = (path: string) => printable(nameOf(path));

function messageOf(finding: Finding, words: Node): HTMLElement {
  const severity = element("span", { class: `severity ${finding.severity}` }, finding.severity);
  return element("p", { class: "message" }, severity, " ", words);
}

/** Where it is, its rule, and the section. */
function facts(finding: Finding, explain: () => void, ignores: HTMLElement[]): HTMLElement {
  const section = (finding.section ?? []).join(" › ");
  const dot = () => element("span", { "aria-hidden": "true" }, " · ");
  return element(
    "p",
    { class: "facts" },
    `${placeName(finding.path)}:${finding.start.line}:${finding.start.column}`,
    dot(),
    button(finding.rule, explain, { class: "rule", title: "why, with examples" }),
    section !== "" && dot(),
    section !== "" && printable(section),
    ...ignores.map((ignore) => element("span", { class: "ignoring" }, dot(), ignore)),
  );
}

export function helpOf(help: string): HTMLElement {
  return element("p", { class: "help" }, element("span", { class: "label" }, "help: "), withCode(help));
}

/** A finding in the text: what its tooltip has, besides the buttons. */
export function tooltip(finding: Finding): Node {
  const message = messageOf(finding, withCode(finding.message));
  const rule = element("p", { class: "facts" }, link(finding.rule, finding.url));
  return element("div", {}, message, finding.help && helpOf(finding.help), rule);
}

function failure({ message, help }: Refused): HTMLElement {
  return element("div", { class: "failure" }, element("p", {}, withCode(message)), help && helpOf(help));
}
