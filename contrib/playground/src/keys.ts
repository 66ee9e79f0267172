// What the keyboard does, in the editors and on the page.
import type { KeyBinding } from "@codemirror/view";
import type { App } from "./app";
import { showGuidance } from "./at";
import { open } from "./dialog";
import { element, found } from "./dom";
import type { Pane } from "./pane";

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);
const MODIFIER = IS_MAC ? "Cmd" : "Ctrl";

const LIST: [string, string][] = [
  ["F8", "the next finding"],
  ["Shift+F8", "the previous finding"],
  [`${MODIFIER}+.`, "what can be done about the finding at the cursor"],
  ["F2", "what is asked at the cursor"],
  ["Ctrl+Space", "what can be written at the cursor"],
  ["Alt+1, 2, 3", "README.md, kep.yaml, PRR file"],
  ["Alt+4", "the list of findings"],
  [`${MODIFIER}+F`, "search in the file"],
  [`${MODIFIER}+Z`, IS_MAC ? "undo (Shift+Cmd+Z: redo)" : "undo (Ctrl+Y: redo)"],
  ["Tab", "leaves the editor"],
  ["Escape", "closes what is open"],
];

export function bindings(app: App): KeyBinding[] {
  const run = (act: (pane: Pane) => unknown) => () => {
    act(app.files.current);
    return true;
  };
  return [
    { key: "Mod-.", run: run((pane) => app.toRemedies(pane)) },
    { key: "F2", run: run((pane) => showGuidance(app, pane)) },
  ];
}

/** The keys that work everywhere on the page. */
export function listen(app: App): void {
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey) {
      return;
    }
    const role = event.altKey && ["readme", "metadata", "review"][["Digit1", "Digit2", "Digit3"].indexOf(event.code)];
    if (event.key === "F8") {
      app.step(event.shiftKey ? -1 : 1);
    } else if (role) {
      app.files.choose(role, true);
    } else if (event.altKey && event.code === "Digit4") {
      found("findings-title").focus();
    } else {
      return;
    }
    event.preventDefault();
  });
}

export function showKeys(): void {
  const rows = LIST.map(([key, words]) =>
    element("tr", {}, element("th", { scope: "row" }, element("kbd", {}, key)), element("td", {}, words)),
  );
  open("Keys", element("table", {}, element("tbody", {}, ...rows)));
}
