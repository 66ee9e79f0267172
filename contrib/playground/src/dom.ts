// Elements without markup: what comes from a file, an address or the engine is only ever text.

type Child = Node | string | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: never) => void);

/** An element with attributes (a function is a listener, `true` an empty attribute, `false` and `null` none) and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const it = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      it.addEventListener(key, value as EventListener);
    } else if (value !== null && value !== undefined && value !== false) {
      it.setAttribute(key, value === true ? "" : String(value));
    }
  }
  it.append(...children.filter((child) => child instanceof Node || typeof child === "string"));
  return it;
}

/** A button with words. */
export function button(words: Child, press: () => void, attributes: Record<string, Value> = {}): HTMLButtonElement {
  return element("button", { type: "button", click: press, ...attributes }, words);
}

/** The element of the page with this id; the page has it. */
export function found<T extends HTMLElement = HTMLElement>(id: string): T {
  const it = document.getElementById(id);
  if (!it) {
    throw new Error(`the page has no ${id}`);
  }
  return it as T;
}

/** A link that opens beside the page, or only its words if it leads anywhere else than to the web. */
export function link(words: string, address: string | null): HTMLElement {
  const isWeb = address !== null && /^https?:\/\//i.test(address) && URL.canParse(address);
  return isWeb
    ? element("a", { href: new URL(address).href, target: "_blank", rel: "noopener noreferrer" }, words)
    : element("span", {}, words);
}

/** The name of a file in its folder. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** "1 error", "2 errors". */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

// Letters that hide or reorder others. They stay in the text, but not in what the page says about it.
const HIDING = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of others in the words of the page. */
export function printable(text: string): string {
  return text.replace(HIDING, "\ufffd");
}

/** The day in UTC, such as 2026-11-25, which the engine has no clock for. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
