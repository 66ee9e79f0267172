// What comes from others: files, addresses, facts, and an engine that fails. And what the page asks the network for.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { address, browser } from "./started";
import { facts, ONE_FILE, SITE, serve, Tab } from "./support";

const HOSTILE = [
  "<script>alert(1)</script>",
  '<img src="https://evil.example/x.png" onerror="alert(1)">',
  "[click](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>)",
  "![picture](https://evil.example/y.png) <https://evil.example/z>",
  "\u202eright to left\u202c \u200bnothing",
  "</script><style>*{display:none}</style>",
].join("\n");

/** A page on which nothing that is hostile has run. */
async function isUnharmed(tab: Tab): Promise<void> {
  const polluted = await tab.page.evaluate(() => ({
    polluted: (Object.prototype as any).polluted ?? "no",
    scripts: document.querySelectorAll("main script, main img, main iframe, main style, dialog script, dialog img")
      .length,
    links: [...document.querySelectorAll("a")]
      .map((it) => it.getAttribute("href"))
      .filter((it) => !/^(https?:|#|blob:)/.test(it ?? "")),
    rels: [...document.querySelectorAll("a[target]")].filter((it) => it.getAttribute("rel") !== "noopener noreferrer")
      .length,
  }));
  assert.deepEqual(polluted, { polluted: "no", scripts: 0, links: [], rels: 0 });
  assert.deepEqual(tab.complaints, []);
  assert.deepEqual(
    tab.requests.filter((it) => it.includes("evil")),
    [],
  );
}

test("the site asks for its own files only", async () => {
  const tab = await Tab.open(browser, address);
  await tab.sample();
  await tab.page.click("#fix-all");
  await tab.settled();
  const names = tab.requests
    .filter((it) => !it.startsWith("data:") && !it.startsWith("blob:"))
    .map((it) => it.slice(address.length));
  assert.ok(
    tab.requests.every((it) => it.startsWith(address) || it.startsWith("data:") || it.startsWith("blob:")),
    String(tab.requests),
  );
  assert.deepEqual([...new Set(names)].sort(), ["", "kep-lint.wasm", "page.css", "page.js", "worker.js"]);
  assert.deepEqual(tab.complaints, []);
  const stored = await tab.page.evaluate(async () => [
    localStorage.length,
    sessionStorage.length,
    document.cookie,
    (await indexedDB.databases()).length,
  ]);
  assert.deepEqual(stored, [0, 0, "", 0]);
  await tab.close();
});

test("one file works from disk, without a network", async () => {
  const tab = await Tab.open(browser, ONE_FILE, { offline: true });
  await tab.sample();
  assert.ok(((await tab.counts()).error ?? 0) > 5);
  await tab.page.click("#fix-all");
  await tab.message(/Fixed \d+/);
  assert.deepEqual(
    tab.requests.filter((it) => /^https?:/.test(it)),
    [],
  );
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("the site works without a network once it is open", async () => {
  const tab = await Tab.open(browser, address);
  await tab.context.setOffline(true);
  await tab.sample();
  await tab.stage("stable");
  assert.ok(((await tab.counts()).error ?? 0) > 5);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("the policy lets nothing else run or load", async () => {
  for (const file of ["site/index.html", "kep-lint.html"]) {
    const html = readFileSync(path.join(SITE, "..", file), "utf8");
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /require-trusted-types-for 'script'/);
    assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|\*|http:/);
  }
  const tab = await Tab.open(browser, address);
  const tried = await tab.page.evaluate(async () => {
    const failed = async (act: () => unknown) => {
      try {
        await act();
        return false;
      } catch {
        return true;
      }
    };
    return [
      await failed(() => {
        document.createElement("div").innerHTML = "<b>";
      }),
      await failed(() => new Worker("worker.js")),
      await failed(() => fetch("https://evil.example/")),
      await failed(() => (globalThis as any).trustedTypes.createPolicy("other", {})),
    ];
  });
  assert.deepEqual(tried, [true, true, true, true]);
  await tab.close();
});

test("hostile texts are only texts", async () => {
  for (const where of [address, ONE_FILE]) {
    const tab = await Tab.open(browser, where);
    const title = '# KEP-1: <img src=x onerror="alert(1)"> `</code><script>`';
    await tab.drop({
      "README.md": `${title}\n\n${HOSTILE}\n\n## <script>alert(2)</script>\n\n[dead](./<b>.md) it is is\n`,
      "kep.yaml": `title: "<img src=x onerror=alert(3)>\\u202e"\nowning-sig: "../../<b>"\nkep-number: "__proto__"\nstatus: "<script>"\n__proto__: {polluted: 1}\nconstructor: [x]\nsee-also: ["javascript:alert(1)"]\n`,
      "1.yaml": "__proto__: 1\n<script>: 2\n",
    });
    await tab.settled();
    assert.ok((await tab.rules()).length > 3);
    for (let presses = 0; presses < 12; presses += 1) {
      await tab.page.keyboard.press("F8");
    }
    await tab.editor("README.md").locator(".cm-lintRange").first().hover();
    await tab.page.locator(".cm-tooltip").first().waitFor();
    await tab.page.click("#ready");
    await tab.page.waitForTimeout(300);
    await isUnharmed(tab);
    await tab.close();
  }
});

test("hostile addresses do nothing", async () => {
  const fragments = [
    "kep=",
    "kep=%%%",
    "kep=AAAA",
    "try=<script>",
    "try=__proto__",
    "try=../../x",
    "__proto__=1",
    "<img src=x onerror=alert(1)>",
    "kep=A=B",
    `kep=${"A".repeat(10_000)}`,
  ];
  for (const fragment of fragments) {
    const tab = await Tab.open(browser, `${address}#${fragment}`);
    await isUnharmed(tab);
    assert.ok(await tab.page.isVisible("#welcome"), fragment);
    await tab.close();
  }
});

test("a link brings back files and settings", async () => {
  const tab = await Tab.open(browser, address);
  await tab.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const texts: Record<string, string> = {
    "README.md": "\ufeff# KEP-1: é😀\r\n\r\n## Summary\r\n",
    "kep.yaml": "title: x\nstage: alpha\n",
  };
  await tab.drop(texts);
  await tab.stage("stable");
  const before = await tab.rules();
  await tab.menu("share-menu", "copy-link");
  await tab.message("The link is copied.");
  const link = await tab.page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.startsWith(`${address}#kep=`));
  const other = await Tab.open(browser, link);
  await other.settled();
  assert.deepEqual(await other.rules(), before);
  assert.ok(await other.page.isChecked('#stages input[value="stable"]'));
  for (const [name, text] of Object.entries(texts)) {
    assert.equal(await other.text(name), text);
  }
  await tab.close();
  await other.close();
});

test("a link of 2 MB is refused, and one that is large inside", async () => {
  const tab = await Tab.open(browser, address);
  const large = "A".repeat((2 << 20) - 200);
  await tab.page.evaluate((text) => {
    location.hash = `kep=${text}`;
  }, large);
  await tab.message(/is the most/);
  await tab.page.evaluate(async () => {
    const text = JSON.stringify({ kep: { readme: "a".repeat(64 << 20) } });
    const small = await new Response(
      new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")),
    ).arrayBuffer();
    let letters = "";
    for (const byte of new Uint8Array(small)) {
      letters += String.fromCharCode(byte);
    }
    location.hash = `kep=${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
  });
  await tab.message(/larger than 8 MiB/);
  assert.ok(await tab.page.isVisible("#welcome"));
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("the example of a rule is opened by its address", async () => {
  const tab = await Tab.open(browser, `${address}#try=missing-section`);
  await tab.settled();
  assert.ok((await tab.rules()).includes("missing-section"));
  await tab.page.evaluate(() => {
    location.hash = "try=doubled-word";
  });
  await tab.message(/doubled-word/);
  await tab.settled();
  assert.ok((await tab.rules()).includes("doubled-word"));
  await tab.close();
});

test("facts are used, hostile ones are refused, and the page says which count", async () => {
  const tab = await Tab.open(browser, address);
  const words = () => tab.page.textContent("#facts");
  assert.match((await words()) ?? "", /Built-in lists/);
  for (const text of ["{", "[]", "1", '{"__proto__":{"polluted":1}}', `{"keps":${"[".repeat(50_000)}`, "\u0000"]) {
    await tab.drop({ "facts.json": text });
    await tab.page.locator(".note.trouble").first().waitFor();
    await tab.page.locator(".note.trouble button").first().click();
    assert.match((await words()) ?? "", /Built-in lists/, text.slice(0, 40));
  }
  await isUnharmed(tab);
  await tab.close();
});

test("facts of a repository are used until they are removed, also those that the page gets", async () => {
  const text = facts();
  const tab = await Tab.open(browser, address);
  await tab.sample();
  const before = await tab.rules();
  await tab.drop({ "facts.json": text });
  await tab.page.locator("#facts", { hasText: /^Facts of a file: .*4 KEPs/ }).waitFor();
  await tab.settled();
  // The page says what cannot be checked.
  await tab.page.click("#unchecked summary");
  await tab.page.locator("#unchecked li", { hasText: "not-utf8" }).waitFor();
  // The demo has a list of approvers.
  assert.notDeepEqual(await tab.rules(), before);
  await tab.page.click("#facts button");
  await tab.page.locator("#facts", { hasText: /^Built-in lists/ }).waitFor();
  assert.deepEqual(await tab.rules(), before);
  assert.deepEqual(tab.complaints, []);
  await tab.close();

  // A site that has facts has a button for them: nothing is fetched before it is pressed.
  const html = readFileSync(path.join(SITE, "index.html"), "utf8");
  const button = '<button type="button" id="get-facts" data-day="2026-07-24">Get those</button>';
  const page = html.replace('<span id="facts">', `${button}$&`);
  for (const [beside, words] of [
    [text, /^Facts of kubernetes\/enhancements of 2026-07-24: .*4 KEPs/],
    ['{"__proto__":1}', /^Built-in lists/],
  ] as const) {
    const { address: place, server: other } = await serve({ "facts.json": beside, "index.html": page });
    const tab = await Tab.open(browser, place);
    assert.ok(!tab.requests.some((it) => it.endsWith("facts.json")));
    await tab.page.click("#get-facts");
    await tab.page
      .locator("#facts:not([hidden]), .note.trouble")
      .filter({ hasText: /4 KEPs|facts/i })
      .first()
      .waitFor();
    await tab.settled();
    await tab.page.waitForFunction(
      (words) => new RegExp(words).test(document.getElementById("facts")?.textContent ?? ""),
      words.source,
    );
    assert.equal(await tab.page.isHidden("#get-facts"), beside === text);
    await tab.close();
    other.close();
  }
});

test("a worker that traps has a new engine, and the text is still there", async () => {
  // A text with these words makes the engine trap, as an unknown fault would. There is no memory for a third instance.
  const source = readFileSync(path.join(SITE, "worker.js"), "utf8");
  const faulty = `
    const instantiate = WebAssembly.instantiate;
    let made = 0;
    WebAssembly.instantiate = async (module) => {
      if (++made === 3) throw new RangeError("out of memory");
      const { exports: { memory, request, answer } } = await instantiate(module);
      let at = 0, length = 0;
      return { exports: {
        memory,
        request: (bytes) => { length = bytes; return at = request(bytes); },
        answer: () => {
          const text = new TextDecoder().decode(new Uint8Array(memory.buffer, at >>> 0, length));
          if (text.includes("TRAP HERE")) throw new WebAssembly.RuntimeError("unreachable");
          return answer();
        },
      } };
    };
    ${source}`;
  const { address: place, server: other } = await serve({ "worker.js": faulty });
  const tab = await Tab.open(browser, place);
  await tab.stage("alpha");
  await tab.paste("README.md", "# KEP-1: A\n\nIt is is good.\n");
  assert.ok((await tab.rules()).includes("doubled-word"));
  for (const reason of ["RuntimeError: unreachable", "RangeError: out of memory"]) {
    await tab.paste("README.md", "TRAP HERE\n");
    await tab.message(`The checker failed and was started again (${reason})`);
    assert.match(await tab.text("README.md"), /TRAP HERE/);
    await tab.page.click("#undo");
    await tab.settled();
    assert.ok((await tab.rules()).includes("doubled-word"));
  }
  assert.deepEqual(tab.complaints, []);
  await tab.close();
  other.close();
});

test("edits of a text that was changed in the meantime are not applied", async () => {
  // An engine that needs long for the fixes.
  const source = readFileSync(path.join(SITE, "worker.js"), "utf8");
  const slow = `
    const { stringify } = JSON;
    JSON.stringify = (value) => {
      const end = value.ask === "fix-all" ? Date.now() + 1_000 : 0;
      while (Date.now() < end);
      return stringify(value);
    };
    ${source}`;
  const { address: place, server: other } = await serve({ "worker.js": slow });
  const tab = await Tab.open(browser, place);
  await tab.sample();
  const before = await tab.text("README.md");
  await tab.page.click('[role=tab]:has-text("README.md")');
  await tab.page.click("#fix-all");
  await tab.editor("README.md").focus();
  await tab.page.keyboard.press("Control+Home");
  await tab.page.keyboard.type("xyz");
  await tab.message("The text was changed in the meantime");
  assert.equal(await tab.text("README.md"), `xyz${before}`);
  await tab.close();
  other.close();
});

test("the page answers while a README of 2 MiB is written", async () => {
  const tab = await Tab.open(browser, address);
  const paragraph = `${"It is a long text with words, and more of them. ".repeat(8)}\n\n- [ ] \`code\` and [link](#a)\n\n`;
  const text = `# KEP-1: A\n\n${paragraph.repeat(Math.floor((2 << 20) / paragraph.length) - 4)}`;
  await tab.drop({ "README.md": text });
  await tab.page.waitForFunction(() => document.getElementById("welcome")?.hidden);
  await tab.editor("README.md").click();
  await tab.page.keyboard.press("Control+Home");
  // Each frame comes while keys are typed: no key waits for a check.
  await tab.page.evaluate(() => {
    const state = { last: performance.now(), longest: 0 };
    Object.assign(globalThis, { frames: state });
    const frame = () => {
      const now = performance.now();
      state.longest = Math.max(state.longest, now - state.last);
      state.last = now;
      requestAnimationFrame(frame);
    };
    frame();
  });
  const typed = "is is written while the checks run";
  await tab.page.keyboard.type(typed, { delay: 20 });
  const longest = await tab.page.evaluate(() => (globalThis as any).frames.longest);
  console.log(`# the longest frame while 2 MiB were written: ${Math.round(longest)} ms`);
  assert.match((await tab.editor("README.md").textContent()) ?? "", new RegExp(`^${typed}`));
  await tab.settled();
  assert.ok(await tab.page.locator(".finding").count());
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("one line of 1 MiB, and many marks, do not stop the page", async () => {
  const tab = await Tab.open(browser, address);
  for (const text of [
    "word ".repeat(200_000),
    "`` ` ".repeat(100_000),
    "[".repeat(300_000),
    "> ".repeat(100_000),
    "- ".repeat(100_000),
    "<!-- ".repeat(50_000),
  ]) {
    await tab.drop({ "README.md": `# KEP-1: A\n\n${text}\n` });
    await tab.page.waitForFunction(
      (start) => {
        const host = document.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content");
        return host?.textContent?.includes(start);
      },
      text.slice(0, 40),
    );
    await tab.editor("README.md").focus();
    await tab.page.keyboard.press("Control+Home");
    await tab.page.keyboard.type("x");
    assert.match((await tab.editor("README.md").locator(".cm-line").first().textContent()) ?? "", /^x# KEP-1/);
    await tab.settled();
  }
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("what takes too long to draw is plain, and the page says so", async () => {
  const long = (text: string) => text.repeat(Math.floor(((2 << 20) - 100) / text.length));
  const spans = Array.from({ length: 1_400 }, (_, at) => `${"`".repeat(at + 1)}a${"`".repeat(at + 1)} `).join("");
  const kinds: [string, string][] = [
    ["README.md", long("[a](#b) and more text\n")],
    ["README.md", long("[a](#b) and more text ")],
    ["README.md", long("<<[UNRESOLVED\n")],
    ["README.md", "\0".repeat(20_000)],
    ["README.md", long("\u202eab\u202c")],
    ["README.md", spans],
    ["README.md", long("words and words ")],
    ["README.md", long("*a **b _c __d ")],
    ["README.md", long("> ")],
    ["README.md", `a${"\u0301".repeat(20_000)}`],
    ["kep.yaml", long("[")],
    ["kep.yaml", `a: "${long("b\n")}`],
    ["kep.yaml", long("- ")],
  ];
  const tab = await Tab.open(browser, address);
  for (const [name, text] of kinds) {
    await tab.drop({ [name]: text });
    await tab.page.click(`[role=tab]:has-text("${name}")`);
    const pane = tab.page.locator(".pane:visible");
    await pane.locator(".plain").waitFor();
    // What is plain has one look, and no signs in place of characters.
    const looks = await tab.editor(name).evaluate((it) => {
      const spans = it.querySelectorAll(".cm-line span:not([class^=cm-lint])");
      return new Set([...spans].map(({ className }) => className)).size;
    });
    assert.ok(looks <= 1, `${looks} for ${text.slice(0, 40)}`);
    await tab.editor(name).focus();
    await tab.page.keyboard.press("Control+Home");
    await tab.page.keyboard.type("x");
    assert.match((await tab.editor(name).locator(".cm-line").first().textContent()) ?? "", /^x/);
  }
  // A text that can be drawn has its colors again, and a paragraph takes no other one's.
  await tab.drop({ "README.md": `# KEP-1: A\n\nIt is \`code\`.\n\n${"[a](#b) ".repeat(2_000)}\n` });
  await tab.page.locator(".pane:visible .plain").getByText("A paragraph").waitFor();
  assert.ok(await tab.editor("README.md").locator(".cm-line span", { hasText: "code" }).count());
  await tab.drop({ "README.md": "# KEP-1: A\n" });
  await tab.page.locator(".pane:visible .plain").waitFor({ state: "detached" });
  assert.ok(await tab.editor("README.md").locator(".cm-line span").count());
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("a text over the bound is said to be one, and stays", async () => {
  const tab = await Tab.open(browser, address);
  await tab.paste("README.md", `# KEP-1: A\n${"word\n".repeat(600_000)}`);
  await tab.page.locator("#findings .failure").waitFor();
  assert.match((await tab.page.textContent("#counts")) ?? "", /could not be checked/);
  await tab.editor("README.md").focus();
  await tab.page.keyboard.press("Control+z");
  await tab.page.waitForFunction(() => !document.getElementById("welcome")?.hidden);
  await tab.paste("README.md", "# KEP-1: A\n");
  assert.equal(await tab.page.locator("#findings .failure").count(), 0);
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("work is not lost by closing the page", async () => {
  const tab = await Tab.open(browser, address);
  await tab.paste("README.md", "work\n");
  await tab.editor("README.md").click();
  await tab.page.keyboard.type("x");
  const asked = new Promise<string>((resolve) => {
    tab.page.on("dialog", (dialog) => {
      resolve(dialog.type());
      void dialog.accept();
    });
  });
  await tab.page.close({ runBeforeUnload: true });
  assert.equal(await asked, "beforeunload");
  await tab.close();
});
