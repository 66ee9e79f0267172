// Pictures of the page, to look at: node out/pictures.js DIRECTORY
import { mkdirSync } from "node:fs";
import path from "node:path";
import { launch, serve, Tab } from "./support";

const directory = path.resolve(process.argv[2] ?? "pictures");
mkdirSync(directory, { recursive: true });
const browser = await launch();
const { address, server } = await serve();
const SIZES = [
  [400, 800],
  [768, 1024],
  [1280, 800],
] as const;

try {
  for (const [width, height] of SIZES) {
    for (const colorScheme of ["light", "dark"] as const) {
      const tab = await Tab.open(browser, address, { viewport: { width, height }, colorScheme });
      const name = `${width}${colorScheme === "dark" ? "-dark" : ""}`;
      const shoot = (what: string) => tab.page.screenshot({ path: path.join(directory, `${what}-${name}.png`) });
      await shoot("empty");
      await tab.page.locator("#messages button").evaluateAll((all) => {
        for (const it of all) {
          (it as HTMLElement).click();
        }
      });
      await tab.sample();
      await tab.page.locator("#messages button").first().click();
      await shoot("sample");
      if (width === 1280) {
        for (const stage of ["alpha", "stable", "beta"]) {
          await tab.stage(stage);
          await shoot(`sample-${stage}`);
        }
        await tab
          .editor("README.md")
          .locator(".cm-line", { hasText: "## Design Details" })
          .first()
          .getByText("Design Details")
          .hover();
        await tab.page.waitForTimeout(700);
        await shoot("hover");
        await tab.page.mouse.move(5, 5);
        await tab.page.keyboard.press("F8");
        await tab.page.keyboard.press("F8");
        await shoot("finding");
        await tab.page.click("[popovertarget=share-menu]");
        await shoot("menu");
        await tab.page.keyboard.press("Escape");
        await tab.page.click("#ready");
        await tab.page.waitForTimeout(300);
        await shoot("ready");
        await tab.page.keyboard.press("Escape");
        await tab.page.locator("button.rule").first().click();
        await tab.page.waitForTimeout(300);
        await shoot("explain");
        await tab.page.keyboard.press("Escape");
        await tab.page.click("#fix-all");
        await tab.page.waitForTimeout(500);
        await shoot("fixed");
      }
      await tab.context.close();
    }
  }
  const wide = await Tab.open(browser, address, { viewport: { width: 1920, height: 1080 } });
  await wide.sample();
  await wide.page.screenshot({ path: path.join(directory, "sample-1920.png") });
} finally {
  await browser.close();
  server.close();
}
