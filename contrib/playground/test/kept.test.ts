// What must not be lost, and what must not be said: texts under other texts, findings of other texts, and of some rules only.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { packed } from "../src/share";
import { address, browser } from "./started";
import { SITE, serve, Tab } from "./support";

const README = "# KEP-1: Prefetch images\n\n## Summary\n\nIt is is good.\n";
const KEP = "title: Prefetch images\nkep-number: 1\nowning-sig: sig-node\nstatus: implementable\nstage: alpha\n";
const SETTINGS = { stage: null, release: null, preset: null, level: null, config: null, select: null };
const NOTHING = { directory: null, readme: null, metadata: null, review: null, others: {} };

async function openLink(tab: Tab, hash: string): Promise<void> {
  await tab.page.evaluate((hash) => {
    location.hash = hash;
  }, hash);
  await tab.message(/Undo brings back/);
  await tab.settled();
}

/** What the browser asks when the page is closed; `null` if nothing. */
async function closing(tab: Tab): Promise<string | null> {
  let asked: string | null = null;
  tab.page.on("dialog", (dialog) => {
    asked = dialog.type();
    void dialog.accept();
  });
  await Promise.all([tab.page.waitForEvent("close"), tab.page.close({ runBeforeUnload: true })]);
  return asked;
}

test("a document beside a README does not take its place", async () => {
  const tab = await Tab.open(browser, address);
  await tab.drop({ "README.md": README, "notes.md": "# Notes\n" });
  await tab.settled();
  assert.equal(await tab.text("README.md"), README);
  assert.equal(await tab.text("notes.md"), "# Notes\n");
  await tab.close();
});

test("what another KEP was not checked for is checked again", async () => {
  const tab = await Tab.open(browser, address);
  await tab.paste("README.md", README);
  const whole = await tab.rules();
  const only = async () => (await tab.page.textContent("#counts"))?.startsWith("Only ") ?? false;
  await openLink(tab, "try=dead-anchor");
  assert.ok(await only(), "the page says that other rules are not checked");
  await tab.page.click("#undo");
  await tab.settled();
  assert.equal(await only(), false);
  assert.deepEqual(await tab.rules(), whole);
  await tab.page.click("#redo");
  await tab.settled();
  assert.ok(await only());
  await tab.drop({ "README.md": "# KEP-9: Dropped\n" });
  await tab.settled();
  assert.equal(await only(), false);
  await tab.page.click("#undo");
  await tab.settled();
  assert.ok(await only());
  const zip = zipSync({ "1-a/README.md": strToU8(README), "1-a/kep.yaml": strToU8(KEP) });
  await tab.drop({ "kep.zip": [...zip] });
  await tab.settled();
  assert.equal(await only(), false);
  assert.ok((await tab.rules()).includes("missing-section"));
  const state = { kep: { ...NOTHING, readme: README }, settings: { ...SETTINGS, level: "error" } };
  await openLink(tab, `kep=${await packed(state)}`);
  assert.match((await tab.page.textContent("#counts")) ?? "", /^Shown from error on/);
  await tab.page.click("#config button");
  await tab.settled();
  assert.deepEqual(await tab.rules(), whole);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("nothing of an older text is used for one that cannot be checked", async () => {
  const tab = await Tab.open(browser, address);
  await tab.sample();
  const before = await tab.text("README.md");
  assert.ok(await tab.page.isEnabled("#fix-all"));
  await tab.drop({ "kep.yaml": `${KEP}# ${"x".repeat(100)}\n` });
  await tab.settled();
  await tab.page.click('[role=tab]:has-text("README.md")');
  await tab.paste("README.md", "word\n".repeat(500_000));
  await tab.page.locator("#findings .failure").waitFor();
  assert.ok(await tab.page.isDisabled("#fix-all"));
  assert.equal(await tab.page.locator("#tabs .badge").count(), 0);
  await tab.menu("share-menu", "copy-comment");
  await tab.message(/2 MiB/);
  await tab.page.click("#promote");
  await tab.page.click("dialog button[type=submit]");
  await tab.page.locator("dialog .trouble").getByText(/2 MiB/).waitFor();
  await tab.page.keyboard.press("Escape");
  await tab.page.click("#undo");
  await tab.settled();
  assert.equal(await tab.text("README.md"), before);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("files that are closed come back, also without a README", async () => {
  const tab = await Tab.open(browser, address);
  await tab.drop({ "kep.yaml": KEP });
  await tab.settled();
  await tab.menu("open-menu", "clear");
  await tab.page.click("#undo");
  await tab.settled();
  assert.equal(await tab.text("kep.yaml"), KEP);
  await tab.close();
});

test("a link does not make work that is not saved look saved", async () => {
  const tab = await Tab.open(browser, address);
  await tab.paste("README.md", README);
  const state = { kep: { ...NOTHING, readme: "# KEP-2: Other\n" }, settings: SETTINGS };
  await openLink(tab, `kep=${await packed(state)}`);
  await tab.editor("README.md").click();
  assert.equal(await closing(tab), "beforeunload");
  await tab.close();

  const clean = await Tab.open(browser, `${address}#kep=${await packed(state)}`);
  await clean.editor("README.md").click();
  assert.equal(await closing(clean), null);
  await clean.close();
});

test("the way to the findings leaves the address alone", async () => {
  const state = { kep: { ...NOTHING, readme: README }, settings: SETTINGS };
  const tab = await Tab.open(browser, `${address}#kep=${await packed(state)}`);
  await tab.page.focus(".skip");
  await tab.page.keyboard.press("Enter");
  assert.equal(await tab.page.evaluate(() => document.activeElement?.id), "report");
  assert.match(tab.page.url(), /#kep=/);
  await tab.close();
});

test("the focus goes back to the menu that a dialog was opened from", async () => {
  const tab = await Tab.open(browser, address);
  for (const [menu, choice] of [
    ["view-menu", "keys"],
    ["open-menu", "open-github"],
  ] as const) {
    await tab.page.focus(`[popovertarget=${menu}]`);
    await tab.page.keyboard.press("ArrowDown");
    await tab.page.focus(`#${choice}`);
    await tab.page.keyboard.press("Enter");
    await tab.page.waitForSelector("dialog[open]");
    await tab.page.keyboard.press("Escape");
    await tab.page.waitForSelector("dialog", { state: "detached" });
    const focused = await tab.page.evaluate(() => document.activeElement?.getAttribute("popovertarget"));
    assert.equal(focused, menu);
  }
  await tab.close();
});

test("no file of an archive takes the place of another one", async () => {
  const others = { "a:b.md": "1\n", "c:d.md": "2\n", "notes.md": "3\n" };
  const tab = await Tab.open(
    browser,
    `${address}#kep=${await packed({ kep: { ...NOTHING, readme: README, metadata: KEP, others }, settings: SETTINGS })}`,
  );
  const waiting = tab.page.waitForEvent("download");
  await tab.menu("share-menu", "download-all");
  const back = unzipSync(readFileSync(await (await waiting).path()));
  const texts = Object.values(back).map((bytes) => strFromU8(bytes));
  assert.deepEqual(texts.sort(), [README, KEP, "1\n", "2\n", "3\n"].sort());
  assert.ok(Object.hasOwn(back, "keps/sig-node/1-prefetch-images/notes.md"), Object.keys(back).join(" "));
  await tab.close();
});

test("what is written while a check fails is checked", async () => {
  // A text with these words makes the engine fail after a while, as an unknown fault would.
  const source = readFileSync(path.join(SITE, "worker.js"), "utf8");
  const faulty = `
    const { stringify } = JSON;
    JSON.stringify = (value) => {
      if (value.kep?.readme?.includes("FAIL HERE")) {
        const end = Date.now() + 1_000;
        while (Date.now() < end);
        throw new WebAssembly.RuntimeError("unreachable");
      }
      return stringify(value);
    };
    ${source}`;
  const { address: place, server: other } = await serve({ "worker.js": faulty });
  const tab = await Tab.open(browser, place);
  await tab.stage("alpha");
  await tab.editor("README.md").focus();
  await tab.page.keyboard.insertText("FAIL HERE");
  // The check has begun: only then is the next change one that comes in the meantime.
  await tab.page.waitForTimeout(200);
  await tab.page.keyboard.press("Control+a");
  await tab.page.keyboard.insertText("# KEP-1: A\n\nIt is is good.\n");
  await tab.settled();
  assert.ok((await tab.rules()).includes("doubled-word"));
  await tab.close();
  other.close();
});

test("an editor that cannot draw a change goes on with its text", async () => {
  const tab = await Tab.open(browser, address);
  const readme = README.replace("is is", "is");
  await tab.stage("alpha");
  await tab.paste("README.md", readme);
  await tab.editor("README.md").focus();
  await tab.page.keyboard.press("Control+End");
  // As a fault of the editor's library would, once.
  await tab.editor("README.md").evaluate((content) => {
    const { cmTile } = content as unknown as { cmTile: { root: { view: { docView: { update: () => void } } } } };
    cmTile.root.view.docView.update = () => {
      throw new Error("No tile");
    };
  });
  await tab.page.keyboard.insertText("It is is fast.");
  await tab.page.keyboard.insertText(" Yes.");
  await tab.settled();
  assert.equal(await tab.text("README.md"), `${readme}It is is fast. Yes.`);
  assert.ok((await tab.rules()).includes("doubled-word"));
  await tab.close();
});
