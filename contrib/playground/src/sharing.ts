// What leaves the page, by the hand of its user: a link, a comment, and the files.
import { strToU8, zipSync } from "fflate";
import type { App } from "./app";
import { open } from "./dialog";
import { element, nameOf } from "./dom";
import { say } from "./notes";
import type { Pane } from "./pane";
import { packed } from "./share";

/** The letters of a link that other programs take for sure. */
const SHORT = 8_000;

export async function copyLink(app: App): Promise<void> {
  const state = await packed({ kep: app.files.kep(), settings: app.form.settings() });
  const address = new URL(location.href);
  address.hash = `kep=${state}`;
  const isLocal = location.protocol === "file:";
  const local = "It leads to this page on your disk: for others, give them the page as well, or use a site.";
  const long = `It has ${address.href.length} letters, and some programs cut such a link.`;
  const more = isLocal ? local : address.href.length > SHORT ? long : null;
  await copy(address.href, "The link is copied. The files are in it.", more);
}

export async function copyComment(app: App): Promise<void> {
  const { markdown } = await app.session.ask("comment", {});
  await copy(markdown, "The review comment is copied.");
}

export function copyFile(app: App): Promise<void> {
  return copy(app.files.current.text, `${fileName(app, app.files.current)} is copied.`);
}

/** Copies a text; where the browser does not allow it, shows it to be copied by hand. */
export async function copy(text: string, words: string, more: string | null = null): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(words, more);
  } catch {
    const area = element("textarea", { readonly: true, "aria-label": "Text to copy" });
    area.value = text;
    open("Copy this text", element("p", {}, "Your browser does not let this page copy. Press Ctrl+C or Cmd+C."), area);
    area.select();
  }
}

export function downloadFile(app: App): void {
  const pane = app.files.current;
  download(fileName(app, pane).replaceAll("/", "-"), pane.text, "text/plain");
  pane.saved = pane.text;
}

/** All files in an archive, at their places in the repository. */
export function downloadAll(app: App): void {
  const panes = app.files.all().filter((pane) => !pane.isEmpty);
  const texts = new Map<string, Uint8Array>();
  for (const pane of panes) {
    const path = pathOf(app, pane);
    // No file takes the place of another one.
    const free = texts.has(path) ? path.replace(/(\.[^./]*)?$/, `-${texts.size + 1}$1`) : path;
    texts.set(free, strToU8(pane.text));
  }
  const name = app.check?.kep.number ? app.check.place.directory.split("/").pop() : "kep";
  download(`${name}.zip`, zipSync(Object.fromEntries(texts)) as Uint8Array<ArrayBuffer>, "application/zip");
  for (const pane of panes) {
    pane.saved = pane.text;
  }
}

/** The names of files whose place is not known. */
const NAMES: Record<string, string> = { readme: "README.md", metadata: "kep.yaml", review: "prr.yaml" };

/** Where a file is in the repository; only its name if nobody knows that. */
function pathOf(app: App, pane: Pane): string {
  const name = NAMES[pane.role] ?? (nameOf(pane.role) || "document.md");
  const path = (app.check?.place.isKnown && pane.path) || name;
  // The path is made of words of kep.yaml, of a link, or of an archive.
  const isPlain = (path: string) => path.split("/").every((part) => !/^\.{0,2}$|[\\:]|\p{Cc}/u.test(part));
  return [path, name].find(isPlain) ?? "document.md";
}

const fileName = (app: App, pane: Pane) => nameOf(pathOf(app, pane));

function download(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
