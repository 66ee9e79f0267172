// What people do with the page: open files, fix findings, undo, ask what a stage needs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { address, browser } from "./started";
import { Tab } from "./support";

/** A test with a page of its own, which must not complain. */
function withPage(name: string, act: (tab: Tab) => Promise<void>): void {
  test(name, async () => {
    const tab = await Tab.open(browser, address);
    try {
      await act(tab);
      assert.deepEqual(tab.complaints, []);
    } finally {
      await tab.close();
    }
  });
}

const README = "# KEP-1: Prefetch images\n\n## Summary\n\nIt is is good.\n";
const KEP =
  'title: Prefetch images\nkep-number: 1\nauthors:\n  - "@a"\nowning-sig: sig-node\nstatus: implementable\nstage: alpha\n';

withPage("what is pasted is checked", async (tab) => {
  assert.ok(await tab.page.isVisible("#welcome"));
  await tab.paste("README.md", README);
  assert.ok(await tab.page.isHidden("#welcome"));
  // Without kep.yaml and a stage, nobody knows which sections it needs.
  assert.match((await tab.page.textContent("#kep")) ?? "", /Checked for v1\.\d+$/);
  assert.ok(!(await tab.rules()).includes("missing-section"));
  await tab.stage("alpha");
  assert.ok((await tab.rules()).includes("missing-section"));
  assert.equal(await tab.text("README.md"), README);
});

withPage("what is not open is not missing, and can be added", async (tab) => {
  await tab.paste("README.md", README);
  const lacks = () => tab.page.locator("#lacks li").allTextContents();
  assert.match(
    (await lacks()).join(),
    /^kep.yaml is not open here: Add itUntil then, only what every README needs is checked/,
  );
  assert.ok(!(await tab.rules()).includes("missing-kep-yaml"));
  await tab.page.click("#ready");
  await tab.page.locator("dialog li", { hasText: "not known here: kep.yaml is not open" }).first().waitFor();
  assert.equal(await tab.page.locator("dialog li", { hasText: "kep.yaml is missing" }).count(), 0);
  await tab.page.keyboard.press("Escape");
  await tab.page.click("#lacks button");
  assert.equal(await tab.page.getAttribute('[role=tab]:has-text("kep.yaml")', "aria-selected"), "true");
  await tab.paste("kep.yaml", `${KEP}latest-milestone: "v1.37"\n`);
  assert.match((await lacks()).join(), /^the PRR file is not open here/);
  assert.doesNotMatch((await tab.page.textContent("#kep")) ?? "", /keps\//);
  assert.ok(!(await tab.rules()).includes("missing-prr"));
  await tab.drop({ OWNERS: "approvers:\n  - a\n" });
  await tab.settled();
  assert.match(await tab.text("OWNERS"), /approvers/);
  assert.match(await tab.text("README.md"), /^# KEP-1/);
});

withPage("of an archive, links are followed, and only the configuration of its root counts", async (tab) => {
  const link = [strToU8("../2-b/README.md"), { os: 3, attrs: 0xa1ff << 16 }] as [Uint8Array, object];
  const files = {
    "x/keps\\sig-node\\1-a\\kep.yaml": strToU8(KEP),
    "x/keps/sig-node/1-a/README.md": link,
    "x/keps/sig-node/2-b/README.md": strToU8(README),
    "x/keps/sig-node/1-a/.kep-lint.yaml": strToU8("rules: {doubled-word: off}\n"),
    "x/.kep-lint.yaml": strToU8("rules: {stale-toc: off}\n"),
    "x/package.json": strToU8("{}"),
  };
  await tab.drop({ "kep.zip": [...zipSync(files as any)], "package.json": "{}" });
  await tab.message("Opened 2 files");
  await tab.settled();
  assert.equal(await tab.text("README.md"), README);
  assert.equal(await tab.text("kep.yaml"), KEP);
  assert.equal(await tab.page.textContent("#config"), "");
  await tab.drop({ "kep.zip": [...zipSync(files as any)] });
  await tab.page.locator("#config", { hasText: "Configuration: x/.kep-lint.yaml" }).waitFor();
  await tab.page.click("#config button:has-text('Show')");
  await tab.page.locator("dialog pre", { hasText: "stale-toc: off" }).waitFor();
  await tab.page.keyboard.press("Escape");
  const alone = { "1-a/README.md": link, "1-a/kep.yaml": strToU8(KEP) };
  await tab.drop({ "alone.zip": [...zipSync(alone as any)] });
  await tab.message("1-a/README.md is a link to ../2-b/README.md, which is not in the archive.");
});

withPage("a file that is chosen before the check ends stays in sight", async (tab) => {
  const yaml = strToU8("title: Prefetch\nkep-number: 1\n");
  const zip = [...zipSync({ "1-a/README.md": strToU8("# KEP-1: Prefetch\n"), "1-a/kep.yaml": yaml })];
  const selected = () => tab.page.textContent("[role=tab][aria-selected=true]");
  await tab.drop({ "kep.zip": zip });
  await tab.settled();
  assert.match((await selected()) ?? "", /^kep\.yaml/, "the first finding is in sight");
  await tab.page.evaluate(() => {
    const choose = () => document.querySelector<HTMLElement>("[role=tab]")?.click();
    const watch = new MutationObserver(() => document.body.classList.contains("reading") || choose());
    watch.observe(document.body, { attributeFilter: ["class"] });
  });
  await tab.drop({ "kep.zip": zip });
  await tab.settled();
  assert.match((await selected()) ?? "", /^README\.md/);
});

withPage("files that are dropped are opened by their names, anywhere", async (tab) => {
  const kep = `${KEP}approvers:\n  - "@b"\nlatest-milestone: "v1.37"\n`;
  await tab.drop({ "kep.yaml": kep, "README.md": README });
  await tab.settled();
  // The first finding is in sight.
  assert.match((await tab.page.locator(".finding .facts").first().textContent()) ?? "", /^README\.md:/);
  assert.match((await tab.page.textContent("[role=tab][aria-selected=true]")) ?? "", /^README\.md/);
  assert.equal(await tab.text("README.md"), README);
  assert.equal(await tab.text("kep.yaml"), kep);
  assert.match((await tab.page.textContent("#kep")) ?? "", /sig-node · implementable · alpha/);
  // On an editor too, where the browser would put it into the text.
  await tab.page.click('[role=tab]:has-text("README.md")');
  const other = README.replace("good", "better");
  await tab.drop({ "README.md": other }, '.cm-content[aria-label="README.md"]');
  assert.equal(await tab.text("README.md"), other);
  assert.equal(await tab.text("kep.yaml"), kep);
});

withPage("a file that is dropped over work can be undone", async (tab) => {
  await tab.paste("README.md", "my work\n");
  await tab.drop({ "README.md": README, "kep.yaml": KEP });
  await tab.settled();
  assert.equal(await tab.text("README.md"), README);
  await tab.page.click('[role=tab]:has-text("README.md")');
  await tab.page.click("#undo");
  await tab.settled();
  assert.equal(await tab.text("README.md"), "my work\n");
  // It was one step, so that the other file is gone too, and both come back.
  assert.equal(await tab.editor("kep.yaml").locator(".cm-placeholder").count(), 1);
  await tab.page.click('[role=tab]:has-text("README.md")');
  await tab.page.click("#redo");
  assert.equal(await tab.text("README.md"), README);
  assert.equal(await tab.text("kep.yaml"), KEP);
});

withPage("line ends and a byte order mark stay", async (tab) => {
  const texts: Record<string, string> = {
    "README.md": "\ufeff# KEP-1: A\r\n\r\nText\r\n",
    "kep.yaml": "a: b\r\nc: d\n",
  };
  await tab.drop(texts);
  await tab.settled();
  for (const [name, text] of Object.entries(texts)) {
    assert.equal(await tab.text(name), text);
  }
  // The Enter key writes what the others lines end with.
  await tab.page.click('[role=tab]:has-text("README.md")');
  await tab.editor("README.md").click();
  await tab.page.keyboard.press("Control+End");
  await tab.page.keyboard.type("more");
  await tab.page.keyboard.press("Enter");
  await tab.paste("README.md", "a\r\nb\nc");
  assert.equal(await tab.text("README.md"), `${texts["README.md"]}more\r\na\r\nb\r\nc`);
});

withPage("a file that is not text is refused, and nothing changes", async (tab) => {
  await tab.paste("README.md", README);
  await tab.drop({ "README.md": [0x23, 0xff, 0xfe] });
  await tab.message("README.md is not UTF-8 text.");
  await tab.drop({ "picture.png": [1, 2, 3] });
  await tab.message("There is no KEP in picture.png.");
  await tab.drop({ "README.md": "a".repeat((2 << 20) + 1) });
  await tab.message(/2097153 bytes/);
  assert.equal(await tab.text("README.md"), README);
});

const DIRECTORY = "enhancements-main/keps/sig-node";
const PRR = "kep-number: 1\nalpha:\n  approver: '@johnbelamaric'\n";

withPage("the KEP of a zip is opened", async (tab) => {
  const files = {
    [`${DIRECTORY}/1-prefetch/README.md`]: strToU8(README),
    [`${DIRECTORY}/1-prefetch/kep.yaml`]: strToU8(KEP),
    [`${DIRECTORY}/1-prefetch/notes.md`]: strToU8("# Notes\n"),
    "enhancements-main/keps/prod-readiness/sig-node/1.yaml": strToU8(PRR),
  };
  await tab.drop({ "kep.zip": [...zipSync(files)] });
  await tab.message("Opened 4 files");
  await tab.settled();
  assert.equal(await tab.text("README.md"), README);
  assert.equal(await tab.text("1.yaml"), PRR);
  assert.equal(await tab.text("notes.md"), "# Notes\n");
  assert.match((await tab.page.textContent("#kep")) ?? "", /keps\/sig-node\/1-prefetch$/);

  // A document that is emptied stays, so that this can be undone; another KEP closes it.
  await tab.page.click('[role=tab]:has-text("notes.md")');
  await tab.editor("notes.md").focus();
  await tab.page.keyboard.press("Control+a");
  await tab.page.keyboard.press("Delete");
  await tab.settled();
  await tab.page.click("#undo");
  assert.equal(await tab.text("notes.md"), "# Notes\n");
  await tab.menu("open-menu", "sample");
  await tab.settled();
  assert.ok(await tab.page.isHidden('[role=tab]:has-text("notes.md")'));
  await tab.page.click('[role=tab]:has-text("README.md")');
  await tab.page.click("#undo");
  await tab.settled();

  // And all of it goes back into a zip.
  const waiting = tab.page.waitForEvent("download");
  await tab.menu("share-menu", "download-all");
  const download = await waiting;
  assert.equal(download.suggestedFilename(), "1-prefetch.zip");
  const back = unzipSync(readFileSync(await download.path()));
  const texts = Object.fromEntries(Object.entries(back).map(([name, bytes]) => [name, strFromU8(bytes)]));
  assert.deepEqual(texts, {
    "keps/sig-node/1-prefetch/README.md": README,
    "keps/sig-node/1-prefetch/kep.yaml": KEP,
    "keps/sig-node/1-prefetch/notes.md": "# Notes\n",
    "keps/prod-readiness/sig-node/1.yaml": PRR,
  });
});

withPage("paths that lead elsewhere do not get into a zip", async (tab) => {
  const kep = KEP.replace("sig-node", '"..\\\\..\\\\sig"').replace("Prefetch images", "../../x");
  const files = {
    "a/b\\..\\c/kep.yaml": strToU8(kep),
    "a/b\\..\\c/README.md": strToU8(README),
    "a/b\\..\\c/x:y.md": strToU8("# X\n"),
  };
  await tab.drop({ "kep.zip": [...zipSync(files)] });
  await tab.message("Opened 3 files");
  await tab.settled();
  const waiting = tab.page.waitForEvent("download");
  await tab.menu("share-menu", "download-all");
  const names = Object.keys(unzipSync(readFileSync(await (await waiting).path())));
  assert.equal(names.length, 3);
  for (const name of names) {
    assert.doesNotMatch(name, /\\|:|(^|\/)\.*(\/|$)/);
  }
});

withPage("a folder is opened by a drop or by a dialog", async (tab) => {
  const folder = path.resolve(import.meta.dirname, "../../../fixtures/demo/keps");
  const readme = readFileSync(path.join(folder, "sig-node/1-prefetch-images/README.md"), "utf8");
  // As a hand drops it: the browser reads the folder.
  const browser = await tab.context.newCDPSession(tab.page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await browser.send("Input.dispatchDragEvent", { type, x: 300, y: 400, data });
  }
  await tab.page.waitForSelector("dialog:has-text('which one?')");
  await tab.page.click("dialog .keps button:has-text('1-prefetch-images')");
  await tab.message("Opened 3 files");
  await tab.settled();
  assert.equal(await tab.text("README.md"), readme);
  assert.match(await tab.text("1.yaml"), /kep-number: 1/);
  assert.match((await tab.page.textContent("#kep")) ?? "", /keps\/sig-node\/1-prefetch-images$/);

  const choosing = tab.page.waitForEvent("filechooser");
  await tab.menu("open-menu", "open-folder");
  await (await choosing).setFiles(path.join(folder, "sig-storage/4-snapshot-hints"));
  await tab.message("Opened 2 files");
  assert.match(await tab.text("README.md"), /^# KEP-4/);
});

withPage("of several KEPs one is chosen", async (tab) => {
  const kep = (number: number) =>
    [`${DIRECTORY}/${number}-x/kep.yaml`, strToU8(KEP.replace("number: 1", `number: ${number}`))] as const;
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => kep(at + 1)));
  await tab.drop({ "keps.zip": [...zipSync(files)] });
  await tab.page.waitForSelector("dialog:has-text('300 KEPs: which one?')");
  await tab.page.fill("dialog input", "/250-");
  await tab.page.click("dialog .keps button");
  await tab.message("Opened 1 file");
  assert.match(await tab.text("kep.yaml"), /kep-number: 250/);
});

withPage("a zip that may be larger than 4 GiB is opened", async (tab) => {
  const zip = zipSync({ [`${DIRECTORY}/1-x/README.md`]: strToU8(README), [`${DIRECTORY}/1-x/kep.yaml`]: strToU8(KEP) });
  const end = zip.length - 22;
  const start = new DataView(zip.buffer).getUint32(end + 16, true);
  // A second end record says how many files there are and where their list begins. What follows it says where it begins.
  const bytes = new Uint8Array(zip.length + 56 + 20);
  bytes.set(zip.slice(0, end));
  bytes.set(zip.slice(end), end + 76);
  const view = new DataView(bytes.buffer);
  const words = [
    [end, 0x06064b50],
    [end + 4, 44],
    [end + 24, 2],
    [end + 32, 2],
    [end + 40, end - start],
    [end + 48, start],
    [end + 56, 0x07064b50],
    [end + 64, end],
    [end + 72, 1],
    [end + 84, 0xffffffff],
    [end + 88, 0xffffffff],
    [end + 92, 0xffffffff],
  ] as const;
  for (const [at, word] of words) {
    view.setUint32(at, word, true);
  }
  await tab.drop({ "large.zip": [...bytes] });
  await tab.message("Opened 2 files");
  assert.equal(await tab.text("README.md"), README);
});

withPage("a zip that is damaged is refused", async (tab) => {
  await tab.drop({ "a.zip": "PK no zip" });
  await tab.message("a.zip cannot be read as a zip archive.");
  const zip = zipSync({ "1-x/README.md": strToU8(README.repeat(50)) });
  await tab.drop({ "b.zip": [...zip.slice(0, -8)] });
  await tab.page.locator(".note.trouble").nth(1).waitFor();
  // With a smaller size in its directory, a file would be cut.
  const directory = zip.length - 22 - 46 - "1-x/README.md".length;
  const view = new DataView(zip.buffer);
  assert.equal(view.getUint32(directory + 24, true), README.length * 50);
  view.setUint32(directory + 24, README.length * 50 - 9, true);
  await tab.drop({ "c.zip": [...zip] });
  await tab.message("1-x/README.md cannot be unpacked.");
  assert.equal(await tab.page.isVisible("#welcome"), true);
});

withPage("a fix is one step, and can be undone", async (tab) => {
  await tab.sample();
  const before = await tab.counts();
  assert.ok((before.error ?? 0) > 5);
  const item = tab.page.locator('.finding[data-rule="stale-toc"]').first();
  await item.locator("button.fix").click();
  await tab.message("Fixed. Undo takes it back.");
  await tab.settled();
  assert.ok(!(await tab.rules()).includes("stale-toc"));
  await tab.page.click("#undo");
  await tab.settled();
  assert.deepEqual(await tab.counts(), before);
});

withPage("all safe fixes are one step", async (tab) => {
  await tab.sample();
  const before = await tab.counts();
  await tab.page.click("#fix-all");
  await tab.message(/Fixed \d+ finding/);
  await tab.settled();
  assert.ok(await tab.page.isDisabled("#fix-all"));
  const after = await tab.counts();
  assert.ok((after.error ?? 0) < (before.error ?? 0));
  await tab.page.click("#undo");
  assert.deepEqual(await tab.counts(), before);
});

withPage("a fix of a file that is not in sight brings it there", async (tab) => {
  const title = "Prefetch images";
  await tab.drop({ "README.md": `# KEP-1: ${title}\n`, "kep.yaml": KEP.replace("implementable", "Implementable") });
  await tab.settled();
  await tab.page.click('[role=tab]:has-text("README.md")');
  await tab.page.locator('.finding[data-rule="invalid-status"] button.fix').click();
  await tab.message("Fixed.");
  assert.equal(await tab.page.getAttribute('[role=tab]:has-text("kep.yaml")', "aria-selected"), "true");
  await tab.page.click("#undo");
  await tab.page.click('[role=tab]:has-text("README.md")');
  await tab.settled();
  await tab.page.click("#fix-all");
  await tab.message(/Fixed \d/);
  assert.match(await tab.text("kep.yaml"), /status: implementable/);
});

withPage("stages show what each asks", async (tab) => {
  await tab.sample();
  const totals: number[] = [];
  for (const stage of ["alpha", "beta", "stable"]) {
    await tab.stage(stage);
    assert.match((await tab.page.textContent("#kep")) ?? "", new RegExp(`Checked for ${stage}`));
    const counts = await tab.counts();
    totals.push((counts.error ?? 0) + (counts.warning ?? 0) + (counts.suggestion ?? 0));
  }
  const [alpha, beta, stable] = totals as [number, number, number];
  assert.ok(alpha < beta && beta < stable, String(totals));
  await tab.stage("");
  await tab.page.selectOption("#release", "v1.36");
  await tab.settled();
  assert.match((await tab.page.textContent("#counts")) ?? "", /v1\.36/);
});

withPage("a click on a finding leads to its place, also in another file", async (tab) => {
  await tab.sample();
  await tab.page.locator('.finding[data-rule="prr-approver"] button.jump').first().click();
  assert.equal(await tab.page.getAttribute('[role=tab]:has-text("1.yaml")', "aria-selected"), "true");
  assert.ok(await tab.editor("PRR file").evaluate((it) => (it.getRootNode() as ShadowRoot).activeElement === it));
});

withPage("what is hovered is explained, and a finding has its fixes there", async (tab) => {
  await tab.sample();
  await tab.editor("README.md").locator(".cm-line", { hasText: "## Summary" }).getByText("Summary").hover();
  await tab.page.locator(".cm-tooltip .guidance").getByText("Summary").first().waitFor();
  await tab.page.mouse.move(700, 20);
  await tab.editor("README.md").locator(".cm-lintRange-error").first().hover();
  await tab.page.locator(".cm-diagnosticAction").first().click();
  await tab.message(/Fixed|Ignored/);
});

withPage("what can be written is offered", async (tab) => {
  await tab.paste("kep.yaml", `${KEP}statu`);
  await tab.page.click('[role=tab]:has-text("kep.yaml")');
  await tab.editor("kep.yaml").click();
  await tab.page.keyboard.press("Control+End");
  await tab.page.keyboard.press("Enter");
  await tab.page.keyboard.type("latest");
  await tab.page.keyboard.press("Control+Space");
  await tab.page.locator(".cm-tooltip-autocomplete").getByText("latest-milestone").waitFor();
  await tab.page.waitForTimeout(150);
  await tab.page.keyboard.press("Enter");
  assert.match(await tab.text("kep.yaml"), /\nlatest-milestone/);
});

withPage("a new KEP is a form", async (tab) => {
  await tab.page.click("#start-new");
  await tab.page.fill("dialog label:has-text('Number') input", "9999");
  await tab.page.fill("dialog label:has-text('Title') input", "Faster pulls");
  await tab.page.selectOption("dialog label:has-text('SIG') select", "sig-node");
  await tab.page.fill("dialog label:has-text('Authors') input", "@octocat hubot");
  await tab.page.click("dialog button[type=submit]");
  await tab.message("Here are the files of the KEP.");
  await tab.settled();
  assert.match(await tab.text("README.md"), /^# KEP-9999: Faster pulls/m);
  assert.match(await tab.text("kep.yaml"), /@octocat[\s\S]*@hubot/);
  assert.match(await tab.text("9999.yaml"), /kep-number: 9999/);
});

withPage("a KEP is promoted in one step", async (tab) => {
  await tab.sample();
  const before = await tab.text("kep.yaml");
  await tab.page.click('[role=tab]:has-text("kep.yaml")');
  await tab.page.click("#promote");
  // What cannot be done is said in the dialog.
  await tab.page.selectOption("dialog select", "stable");
  await tab.page.click("dialog button[type=submit]");
  await tab.page
    .locator("dialog .trouble")
    .getByText(/it was not in beta/)
    .waitFor();
  await tab.page.check("dialog input[type=checkbox]");
  await tab.page.click("dialog button[type=submit]");
  await tab.page.waitForSelector("dialog:has-text('Promoted to stable'):has-text('stage: alpha → stable')");
  await tab.page.click("dialog header button");
  await tab.settled();
  assert.match(await tab.text("kep.yaml"), /stage: stable/);
  assert.match(await tab.text("1.yaml"), /stable:/);
  await tab.page.click('[role=tab]:has-text("kep.yaml")');
  await tab.page.click("#undo");
  assert.equal(await tab.text("kep.yaml"), before);
  assert.doesNotMatch(await tab.text("1.yaml"), /stable:/);
  // What was written since in another file stays, and the page says so.
  await tab.page.click('[role=tab]:has-text("kep.yaml")');
  await tab.page.click("#redo");
  await tab.paste("PRR file", "# mine\n");
  await tab.page.click('[role=tab]:has-text("kep.yaml")');
  await tab.page.click("#undo");
  await tab.message("A part of this step is in another file");
  assert.equal(await tab.text("kep.yaml"), before);
  assert.match(await tab.text("1.yaml"), /# mine[\s\S]*stable:/);
});

withPage("what is changed is said with its code as code", async (tab) => {
  await tab.sample();
  const before = await tab.text("README.md");
  await tab.page.click("#upgrade");
  await tab.page.waitForSelector("dialog h3:has-text('Changed: undo takes it back')");
  assert.doesNotMatch((await tab.page.textContent("dialog")) ?? "", /`/);
  assert.equal(await tab.page.locator("dialog code", { hasText: "### Test Plan" }).count(), 1);
  await tab.page.click("dialog header button");
  await tab.settled();
  assert.match(await tab.text("README.md"), /^### Test Plan$/m);
  await tab.page.click("#upgrade");
  await tab.page.waitForSelector("dialog h3:has-text('Nothing is changed')");
  await tab.page.click("dialog header button");
  await tab.page.click("#undo");
  assert.equal(await tab.text("README.md"), before);
  await tab.page.click("#promote");
  await tab.page.click("dialog button[type=submit]");
  await tab.page.waitForSelector("dialog h3:has-text('Notes')");
  assert.doesNotMatch((await tab.page.textContent("dialog")) ?? "", /`/);
  // What others type is a button here.
  assert.equal(await tab.page.locator("dialog strong", { hasText: "To the template" }).count(), 1);
});

withPage("the checklist says what is not met", async (tab) => {
  await tab.sample();
  await tab.page.click("#ready");
  await tab.page.locator("dialog .entries .state.not-met").first().waitFor();
  assert.match((await tab.page.getAttribute("dialog .verdict", "class")) ?? "", /not-met/);
  assert.match((await tab.page.textContent("dialog .verdict")) ?? "", /^KEP-1 for beta in v1\.\d+: at risk/);
  await tab.page.locator("dialog .entries button.jump", { hasText: "kep.yaml:" }).first().click();
  assert.ok(await tab.editor("kep.yaml").evaluate((it) => (it.getRootNode() as ShadowRoot).activeElement === it));
});

withPage("a rule is explained, and its example can be tried", async (tab) => {
  await tab.sample();
  await tab.page.locator(".finding[data-rule=stale-toc] button.rule").click();
  await tab.page.locator("dialog h3", { hasText: "Why" }).waitFor();
  await tab.page.click("dialog button:has-text('Open the bad example')");
  await tab.message("This is the bad example of");
  await tab.settled();
  assert.ok((await tab.rules()).includes("stale-toc"));
});

withPage("the review comment is copied", async (tab) => {
  await tab.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await tab.sample();
  await tab.menu("share-menu", "copy-comment");
  await tab.message("The review comment is copied.");
  assert.match(await tab.page.evaluate(() => navigator.clipboard.readText()), /missing-section/);
});

withPage("a configuration counts until it is removed", async (tab) => {
  await tab.sample();
  assert.ok((await tab.rules()).includes("stale-toc"));
  await tab.drop({ ".kep-lint.yaml": "rules:\n  stale-toc: off\n" });
  await tab.page.locator("#config button").first().waitFor();
  await tab.settled();
  assert.ok(!(await tab.rules()).includes("stale-toc"));
  await tab.page.click("#config button:has-text('Remove')");
  assert.equal((await tab.counts()).error, 15);
});
