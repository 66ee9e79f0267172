// Starts the page, and binds its buttons.
import { redo, undo } from "@codemirror/commands";
import review from "../../../fixtures/demo/keps/prod-readiness/sig-node/1.yaml";
import metadata from "../../../fixtures/demo/keps/sig-node/1-prefetch-images/kep.yaml";
import readme from "../../../fixtures/demo/keps/sig-node/1-prefetch-images/README.md";
import { App } from "./app";
import { showNew, showPromote, upgrade } from "./authoring";
import { open, working } from "./dialog";
import { element, found } from "./dom";
import type { Keeper } from "./first";
import { listen, showKeys } from "./keys";
import { withCode } from "./markdown";
import { say, sayTrouble } from "./notes";
import { getFacts, openGitHub, openSources } from "./opening";
import { showReady } from "./ready";
import { bindUnchecked, tryRule } from "./rules";
import { unpacked } from "./share";
import { copyComment, copyFile, copyLink, downloadAll, downloadFile } from "./sharing";
import { opened } from "./sources";
import { bindMenus, bindView } from "./view";

async function start(): Promise<void> {
  const app = new App();
  bindButtons(app);
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
  window.addEventListener("hashchange", () => followAddress(app).catch(sayTrouble));
  app.changed();
  const followed = followAddress(app).catch(sayTrouble);
  takeOver(app);
  await followed;
  await app.session.settled();
  document.documentElement.dataset.state = app.session.about ? "started" : "failed";
}

/** Does what was done before the page could do it, and what is opened from now on. */
function takeOver(app: App): void {
  const { keeper } = globalThis as unknown as { keeper: Keeper };
  const early = found<HTMLTextAreaElement>("early");
  const { value, selectionStart } = early;
  const isFocused = document.activeElement === early;
  early.remove();
  app.files.write(value, selectionStart, isFocused);
  keeper.take = (deed) => {
    if ("press" in deed) {
      found(deed.press).click();
    } else if ("text" in deed) {
      app.files.write(deed.text, deed.text.length, true);
    } else {
      document.body.classList.add("reading");
      const pane = app.files.all().find(({ host }) => host.shadowRoot?.contains(deed.on as Node | null));
      opened(deed.files)
        .then((sources) => openSources(app, sources, (pane ?? app.files.current).role))
        .catch(sayTrouble)
        .finally(() => document.body.classList.remove("reading"));
    }
  };
  for (const deed of keeper.kept.splice(0)) {
    keeper.take(deed);
  }
}

function bindButtons(app: App): void {
  const actions: Record<string, () => unknown> = {
    "open-github": () => openGitHub(app),
    "new-kep": () => showNew(app),
    sample: () => openSample(app),
    clear: () => app.load({ directory: null, readme: null, metadata: null, review: null, others: {} }, {}, false),
    "fix-all": () => app.fixAll(),
    undo: () => app.go(undo),
    redo: () => app.go(redo),
    promote: () => showPromote(app),
    upgrade: () => upgrade(app),
    ready: () => showReady(app),
    "copy-link": () => copyLink(app),
    "copy-comment": () => copyComment(app),
    "copy-file": () => copyFile(app),
    "download-file": () => downloadFile(app),
    "download-all": () => downloadAll(app),
    keys: showKeys,
    about: () => showAbout(app),
    "start-sample": () => openSample(app),
    "start-github": () => openGitHub(app),
    "start-new": () => showNew(app),
    // A site without facts has no button for them.
    ...(document.getElementById("get-facts") && { "get-facts": () => getFacts(app) }),
  };
  for (const [id, act] of Object.entries(actions)) {
    const press = found<HTMLButtonElement>(id);
    const once = working(press, act);
    press.addEventListener("click", () => once().catch(sayTrouble));
  }
}

/** Opens the KEP to look at first: the one of the project's README. Its place is that which kep.yaml says. */
function openSample(app: App): void {
  app.load({ directory: null, readme, metadata, review, others: {} }, { stage: "beta" }, true);
  say("This is a small KEP, checked for beta. Choose another stage to see what it asks.");
}

/** Opens what the address names: a state, or the example of a rule. */
async function followAddress(app: App): Promise<void> {
  const [name, value] = location.hash.slice(1).split(/=(.*)/s, 2);
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
}

function showAbout(app: App): void {
  const version = app.session.about?.version ?? "";
  const words = [
    `kep-lint ${version} checks Kubernetes enhancement proposals (KEPs). This page runs it in your browser.`,
    "Nothing is sent anywhere and nothing is stored: your text is in this page only, and it is gone when you close it. Only “Open from GitHub” asks GitHub, after a click, for what it shows. A link that you copy has your files in it, after the #, which browsers do not send.",
    "What is known of the repository, such as the numbers of KEPs and the PRR approvers, comes from the built-in lists, or from facts: those of kubernetes/enhancements, which a button below gets, or a file made by `kep-lint facts keps > facts.json` that you open here.",
  ];
  open("About this page", ...words.map((it) => element("p", {}, withCode(it))));
}

void start();
