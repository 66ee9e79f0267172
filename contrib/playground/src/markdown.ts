// The Markdown of the engine as elements: headings, paragraphs, lists, quotations, code, tables, links to the web. It has no
// raw HTML, loads nothing, and what it does not know is shown as it is written.
import { element, link, printable } from "./dom";

/** The deepest nesting of lists and quotations that is shown as such. */
const DEPTH = 6;
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w-]*)/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( +|$)/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^ {0,3}([-*_])( *\1){2,} *$/;

/** `markdown` as elements; headings begin at `level`. */
export function rendered(markdown: string, level = 3): DocumentFragment {
  const out = document.createDocumentFragment();
  blocks(markdown.replaceAll("\r\n", "\n").split("\n"), out, level, 0);
  return out;
}

function blocks(lines: string[], out: ParentNode, level: number, depth: number): void {
  let at = 0;
  const line = () => lines[at] ?? "";
  while (at < lines.length) {
    const fence = FENCE.exec(line());
    const heading = HEADING.exec(line());
    const item = ITEM.exec(line());
    if (line().trim() === "") {
      at += 1;
    } else if (fence) {
      const code: string[] = [];
      const mark = fence[1] ?? "";
      for (at += 1; at < lines.length && !isClosing(line(), mark); at += 1) {
        code.push(line());
      }
      at += 1;
      out.append(element("pre", { tabindex: 0 }, element("code", {}, printable(code.join("\n")))));
    } else if (heading) {
      const rank = Math.min(6, level + (heading[1] ?? "").length - 1) as 1 | 2 | 3 | 4 | 5 | 6;
      const title = element(`h${rank}`);
      inline(heading[2] ?? "", title);
      out.append(title);
      at += 1;
    } else if (RULE.test(line())) {
      out.append(element("hr"));
      at += 1;
    } else if (/^ {0,3}>/.test(line()) && depth < DEPTH) {
      const quoted: string[] = [];
      for (; at < lines.length && /^ {0,3}>/.test(line()); at += 1) {
        quoted.push(line().replace(/^ {0,3}> ?/, ""));
      }
      const quote = element("blockquote");
      blocks(quoted, quote, level, depth + 1);
      out.append(quote);
    } else if (item && depth < DEPTH) {
      at = list(lines, at, out, level, depth);
    } else if (
      line().includes("|") &&
      /^ *\|?[\s:|-]+\|[\s:|-]*$/.test(lines[at + 1] ?? "") &&
      lines[at + 1]?.includes("-")
    ) {
      const rows: string[] = [line()];
      for (at += 2; at < lines.length && line().includes("|"); at += 1) {
        rows.push(line());
      }
      out.append(table(rows));
    } else {
      const words: string[] = [line()];
      for (at += 1; at < lines.length && continues(line()); at += 1) {
        words.push(line());
      }
      const paragraph = element("p");
      inline(words.map((word) => word.trim()).join("\n"), paragraph);
      out.append(paragraph);
    }
  }
}

const isClosing = (line: string, mark: string) => line.trim().startsWith(mark) && /^[`~]+$/.test(line.trim());

const continues = (line: string) =>
  line.trim() !== "" &&
  !FENCE.test(line) &&
  !HEADING.test(line) &&
  !ITEM.test(line) &&
  !/^ {0,3}>/.test(line) &&
  !RULE.test(line);

/** The list that begins at `start`; returns where it ends. */
function list(lines: string[], start: number, out: ParentNode, level: number, depth: number): number {
  const isNumbered = /^\s*\d/.test(lines[start] ?? "");
  const container = element(isNumbered ? "ol" : "ul");
  let at = start;
  while (at < lines.length) {
    const item = ITEM.exec(lines[at] ?? "");
    if (!item || RULE.test(lines[at] ?? "") || /^\s*\d/.test(lines[at] ?? "") !== isNumbered) {
      break;
    }
    const indent = item[0].length;
    const inside = [(lines[at] ?? "").slice(indent)];
    for (at += 1; at < lines.length; at += 1) {
      const text = lines[at] ?? "";
      const isIndented = text.startsWith(" ".repeat(Math.min(indent, 2)));
      const isBlankInside = text.trim() === "" && (lines[at + 1] ?? "").startsWith(" ".repeat(Math.min(indent, 2)));
      const isLazy = continues(text) && (inside.at(-1) ?? "").trim() !== "";
      if (!isIndented && !isBlankInside && !isLazy) {
        break;
      }
      inside.push(text.replace(new RegExp(`^ {0,${indent}}`), ""));
    }
    const entry = element("li");
    const box = /^\[([ xX])\] /.exec(inside[0] ?? "");
    if (box) {
      inside[0] = `${box[1] === " " ? "☐" : "☑"} ${(inside[0] ?? "").slice(4)}`;
    }
    blocks(inside, entry, level, depth + 1);
    const only = entry.firstElementChild;
    if (only?.localName === "p") {
      only.replaceWith(...only.childNodes);
    }
    container.append(entry);
    while (at < lines.length && lines[at]?.trim() === "" && ITEM.test(lines[at + 1] ?? "")) {
      at += 1;
    }
  }
  out.append(container);
  return at;
}

function table(rows: string[]): HTMLElement {
  const cells = (row: string) =>
    row
      .trim()
      .replace(/^\||\|$/g, "")
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll("\\|", "|"));
  const filled = (name: "th" | "td", row: string) => {
    const line = element("tr");
    for (const cell of cells(row)) {
      const it = element(name, name === "th" ? { scope: "col" } : {});
      inline(cell, it);
      line.append(it);
    }
    return line;
  };
  const [head, ...body] = rows;
  const bodies = element("tbody", {}, ...body.map((row) => filled("td", row)));
  return element(
    "div",
    { class: "wide", tabindex: 0 },
    element("table", {}, element("thead", {}, filled("th", head ?? "")), bodies),
  );
}

// Code, a link, an address, bold, emphasis, and a letter that is escaped.
const SPAN =
  /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)|\[([^[\]]{1,500})\]\(([^()\s]{1,2000})\)|<(https?:\/\/[^<>\s]{1,2000})>|\*\*([^*]{1,1000})\*\*|(?<![\w*])\*([^*\s][^*]{0,500})\*|(?<!\w)_([^_\s][^_]{0,500})_(?!\w)|\\([!-/:-@[-`{-~])/s;

/** Text of a paragraph, with what is marked in it. */
export function inline(text: string, out: ParentNode): void {
  let rest = text;
  for (;;) {
    const found = SPAN.exec(rest);
    if (!found) {
      out.append(printable(plain(rest)));
      return;
    }
    out.append(printable(plain(rest.slice(0, found.index))));
    const [whole, , code, words, address, automatic, bold, starred, lined, letter] = found;
    if (code !== undefined) {
      out.append(element("code", {}, printable(code.replace(/^ (?=`)|(?<=`) $/g, ""))));
    } else if (words !== undefined && address !== undefined) {
      const it = link("", address);
      inline(words, it);
      out.append(it);
    } else if (automatic !== undefined) {
      out.append(link(printable(automatic), automatic));
    } else if (bold !== undefined) {
      out.append(nested("strong", bold));
    } else if (starred !== undefined || lined !== undefined) {
      out.append(nested("em", starred ?? lined ?? ""));
    } else {
      out.append(letter ?? "");
    }
    rest = rest.slice(found.index + whole.length);
  }
}

function nested(name: "strong" | "em", text: string): HTMLElement {
  const it = element(name);
  inline(text, it);
  return it;
}

/** Text in which entities are the letters that they stand for. */
function plain(text: string): string {
  const names: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'", nbsp: "\u00a0" };
  return text.replace(/&(lt|gt|amp|quot|#39|nbsp);/g, (whole, name: string) => names[name] ?? whole);
}

/** Messages of the report as a list. */
export function listed(messages: string[]): HTMLElement {
  return element("ul", {}, ...messages.map((message) => element("li", {}, withCode(message))));
}

/** A message or a help of the report: only what is between backticks is code, and lines keep their indent. */
export function withCode(text: string): DocumentFragment {
  const out = document.createDocumentFragment();
  const parts = text.split(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/s);
  for (let at = 0; at < parts.length; at += 3) {
    out.append(printable(parts[at] ?? ""));
    const code = parts[at + 2];
    if (code !== undefined) {
      out.append(element("code", {}, printable(code.replace(/^ (?=`)|(?<=`) $/g, ""))));
    }
  }
  return out;
}
