// A dialog above the page. The browser keeps the focus in it, and Escape closes it.
import { button, element } from "./dom";
import { withCode } from "./markdown";
import { troubleOf } from "./notes";

/** A dialog that is open. */
export interface Dialog {
  content: HTMLElement;
  isOpen(): boolean;
  close(): void;
  /** Shows what went wrong in the dialog, so that what was entered is still there. */
  trouble(reason: unknown): void;
}

let count = 0;

export function open(title: string, ...children: (Node | string)[]): Dialog {
  count += 1;
  const id = `dialog-${count}`;
  // A menu closes with its choice, and its button stays.
  const menu = document.activeElement?.closest("[popover]");
  const before = menu ? document.querySelector(`[popovertarget="${menu.id}"]`) : document.activeElement;
  const content = element("div", { class: "content", tabindex: -1 }, ...children);
  const close = button("Close", () => box.close());
  const heading = element("h2", { id }, title);
  const box = element("dialog", { "aria-labelledby": id }, element("header", {}, heading, close), content);
  box.addEventListener("close", () => {
    box.remove();
    if (before instanceof HTMLElement && before.isConnected) {
      before.focus();
    }
  });
  document.body.append(box);
  box.showModal();
  return {
    content,
    isOpen: () => box.open,
    close: () => box.close(),
    trouble: (reason) => {
      content.querySelector(":scope > .trouble")?.remove();
      const { message, help } = troubleOf(reason);
      const said = withCode([message, help].filter(Boolean).join(" "));
      const words = element("p", { class: "trouble", role: "alert" }, said);
      content.append(words);
      words.scrollIntoView({ block: "nearest" });
    },
  };
}

/** A field with its words. */
export function field(words: string, input: HTMLElement): HTMLLabelElement {
  return element("label", {}, element("span", {}, words), input);
}

/** A dialog with a form, whose button does its work; what goes wrong is said in the dialog. */
export function ask(title: string, words: string, fields: HTMLElement[], work: (dialog: Dialog) => unknown) {
  const press = button(words, () => {}, { class: "strong", type: "submit" });
  const form = element("form", {}, ...fields, element("div", { class: "buttons" }, press));
  const dialog = open(title, form);
  const once = working(press, () => work(dialog));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    once().catch(dialog.trouble);
  });
  return { dialog, press };
}

/** Does something once at a time: while it is done, its button says so. */
export function working(press: HTMLButtonElement, work: () => unknown): () => Promise<void> {
  return async () => {
    if (press.getAttribute("aria-disabled") === "true") {
      return;
    }
    press.setAttribute("aria-disabled", "true");
    try {
      await work();
    } finally {
      press.removeAttribute("aria-disabled");
    }
  };
}
