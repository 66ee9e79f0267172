// How the page looks and is used: sizes, colors, keyboard, screen reader, paper.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { address, browser } from "./started";
import { Tab } from "./support";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe-core finds, of all its rules. */
async function axe(tab: Tab, state: string): Promise<string[]> {
  // A page may be asked by the protocol what its policy does not let itself load.
  await tab.page.evaluate(AXE);
  const found = await tab.page.evaluate(async () => {
    const { violations } = await (globalThis as any).axe.run(document, { resultTypes: ["violations"] });
    return violations.map(
      (it: any) => `${it.id}: ${it.nodes.map((node: any) => `${node.target} ${node.failureSummary}`).join("; ")}`,
    );
  });
  return found.map((it: string) => `${state}: ${it}`);
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe-core finds nothing in ${colorScheme} colors`, async () => {
    const tab = await Tab.open(browser, address, { colorScheme });
    const found = await axe(tab, "empty");
    await tab.page.click("#open-menu, [popovertarget=open-menu]");
    found.push(...(await axe(tab, "menu")));
    await tab.page.keyboard.press("Escape");
    await tab.sample();
    await tab.page.click("#unchecked summary");
    await tab.page.locator("#unchecked li").first().waitFor();
    found.push(...(await axe(tab, "sample")));
    await tab.page.keyboard.press("F8");
    found.push(...(await axe(tab, "finding")));
    await tab.editor("README.md").locator(".cm-lintRange").first().hover();
    await tab.page.locator(".cm-tooltip").first().waitFor();
    found.push(...(await axe(tab, "tooltip")));
    await tab.menu("view-menu", "side");
    found.push(...(await axe(tab, "side by side")));
    for (const [id, state] of [
      ["ready", "checklist"],
      ["promote", "promotion"],
      ["upgrade", "upgrade"],
    ] as const) {
      await tab.page.click(`#${id}`);
      await tab.page.waitForSelector("dialog");
      found.push(...(await axe(tab, state)));
      await tab.page.keyboard.press("Escape");
    }
    await tab.page.locator("button.rule").first().click();
    await tab.page.waitForSelector("dialog");
    found.push(...(await axe(tab, "rule")));
    await tab.page.keyboard.press("Escape");
    for (const [menu, id] of [
      ["open-menu", "new-kep"],
      ["open-menu", "open-github"],
      ["view-menu", "keys"],
      ["view-menu", "about"],
    ] as const) {
      await tab.menu(menu, id);
      await tab.page.waitForSelector("dialog");
      found.push(...(await axe(tab, id)));
      await tab.page.keyboard.press("Escape");
    }
    await tab.page.setViewportSize({ width: 400, height: 800 });
    found.push(...(await axe(tab, "narrow")));
    await tab.close();
    assert.deepEqual(found, []);
    assert.deepEqual(tab.complaints, []);
  });
}

test("no size scrolls sideways", async () => {
  for (const width of [320, 400, 768, 1280, 1920]) {
    const tab = await Tab.open(browser, address, { viewport: { width, height: 800 } });
    assert.equal(await tab.sideways(), 0, `empty at ${width}`);
    await tab.sample();
    assert.equal(await tab.sideways(), 0, `sample at ${width}`);
    const beyond = await tab.page.evaluate(() =>
      [...document.querySelectorAll("body *")]
        .filter(
          (it) => it.checkVisibility() && !it.closest("#tabs") && it.getBoundingClientRect().right > innerWidth + 1,
        )
        .map((it) => it.id || it.className),
    );
    assert.deepEqual(beyond, [], `at ${width}`);
    for (const menu of ["open-menu", "share-menu", "view-menu"]) {
      await tab.page.click(`[popovertarget=${menu}]`);
      const box = await tab.page.locator(`#${menu}`).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= width, `${menu} at ${width}`);
      await tab.page.keyboard.press("Escape");
    }
    await tab.page.click("#ready");
    await tab.page.waitForSelector("dialog");
    assert.equal(await tab.sideways(), 0, `dialog at ${width}`);
    await tab.close();
  }
});

test("long messages stay on a narrow screen, and can be closed", async () => {
  const tab = await Tab.open(browser, address, { viewport: { width: 400, height: 700 } });
  for (let at = 0; at < 4; at += 1) {
    await tab.drop({ [`${at}${"a-long-name/".repeat(20)}.zip`]: "no archive" });
  }
  const notes = tab.page.locator(".note");
  assert.equal(await notes.count(), 4);
  const box = await tab.page.locator("#messages").boundingBox();
  assert.ok(box && box.y >= 0 && box.x + box.width <= 400, JSON.stringify(box));
  assert.deepEqual(await axe(tab, "messages"), []);
  for (let left = 3; left >= 0; left -= 1) {
    await notes.first().locator("button").click();
    assert.equal(await notes.count(), left);
  }
  await tab.close();
});

test("a menu has its place before it is seen", async () => {
  const tab = await Tab.open(browser, address);
  // A busy page hears of an open menu long after it is seen.
  await tab.page.evaluate(() => document.addEventListener("toggle", (event) => event.stopPropagation(), true));
  const opener = tab.page.locator("[popovertarget=view-menu]");
  await opener.click();
  const [button, menu] = [await opener.boundingBox(), await tab.page.locator("#view-menu").boundingBox()];
  assert.ok(button && menu && Math.abs(menu.y - button.y - button.height - 4) < 1, JSON.stringify([button, menu]));
  assert.equal(await opener.getAttribute("aria-expanded"), "true");
  await tab.close();
});

test("colors can be changed", async () => {
  const tab = await Tab.open(browser, address, { colorScheme: "light" });
  const color = () => tab.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await color(), "rgb(255, 255, 255)");
  await tab.page.emulateMedia({ colorScheme: "dark" });
  await tab.page.waitForFunction(() => document.documentElement.classList.contains("dark"));
  assert.equal(await color(), "rgb(20, 24, 30)");
  // Who has chosen colors keeps them.
  await tab.menu("view-menu", "dark");
  assert.equal(await color(), "rgb(255, 255, 255)");
  await tab.page.emulateMedia({ colorScheme: "light" });
  await tab.page.emulateMedia({ colorScheme: "dark" });
  assert.equal(await color(), "rgb(255, 255, 255)");
  await tab.close();
});

test("everything can be done by keys", async () => {
  const tab = await Tab.open(browser, address);
  const { keyboard } = tab.page;
  const focused = () =>
    tab.page.evaluate(() => {
      const it = document.activeElement;
      return it?.shadowRoot?.activeElement?.getAttribute("aria-label") ?? it?.id ?? "";
    });
  const tabTo = async (id: string) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await keyboard.press("Tab");
      if ((await focused()) === id) {
        const outline = await tab.page.evaluate(() => {
          const it = document.activeElement as HTMLElement;
          return it.matches(":focus-visible") && getComputedStyle(it).outlineStyle;
        });
        assert.equal(outline, "solid", `the focus on ${id} is not seen`);
        return;
      }
    }
    assert.fail(`${id} cannot be reached, the focus is on ${await focused()}`);
  };
  await tabTo("start-sample");
  await keyboard.press("Enter");
  await tab.settled();

  // From finding to finding, to its remedies, and back by undo.
  const before = await tab.counts();
  await tab.page.evaluate(() => (document.activeElement as HTMLElement).blur());
  for (let presses = 0; presses < 30; presses += 1) {
    await keyboard.press("F8");
    if ((await tab.page.getAttribute("[aria-current=true]", "data-rule")) === "stale-toc") {
      break;
    }
  }
  assert.match((await tab.page.textContent("#live")) ?? "", /^\d+ of \d+: error: the table of contents/);
  assert.equal(await focused(), "README.md");
  await keyboard.press("Control+.");
  assert.equal(await tab.page.evaluate(() => document.activeElement?.className), "fix");
  await keyboard.press("Enter");
  await tab.message("Fixed.");
  await tab.settled();
  assert.ok(!(await tab.rules()).includes("stale-toc"));
  assert.equal(await focused(), "README.md");
  await keyboard.press("Control+z");
  assert.deepEqual(await tab.counts(), before);

  // Files, stages and menus.
  await keyboard.press("Alt+2");
  assert.equal(await focused(), "kep.yaml");
  await keyboard.press("Shift+F8");
  await keyboard.press("Alt+1");
  await keyboard.press("Shift+Tab");
  assert.match(await focused(), /^tab-/);
  await keyboard.press("ArrowRight");
  await keyboard.press("ArrowRight");
  assert.equal(await focused(), "tab-2");
  await tab.page.focus('#stages input[value="beta"]');
  await keyboard.press("ArrowRight");
  await tab.settled();
  assert.match((await tab.page.textContent("#kep")) ?? "", /Checked for stable/);
  await tab.page.focus("[popovertarget=view-menu]");
  await keyboard.press("ArrowDown");
  await keyboard.press("ArrowUp");
  assert.equal(await focused(), "about");
  await keyboard.press("Enter");
  await tab.page.waitForSelector("dialog:has-text('Nothing is sent anywhere')");
  await keyboard.press("Escape");
  await tab.page.locator("dialog").waitFor({ state: "detached" });

  // Guidance without a mouse, and out of an editor by Tab.
  await tab.page.keyboard.press("Alt+1");
  await keyboard.press("Control+Home");
  const active = () => tab.editor("README.md").locator(".cm-activeLine").textContent();
  while ((await active()) !== "## Summary") {
    await keyboard.press("ArrowDown");
  }
  await keyboard.press("End");
  await keyboard.press("F2");
  await tab.page.waitForSelector("dialog:has-text('Summary')");
  await keyboard.press("Escape");
  await tab.page.locator("dialog").waitFor({ state: "detached" });
  assert.equal(await focused(), "README.md");
  await keyboard.press("Tab");
  assert.notEqual(await focused(), "README.md");
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("the counts are said, and lists are lists", async () => {
  const tab = await Tab.open(browser, address);
  await tab.sample();
  assert.match(
    (await tab.page.textContent("#live")) ?? "",
    /^checked 1 KEP .*: \d+ errors, \d+ warnings, \d+ suggestions$/,
  );
  const tree = await tab.page.locator("main").ariaSnapshot();
  for (const part of [
    "tablist",
    "tab ",
    "tabpanel",
    'textbox "README.md"',
    "region",
    'heading "Findings"',
    "list:",
    "listitem:",
  ]) {
    assert.ok(tree.includes(part), `${part} is not in\n${tree}`);
  }
  await tab.close();
});

test("the findings are printed, and nothing that is pressed", async () => {
  const tab = await Tab.open(browser, address);
  await tab.sample();
  await tab.page.click("#findings summary >> nth=0");
  await tab.page.emulateMedia({ media: "print" });
  for (const hidden of [".bar", "#settings", "#files", ".remedies", "#messages"]) {
    assert.ok(await tab.page.locator(hidden).first().isHidden(), hidden);
  }
  // Paper is white, whatever the colors of the screen are.
  await tab.page.evaluate(() => document.documentElement.classList.add("dark"));
  assert.equal(await tab.page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  const pdf = await tab.page.pdf();
  assert.ok(pdf.length > 10_000);
  await tab.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(
    await tab.page.locator(".finding").evaluateAll((all) => all.filter((it) => !it.checkVisibility()).length),
    0,
  );
  await tab.page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await tab.page.locator("#findings details:not([open])").count(), 1);
  await tab.close();
});
