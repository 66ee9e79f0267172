// Colors, menus, and files side by side. Nothing of it is stored.
import type { App } from "./app";
import { found } from "./dom";

export function bindView(app: App): void {
  const root = document.documentElement;
  const paint = (is: boolean) => {
    root.classList.toggle("dark", is);
    found("dark").setAttribute("aria-pressed", String(is));
  };
  // Who has chosen colors keeps them.
  let isChosen = false;
  follow("(prefers-color-scheme: dark)", (is) => isChosen || paint(is));
  found("dark").addEventListener("click", () => {
    isChosen = true;
    paint(!root.classList.contains("dark"));
  });

  const settings = document.querySelector("#settings details") as HTMLDetailsElement;
  follow("(max-width: 30rem)", (is) => {
    settings.open = !is;
  });

  const arrange = (is: boolean) => {
    document.body.classList.toggle("side-by-side", is);
    found("side").setAttribute("aria-pressed", String(is));
    for (const pane of app.files.all()) {
      pane.view.requestMeasure();
    }
  };
  follow("(min-width: 110rem)", arrange);
  found("side").addEventListener("click", () => arrange(!document.body.classList.contains("side-by-side")));

  // What is closed is printed too.
  window.addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>("details:not([open])")) {
      details.open = true;
      window.addEventListener("afterprint", () => details.removeAttribute("open"), { once: true });
    }
  });
}

/** Does something now and whenever the screen is another one. */
function follow(query: string, act: (is: boolean) => void): void {
  const screen = matchMedia(query);
  act(screen.matches);
  screen.addEventListener("change", () => act(screen.matches));
}

/** Menus open below their buttons, and arrow keys go through them. */
export function bindMenus(): void {
  for (const opener of document.querySelectorAll<HTMLButtonElement>("button[popovertarget]")) {
    const menu = found(opener.getAttribute("popovertarget") ?? "");
    opener.setAttribute("aria-expanded", "false");
    // Once it has a size and before it is seen, so that it does not move away from who presses it.
    const place = () => {
      const { left, bottom } = opener.getBoundingClientRect();
      menu.style.top = `${bottom + 4}px`;
      menu.style.left = `${Math.max(4, Math.min(left, innerWidth - menu.offsetWidth - 4))}px`;
    };
    menu.addEventListener("beforetoggle", (event) => {
      const isOpen = (event as ToggleEvent).newState === "open";
      opener.setAttribute("aria-expanded", String(isOpen));
      if (isOpen) {
        requestAnimationFrame(place);
      }
    });
    const walk = (event: KeyboardEvent) => {
      const buttons = [...menu.querySelectorAll<HTMLElement>("button:not(:disabled)")];
      const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (by !== 0) {
        event.preventDefault();
        menu.togglePopover(true);
        const at = buttons.indexOf(document.activeElement as HTMLElement);
        buttons[((at < 0 && by < 0 ? 0 : at) + by + buttons.length) % buttons.length]?.focus();
      }
    };
    menu.addEventListener("keydown", walk);
    opener.addEventListener("keydown", walk);
  }
}
