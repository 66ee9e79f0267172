// Starts the page, and binds its buttons.
import { App } from "./app";
import { open } from "./dialog";
import { element, found } from "./dom";
import { environment } from "./environment";
import { tryRule } from "./explain";
import { listen, showKeys } from "./keys";
import { showNew } from "./new-kep";
import { say, sayTrouble } from "./notes";
import { openGitHub, openSources, useFacts } from "./opening";
import { showPromote, upgrade } from "./promote";
import { showReady } from "./ready";
import { sample } from "./sample";
import { unpacked } from "./share";
import { copyComment, copyFile, copyLink, downloadAll, downloadFile } from "./sharing";
import { chosen, dropped } from "./sources";
import { bindUnchecked } from "./unchecked";
import { bindMenus, bindView } from "./view";

async function start(): Promise<void> {
  const { worker, module, facts } = await environment();
  const app = new App(worker, module);
  await app.start();
  await useFacts(app, facts).catch(async (error) => {
    sayTrouble(error);
    // What is beside the site cannot be used: the built-in lists count.
    if (facts !== null) {
      await useFacts(app, null).catch(sayTrouble);
    }
  });
  bindButtons(app);
  bindDrop(app);
  bindMenus();
  bindView(app);
  bindUnchecked(app);
  listen(app);
  window.addEventListener("beforeunload", (event) => {
    if (app.files.isUnsaved) {
      event.preventDefault();
    }
  });
  // The address keeps its state, so that the way back does not open that again.
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    found("report").focus();
  });
  window.addEventListener("hashchange", () => void followAddress(app));
  await followAddress(app);
  await app.session.settled();
  document.documentElement.dataset.state = "started";
}

function bindButtons(app: App): void {
  const actions: Record<string, () => void> = {
    "open-files": () => void pick(app, false),
    "open-folder": () => void pick(app, true),
    "open-github": () => openGitHub(app),
    "open-facts": () => void pick(app, false),
    "new-kep": () => showNew(app),
    sample: () => openSample(app),
    clear: () => app.load({ directory: null, readme: null, metadata: null, review: null, others: {} }, {}, false),
    "fix-all": () => void app.fixAll(),
    undo: () => app.undo(),
    redo: () => app.redo(),
    promote: () => showPromote(app),
    upgrade: () => void upgrade(app),
    ready: () => void showReady(app),
    "copy-link": () => void copyLink(app),
    "copy-comment": () => void copyComment(app),
    "copy-file": () => void copyFile(app),
    "download-file": () => downloadFile(app),
    "download-all": () => downloadAll(app),
    keys: showKeys,
    about: () => showAbout(app),
    "start-sample": () => openSample(app),
    "start-files": () => void pick(app, false),
    "start-github": () => openGitHub(app),
    "start-new": () => showNew(app),
  };
  for (const [id, act] of Object.entries(actions)) {
    found(id).addEventListener("click", act);
  }
}

function openSample(app: App): void {
  app.load(sample(), { stage: "beta" }, true);
  say("This is a small KEP, checked for beta. Choose another stage to see what it asks.");
}

async function pick(app: App, isFolder: boolean): Promise<void> {
  const input = element("input", {
    type: "file",
    multiple: true,
    webkitdirectory: isFolder,
    class: "unseen",
    "aria-hidden": "true",
    tabindex: -1,
  });
  document.body.append(input);
  input.addEventListener("cancel", () => input.remove());
  input.addEventListener("change", async () => {
    input.remove();
    const sources = await chosen(input.files ?? []).catch(sayTrouble);
    if (sources) {
      await openSources(app, sources, app.files.current.role);
    }
  });
  input.click();
}

/** Files are opened wherever they are dropped; the editors would put them into the text. */
function bindDrop(app: App): void {
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
  const over = (event: DragEvent) => {
    if (hasFiles(event)) {
      event.preventDefault();
      event.stopPropagation();
      document.body.classList.add("dropping");
    }
  };
  const leave = (event: DragEvent) => {
    if (event.relatedTarget === null) {
      document.body.classList.remove("dropping");
    }
  };
  const drop = (event: DragEvent) => {
    document.body.classList.remove("dropping");
    if (!hasFiles(event) || !event.dataTransfer) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const pane = app.files.all().find(({ host }) => event.composedPath().includes(host));
    document.body.classList.add("reading");
    dropped(event.dataTransfer)
      .then((sources) => openSources(app, sources, (pane ?? app.files.current).role))
      .catch(sayTrouble)
      .finally(() => document.body.classList.remove("reading"));
  };
  document.addEventListener("dragenter", over, true);
  document.addEventListener("dragover", over, true);
  document.addEventListener("dragleave", leave, true);
  document.addEventListener("drop", drop, true);
}

/** Opens what the address names: a state, or the example of a rule. */
async function followAddress(app: App): Promise<void> {
  const [name, value] = location.hash.slice(1).split(/=(.*)/s, 2);
  try {
    if (name === "kep" && value) {
      const { kep, settings } = await unpacked(value);
      const isReplaced = !app.files.isEmpty;
      app.load(kep, settings, true);
      if (isReplaced) {
        say("These are the files of the link. Undo brings back what was here.");
      }
    } else if (name === "try" && value) {
      await tryRule(app, value.slice(0, 100));
    }
  } catch (error) {
    sayTrouble(error);
  }
}

function showAbout(app: App): void {
  open(
    "About this page",
    element(
      "p",
      {},
      `kep-lint ${app.about?.version ?? ""} checks Kubernetes enhancement proposals (KEPs). This page runs it in your browser.`,
    ),
    element(
      "p",
      {},
      "Nothing is sent anywhere and nothing is stored: your text is in this page only, and it is gone when you close it. Only “Open from GitHub” asks GitHub, after a click, for what it shows. A link that you copy has your files in it, after the #, which browsers do not send.",
    ),
    element(
      "p",
      {},
      "What is known of the repository, such as the numbers of KEPs and the PRR approvers, comes from the built-in lists, or from a file made by ",
      element("code", {}, "kep-lint facts keps > facts.json"),
      " that you open here.",
    ),
  );
}

start().catch((error) => {
  sayTrouble(error);
  document.documentElement.dataset.state = "failed";
});
