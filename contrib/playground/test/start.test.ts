// What a visitor can do before all of the page is there: nothing that is written, dropped, pasted or pressed is lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser } from "./started";
import { serve, Tab } from "./support";

const README = "# KEP-1: Prefetch images\n\n## Summary\n\nIt is is good.\n";
const KEP = "title: Prefetch images\nkep-number: 1\nowning-sig: sig-node\nstatus: implementable\nstage: alpha\n";

/** A page whose script and engine come when the test says so. */
async function slowly(act: (tab: Tab, comes: (name: "page.js" | "kep-lint.wasm") => void) => Promise<void>) {
  const comes: Record<string, () => void> = {};
  const held: Record<string, Promise<void>> = {};
  for (const name of ["page.js", "kep-lint.wasm"]) {
    held[name] = new Promise((resolve) => {
      comes[name] = resolve;
    });
  }
  const { address, server } = await serve({}, held);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(10_000);
  const tab = new Tab(context, await context.newPage());
  await tab.page.goto(address, { waitUntil: "commit" });
  await tab.page.waitForSelector("#loading");
  await act(tab, (name) => comes[name]?.());
  assert.deepEqual(tab.complaints, []);
  await tab.close();
  server.close();
}

test("what is written and dropped before the script is there is in the editors before the engine is", async () => {
  await slowly(async (tab, comes) => {
    assert.match((await tab.page.textContent("#loading")) ?? "", /^Loading the checks \(1\.\d MB\)/);
    await tab.page.click("#early");
    await tab.page.keyboard.type("# KEP-1: A");
    await tab.page.keyboard.press("Enter");
    await tab.drop({ "kep.yaml": KEP });
    comes("page.js");
    await tab.editor("README.md").waitFor({ state: "attached" });
    assert.equal(await tab.text("README.md"), "# KEP-1: A\n");
    await tab.editor("README.md").click();
    await tab.page.keyboard.press("Control+End");
    await tab.page.keyboard.type("It is is good.");
    assert.equal(await tab.text("kep.yaml"), KEP);
    assert.ok(await tab.page.isVisible("#loading"));
    comes("kep-lint.wasm");
    await tab.page.waitForSelector("html[data-state=started]");
    await tab.settled();
    assert.ok((await tab.rules()).includes("missing-key"));
    assert.ok(await tab.page.isHidden("#loading"));
  });
});

test("what is pressed or pasted before the page is there is done then", async () => {
  await slowly(async (tab, comes) => {
    await tab.page.click("#start-sample");
    await tab.page.click("[popovertarget=view-menu]");
    await tab.page.click("#keys");
    assert.ok(await tab.page.isHidden("#view-menu"));
    comes("page.js");
    await tab.page.waitForSelector("dialog:has-text('the next finding')");
    await tab.page.keyboard.press("Escape");
    assert.match(await tab.text("README.md"), /^# KEP-1: Prefetch images/);
    // The checklist needs the engine, and comes once, however often it was asked for.
    await tab.page.click("#ready");
    await tab.page.click("#ready", { force: true });
    comes("kep-lint.wasm");
    await tab.page.waitForSelector("dialog .verdict");
    assert.equal(await tab.page.locator("dialog").count(), 1);
  });
  await slowly(async (tab, comes) => {
    await tab.page.evaluate((text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, README);
    comes("page.js");
    comes("kep-lint.wasm");
    await tab.page.waitForSelector("html[data-state=started]");
    assert.equal(await tab.text("README.md"), README);
  });
});

test("files are chosen before the page is there", async () => {
  await slowly(async (tab, comes) => {
    const choosing = tab.page.waitForEvent("filechooser");
    await tab.page.click("#start-files");
    await (await choosing).setFiles({ name: "README.md", mimeType: "text/markdown", buffer: Buffer.from(README) });
    comes("page.js");
    await tab.editor("README.md").waitFor({ state: "attached" });
    await tab.page.waitForFunction(() => document.getElementById("welcome")?.hidden);
    assert.equal(await tab.text("README.md"), README);
    comes("kep-lint.wasm");
  });
});

test("a site without its engine says so, and the next change tries again", async () => {
  const replaced: Record<string, string> = { "kep-lint.wasm": "no engine" };
  const { address, server } = await serve(replaced);
  const context = await browser.newContext();
  const tab = new Tab(context, await context.newPage());
  await tab.page.goto(address);
  await tab.page.waitForSelector("html[data-state=failed]");
  assert.match((await tab.page.textContent("#loading")) ?? "", /^The checks could not be loaded: .*next change/);
  delete replaced["kep-lint.wasm"];
  await tab.paste("README.md", README);
  await tab.page.waitForSelector("#lacks li");
  assert.ok(await tab.page.isHidden("#loading"));
  await context.close();
  server.close();
});
