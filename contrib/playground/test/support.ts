// A browser with the page in it, a site to serve it, and what the tests ask of both.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import path from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";

const ROOT = path.resolve(import.meta.dirname, "..");
export const SITE = path.join(ROOT, "dist/site");
export const ONE_FILE = `file://${path.join(ROOT, "dist/kep-lint.html")}`;
/** A site is not always at the root of its server. */
export const BELOW = "/some/where/";
const TYPES: Record<string, string> = {
  css: "text/css",
  html: "text/html; charset=utf-8",
  js: "text/javascript",
  json: "application/json",
  wasm: "application/wasm",
};

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Serves the site; a file in `replaced` has another content, and one in `held` comes later. */
export async function serve(
  replaced: Record<string, string> = {},
  held: Record<string, Promise<void>> = {},
): Promise<{ address: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const name = (request.url ?? "").slice(BELOW.length).replace(/[?#].*$/, "") || "index.html";
    await held[name];
    try {
      const content = Object.hasOwn(replaced, name)
        ? replaced[name]
        : readFileSync(path.join(SITE, path.basename(name)));
      response.writeHead(200, { "content-type": TYPES[name.split(".").pop() ?? ""] ?? "application/octet-stream" });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { address: `http://127.0.0.1:${port}${BELOW}`, server };
}

/** The page as its user has it. */
export class Tab {
  readonly complaints: string[] = [];
  readonly requests: string[] = [];

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        this.complaints.push(message.text());
      }
    });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    context.on("request", (request) => this.requests.push(request.url()));
  }

  static async open(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Tab> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(10_000);
    const tab = new Tab(context, await context.newPage());
    await tab.go(address);
    return tab;
  }

  async go(address: string): Promise<void> {
    await this.page.goto(address);
    await this.page.waitForSelector("html[data-state]");
    assert.equal(await this.page.getAttribute("html", "data-state"), "started", this.complaints.join("\n"));
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  /** Opens the sample, which is checked for beta. */
  async sample(): Promise<void> {
    await this.page.click("#start-sample");
    await this.settled();
  }

  async paste(name: string, text: string): Promise<void> {
    await this.editor(name).focus();
    await this.editor(name).evaluate((content, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      content.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
    await this.settled();
  }

  menu(menu: string, id: string): Promise<void> {
    return this.page.click(`[popovertarget=${menu}]`).then(() => this.page.click(`#${id}`));
  }

  async stage(stage: string): Promise<void> {
    await this.page.check(`#stages input[value="${stage}"]`);
    await this.settled();
  }

  /** Waits until what is shown is about the text that is there. */
  async settled(): Promise<void> {
    await this.page.waitForFunction(() => document.getElementById("counts")?.dataset.state === "done");
  }

  editor(name: string): Locator {
    return this.page.locator(`.cm-content[aria-label="${name}"]`);
  }

  /** The exact text of a file, as it would be downloaded. */
  async text(name: string): Promise<string> {
    await this.page.click(`[role=tab]:has-text("${name}")`);
    const waiting = this.page.waitForEvent("download");
    await this.menu("share-menu", "download-file");
    return readFileSync(await (await waiting).path(), "utf8");
  }

  /** Drops files on the page, or on what `on` names. */
  async drop(files: Record<string, string | number[]>, on = "body"): Promise<void> {
    const transfer = await this.page.evaluateHandle((contents) => {
      const transfer = new DataTransfer();
      for (const [name, content] of contents) {
        const part = typeof content === "string" ? content : new Uint8Array(content);
        transfer.items.add(new File([part], name));
      }
      return transfer;
    }, Object.entries(files));
    await this.page.dispatchEvent(on, "drop", { dataTransfer: transfer });
    await this.page.waitForFunction(() => !document.body.classList.contains("reading"));
  }

  async counts(): Promise<Record<string, number>> {
    await this.settled();
    return this.page.evaluate(() => {
      const count = (severity: string) => {
        const title = document.querySelector(`#findings h3.${severity}`)?.textContent ?? "(0)";
        return Number(/\((\d+)\)/.exec(title)?.[1]);
      };
      return { error: count("error"), warning: count("warning"), suggestion: count("suggestion") };
    });
  }

  rules(): Promise<string[]> {
    return this.page
      .locator(".finding")
      .evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset.rule ?? ""));
  }

  message(words: string | RegExp): Promise<void> {
    return this.page.locator("#messages").getByText(words).first().waitFor();
  }

  sideways(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }
}

/** The facts of the demo's repository, by the program that was built last, or that KEP_LINT names. */
export function facts(): string {
  const target = process.env.CARGO_TARGET_DIR ?? path.join(ROOT, "../../target");
  const program = process.env.KEP_LINT ?? path.join(target, "debug/kep-lint");
  return execFileSync(program, ["facts", path.join(ROOT, "../../fixtures/demo/keps")], { encoding: "utf8" });
}
