// The first script of the page, before all others and in 2 kB: keeps what is clicked, dropped and pasted until the page can do
// it, and gives it what is opened from then on.

/** What somebody did: pressed the button with this id, opened files, or pasted text where no text can be. */
export type Deed =
  | { press: string }
  | { files: (FileSystemEntry | File)[]; on: EventTarget | undefined }
  | { text: string };

export interface Keeper {
  kept: Deed[];
  /** What takes deeds from now on. */
  take: ((deed: Deed) => void) | null;
}

const keeper: Keeper = { kept: [], take: null };
Object.assign(globalThis, { keeper });

const give = (deed: Deed) => (keeper.take ? keeper.take(deed) : keeper.kept.push(deed));
const body = () => document.body.classList;

/** A browser opens its dialog only within a click. */
function pick(isFolder: boolean): void {
  const input = document.createElement("input");
  Object.assign(input, { type: "file", multiple: true, webkitdirectory: isFolder, className: "unseen", tabIndex: -1 });
  input.ariaHidden = "true";
  document.body.append(input);
  input.oncancel = () => input.remove();
  input.onchange = () => {
    input.remove();
    give({ files: [...(input.files ?? [])], on: undefined });
  };
  input.click();
}

function listen<K extends keyof DocumentEventMap>(names: K[], hear: (event: DocumentEventMap[K]) => void): void {
  for (const name of names) {
    document.addEventListener(name, hear, true);
  }
}

listen(["click"], ({ target }) => {
  const button = (target as Element).closest<HTMLElement>("button[id]");
  if (button?.dataset.pick) {
    pick(button.dataset.pick === "folder");
  } else if (button && !keeper.take) {
    give({ press: button.id });
  }
  button?.closest<HTMLElement>("[popover]")?.hidePopover();
});

// Files are opened wherever they are dropped; the browser would leave the page, or put them into the text.
const held = (event: DragEvent): DataTransfer | null => {
  const { dataTransfer } = event;
  if (!dataTransfer?.types.includes("Files")) {
    return null;
  }
  event.preventDefault();
  event.stopPropagation();
  return dataTransfer;
};
listen(["dragenter", "dragover"], (event) => held(event) && body().add("dropping"));
listen(["dragleave"], (event) => event.relatedTarget ?? body().remove("dropping"));
listen(["drop"], (event) => {
  body().remove("dropping");
  const items = [...(held(event)?.items ?? [])].filter(({ kind }) => kind === "file");
  const files = items.map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile()).filter((file) => file !== null);
  if (files.length > 0) {
    give({ files, on: event.composedPath()[0] });
  }
});
listen(["paste"], (event) => {
  const to = event.composedPath()[0] as HTMLElement;
  const text = event.clipboardData?.getData("text/plain");
  if (text && !to.isContentEditable && !to.closest?.("input, textarea")) {
    give({ text });
  }
});
