// Opens files: those of one KEP, a configuration, or the facts of a repository.
import type { App } from "./app";
import type { Kep, Role } from "./contract";
import { ask, field, open } from "./dialog";
import { button, counted, element, found, printable } from "./dom";
import { Refused } from "./engine";
import { beside } from "./environment";
import { files as filesOf, parsed, plan } from "./github";
import { type Candidate, contents, directoryOf, textOf } from "./kep-files";
import { listed } from "./markdown";
import { say, sayTrouble } from "./notes";
import type { Source } from "./sources";

/** The largest file of facts: that of the whole repository has a tenth of it. */
const FACTS = 16 << 20;

/** Opens what is known among the files; if there are several KEPs, asks which. */
export async function openSources(app: App, sources: Source[], at: Role | null = null): Promise<void> {
  try {
    const { keps, config, facts, rest } = contents(sources);
    const most = app.session.about?.bounds.fileBytes ?? 2 << 20;
    const [only, ...more] = keps;
    const [lone] = rest;
    for (const source of facts) {
      const text = await textOf(source, FACTS);
      // JSON of something else may be beside the files of a KEP.
      if (text.includes('"kep-lint-facts"') || sources.length === 1) {
        await useFacts(app, text);
      }
    }
    if (config) {
      app.form.useConfig(await textOf(config, most), config.path);
      app.session.changed();
    }
    if (only && more.length === 0) {
      await openKep(app, only, most);
    } else if (only) {
      choose(app, keps, most);
    } else if (lone && rest.length === 1 && at && /(^|\/)[^.]+$|\.(txt|markdown|ya?ml)$/i.test(lone.path)) {
      // A file of another name goes where it was dropped.
      app.put(new Map([[at, await textOf(lone, most)]]));
    } else if (facts.length === 0 && !config) {
      const names = sources
        .slice(0, 3)
        .map(({ path }) => `\`${path}\``)
        .join(", ");
      throw new Refused(`There is no KEP in ${names || "this"}.`, "A KEP has a README.md and a kep.yaml.");
    }
  } catch (error) {
    sayTrouble(error);
  }
}

async function openKep(app: App, { directory, files, left }: Candidate, most: number): Promise<void> {
  const texts = new Map<Role, string>();
  for (const [role, source] of files) {
    texts.set(role, await textOf(source, most));
  }
  // Single files are added to those that are open; a folder is another KEP.
  if (directory === "") {
    app.put(texts);
    return;
  }
  const others = [...texts].filter(([role]) => !["readme", "metadata", "review"].includes(role));
  const kep: Kep = {
    directory: directoryOf(directory),
    readme: texts.get("readme") ?? null,
    metadata: texts.get("metadata") ?? null,
    review: texts.get("review") ?? null,
    others: Object.fromEntries(others.map(([path, text]) => [path.slice(directory.length + 1), text])),
  };
  app.load(kep, null, true);
  const more = left > 0 ? `${counted(left, "other document", "other documents")} of it are not opened.` : null;
  say(`Opened ${counted(texts.size, "file", "files")} of \`${printable(directory)}\`.`, more);
}

/** Asks which of several KEPs is meant. */
function choose(app: App, keps: Candidate[], most: number): void {
  const list = element("ul", { class: "keps" });
  const filter = element("input", { type: "search" });
  const fill = () => {
    const words = filter.value.toLowerCase();
    const shown = keps.filter(({ directory }) => directory.toLowerCase().includes(words)).slice(0, 200);
    const items = shown.map((kep) => {
      const press = () => {
        dialog.close();
        openKep(app, kep, most).catch(sayTrouble);
      };
      return element("li", {}, button(printable(kep.directory || "(no folder)"), press));
    });
    list.replaceChildren(...items);
  };
  filter.addEventListener("input", fill);
  const dialog = open(`${counted(keps.length, "KEP", "KEPs")}: which one?`, field("Search", filter), list);
  fill();
  filter.focus();
}

/** Uses the facts of a repository, and says which count. */
export async function useFacts(app: App, text: string | null, name = "Facts of a file"): Promise<void> {
  const { words } = await app.session.useFacts(text);
  // With other facts, other rules report nothing.
  found<HTMLDetailsElement>("unchecked").open = false;
  const back = () => useFacts(app, null).catch(sayTrouble);
  const remove = text === null ? [] : [button("Use the built-in lists", back)];
  found("facts").replaceChildren(`${text === null ? "Built-in lists" : name}: ${printable(words)} `, ...remove);
  document.getElementById("get-facts")?.toggleAttribute("hidden", text !== null);
}

/** Fetches the facts beside the page. */
export async function getFacts(app: App): Promise<void> {
  const day = document.getElementById("get-facts")?.dataset.day ?? "";
  await useFacts(app, await (await beside("facts.json")).text(), `Facts of kubernetes/enhancements of ${day}`);
}

/** Opens a pull request or a KEP on GitHub: says what will be asked for, and asks only after a click. */
export function openGitHub(app: App): void {
  const input = element("input", {
    type: "url",
    required: true,
    placeholder: "https://github.com/kubernetes/enhancements/pull/1234",
    autocomplete: "off",
  });
  const what = element("div", { "aria-live": "polite" });
  const fields = [field("Address of a pull request, or of a KEP's folder or file", input), what];
  const { press } = ask("Open from GitHub", "Fetch", fields, async (dialog) => {
    const meant = parsed(input.value);
    if (!meant) {
      return;
    }
    const left: string[] = [];
    const log = listed([]);
    what.replaceChildren(element("p", {}, "Fetching:"), log);
    const asks = (it: string) => log.append(...listed([`\`${it}\``]).childNodes);
    const sources = await filesOf(meant, asks, (words) => left.push(words));
    // Who closed the dialog wants nothing replaced any more.
    if (dialog.isOpen()) {
      await openSources(app, sources);
      dialog.close();
      if (left.length > 0) {
        say(left.join(" "), "Open the address of a KEP's folder for another one.");
      }
    }
  });
  const show = () => {
    const meant = parsed(input.value);
    press.disabled = !meant;
    const words = meant
      ? "Your browser will ask GitHub for these, without a login, and nobody else:"
      : input.value === ""
        ? "Nothing is fetched before you press Fetch."
        : "This is no address of a pull request or of a KEP on github.com.";
    const lines = meant ? plan(meant).map((line) => `\`${line}\``) : [];
    what.replaceChildren(element("p", { class: !meant && "detail" }, words), listed(lines));
  };
  input.addEventListener("input", show);
  show();
  input.focus();
}
