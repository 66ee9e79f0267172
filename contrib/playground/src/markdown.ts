// Text of the engine as elements. It says which elements its Markdown is made of; none of them loads or runs anything.
import type { Begun } from "./contract";
import { element, link, printable } from "./dom";
import type { Session } from "./session";

/** The most elements in each other. Deeper ones are left out, and their text stays. */
const DEPTH = 20;
/** The elements that there are, besides links. */
const ELEMENTS = "p ul ol li blockquote pre code em strong hr br table tr th td h1 h2 h3 h4 h5 h6".split(" ");

/** `markdown` as elements; headings begin at `level`. */
export async function rendered(session: Session, markdown: string, level = 3): Promise<DocumentFragment> {
  const out = document.createDocumentFragment();
  const around: ParentNode[] = [out];
  for (const part of await session.ask("markdown", { text: markdown })) {
    const parent = around.at(-1) ?? out;
    if (part === null) {
      around.pop();
    } else if (typeof part === "string") {
      parent.append(printable(part));
    } else {
      around.push(around.length > DEPTH ? parent : begun(part, parent, level));
    }
  }
  return out;
}

/** Puts an element into another one. */
function begun([name, address]: Begun, parent: ParentNode, level: number): ParentNode {
  const ranked = name.replace(/^h([1-6])$/, (_, rank) => `h${Math.min(6, Number(rank) + level - 1)}`);
  const known = ELEMENTS.includes(ranked) ? (ranked as keyof HTMLElementTagNameMap) : "span";
  // What may be too wide is scrolled by keys.
  const attributes = { tabindex: name === "pre" && 0, scope: name === "th" && "col" };
  const it = name === "a" ? link("", address ?? null) : element(known, attributes);
  parent.append(name === "table" ? element("div", { class: "wide", tabindex: 0 }, it) : it);
  return it;
}

/** Messages of the report as a list. */
export function listed(messages: string[]): HTMLElement {
  return element("ul", {}, ...messages.map((message) => element("li", {}, withCode(message))));
}

/** What others type, and what does it here. */
const BUTTONS: [RegExp, string][] = [
  [/^kep-lint upgrade .*$/, "To the template"],
  [/^kep-lint promote .*$/, "Promote…"],
  [/^kep-lint new$/, "New KEP…"],
  [/^--skip-beta$/, "Skip beta"],
];

/** A message or a help of the report: only what is between backticks is code, and lines keep their indent. */
export function withCode(text: string): DocumentFragment {
  const out = document.createDocumentFragment();
  const parts = text.split(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/s);
  for (let at = 0; at < parts.length; at += 3) {
    out.append(printable(parts[at] ?? ""));
    const code = parts[at + 2];
    if (code !== undefined) {
      const here = BUTTONS.find(([typed]) => typed.test(code))?.[1];
      const text = printable(here ?? code.replace(/^ (?=`)|(?<=`) $/g, ""));
      out.append(element(here ? "strong" : "code", {}, text));
    }
  }
  return out;
}
