// Files from GitHub, which is played by the test: only after a click, only from its two hosts.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Route } from "playwright-core";
import { address, browser } from "./started";
import { Tab } from "./support";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const FOLDER = "keps/sig-node/1234-prefetch";
const README = "# KEP-1234: Prefetch\r\n\r\n<script>alert(1)</script>\r\n";
const API = "https://api.github.com/repos";
const RAW = `https://raw.githubusercontent.com/octocat/enhancements/${COMMIT}`;
const entry = (name: string, size = 100) => ({ name, type: "file", size, __proto__: null });

/** What GitHub answers, by address. */
const ANSWERS: Record<string, unknown> = {
  [`${API}/kubernetes/enhancements/pulls/77`]: { head: { sha: COMMIT, repo: { full_name: "octocat/enhancements" } } },
  [`${API}/kubernetes/enhancements/pulls/77/files?per_page=100&page=1`]: [
    { filename: `${FOLDER}/README.md`, status: "modified" },
    { filename: "keps/prod-readiness/sig-node/1234.yaml", status: "added" },
    { filename: "keps/sig-node/9-gone/README.md", status: "removed" },
  ],
  [`${API}/octocat/enhancements/contents/${FOLDER}?ref=${COMMIT}`]: [
    entry("README.md"),
    entry("kep.yaml"),
    entry("a.png"),
    { name: "sub", type: "dir" },
  ],
  [`${API}/octocat/enhancements/contents/keps/prod-readiness/sig-node?ref=${COMMIT}`]: [
    entry("1234.yaml"),
    entry("12.yaml"),
  ],
  [`${RAW}/${FOLDER}/README.md`]: README,
  [`${RAW}/${FOLDER}/kep.yaml`]: "title: Prefetch\nkep-number: 1234\nowning-sig: sig-node\n",
  [`${RAW}/keps/prod-readiness/sig-node/1234.yaml`]: "kep-number: 1234\n",
};

async function opened(answer: (route: Route) => Promise<void>): Promise<{ tab: Tab; asked: string[] }> {
  const tab = await Tab.open(browser, address);
  const asked: string[] = [];
  await tab.context.route(/^https:\/\/.*/, async (route) => {
    asked.push(route.request().url());
    await answer(route);
  });
  return { tab, asked };
}

const cors = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "x-ratelimit-remaining, x-ratelimit-reset",
};

async function github(route: Route): Promise<void> {
  const answer = ANSWERS[route.request().url()];
  const body = typeof answer === "string" ? answer : JSON.stringify(answer ?? { message: "Not Found" });
  await route.fulfill({ status: answer === undefined ? 404 : 200, headers: cors, body });
}

async function ask(tab: Tab, what: string): Promise<void> {
  await tab.menu("open-menu", "open-github");
  await tab.page.fill("dialog input", what);
}

test("the files of a pull request are fetched after a click", async () => {
  const { tab, asked } = await opened(github);
  await ask(tab, "https://github.com/kubernetes/enhancements/pull/77/files");
  const shown = (await tab.page.textContent("dialog")) ?? "";
  assert.match(shown, /api\.github\.com\/repos\/kubernetes\/enhancements\/pulls\/77/);
  assert.deepEqual(asked, []);
  await tab.page.click("dialog button[type=submit]");
  await tab.message("Opened 3 files");
  await tab.settled();
  assert.deepEqual(asked.sort(), Object.keys(ANSWERS).sort());
  assert.equal(await tab.text("README.md"), README);
  assert.equal(await tab.text("1234.yaml"), "kep-number: 1234\n");
  assert.match((await tab.page.textContent("#kep")) ?? "", new RegExp(`${FOLDER}$`));
  assert.deepEqual(tab.complaints, []);
  await tab.close();
});

test("of a pull request with several KEPs one is chosen", async () => {
  const other = "keps/sig-apps/kubeadm/12-other";
  const answers: Record<string, unknown> = {
    ...ANSWERS,
    [`${API}/kubernetes/enhancements/pulls/77/files?per_page=100&page=1`]: [
      { filename: `${FOLDER}/README.md` },
      { filename: `${other}/images/a.png` },
      { filename: "README.md" },
    ],
    [`${API}/octocat/enhancements/contents/${other}?ref=${COMMIT}`]: [entry("kep.yaml")],
    [`${RAW}/${other}/kep.yaml`]: "title: Other\nkep-number: 12\n",
  };
  const { tab } = await opened(async (route) => {
    const answer = answers[route.request().url()];
    const body = typeof answer === "string" ? answer : JSON.stringify(answer ?? {});
    await route.fulfill({ status: answer === undefined ? 404 : 200, headers: cors, body });
  });
  await ask(tab, "https://github.com/kubernetes/enhancements/pull/77");
  await tab.page.click("dialog button[type=submit]");
  await tab.page.waitForSelector("dialog:has-text('2 KEPs: which one?')");
  await tab.page.waitForFunction(() => document.querySelectorAll("dialog").length === 1);
  await tab.page.keyboard.type("kubeadm");
  await tab.page.click("dialog .keps button");
  await tab.message("Opened 1 file");
  assert.equal(await tab.text("kep.yaml"), "title: Other\nkep-number: 12\n");
  await tab.close();
});

test("what is fetched replaces nothing once its dialog is closed", async () => {
  let answerLast = (_: null) => {};
  const last = new Promise<null>((resolve) => {
    answerLast = resolve;
  });
  const { tab, asked } = await opened(async (route) => {
    if (route.request().url().includes("contents/keps/prod-readiness")) {
      await last;
    }
    await github(route);
  });
  await tab.paste("README.md", "# Mine\n");
  await ask(tab, "https://github.com/kubernetes/enhancements/pull/77");
  await tab.page.click("dialog button[type=submit]");
  await tab.page.locator("dialog li", { hasText: "prod-readiness" }).waitFor();
  await tab.page.keyboard.press("Escape");
  const answered = tab.page.waitForResponse(/prod-readiness/);
  answerLast(null);
  await (await answered).finished();
  await tab.settled();
  assert.equal(await tab.text("README.md"), "# Mine\n");
  assert.ok(!asked.some((it) => it.includes("raw.githubusercontent.com")), asked.join(" "));
  await tab.close();
});

test("what is left out of a large pull request is said", async () => {
  const names = Array.from({ length: 300 }, (_, at) => `keps/sig-node/${at % 12}-a/${at}.md`);
  const { tab } = await opened(async (route) => {
    const url = new URL(route.request().url());
    const page = Number(url.searchParams.get("page"));
    const folder = /contents\/(keps\/sig-node\/[^/?]+)$/.exec(url.pathname)?.[1];
    const body = page
      ? names.slice((page - 1) * 100, page * 100).map((filename) => ({ filename, status: "added" }))
      : folder
        ? [entry("kep.yaml")]
        : ANSWERS[`${API}/kubernetes/enhancements/pulls/77`];
    const isReview = url.pathname.includes("prod-readiness");
    await route.fulfill({ status: isReview ? 404 : 200, headers: cors, body: JSON.stringify(body) });
  });
  await ask(tab, "https://github.com/kubernetes/enhancements/pull/77");
  await tab.page.click("dialog button[type=submit]");
  await tab.message(/Only the first 300 files .* changes 12 KEPs, and the first 10 are here/);
  await tab.close();
});

test("links are followed, or it is said where they lead", async () => {
  const link = (name: string) => ({ name, type: "symlink", size: 12 });
  const yaml = "title: Prefetch\nkep-number: 1234\n";
  const answers: Record<string, unknown> = {
    [`${API}/a/b/contents/${FOLDER}?ref=main`]: [link("README.md"), entry("kep.yaml"), link("a.png")],
    [`${API}/a/b/contents/${FOLDER}/README.md?ref=main`]: {
      encoding: "base64",
      content: `${Buffer.from(README).toString("base64").replace(/.{20}/g, "$&\n")}\n`,
    },
    [`https://raw.githubusercontent.com/a/b/main/${FOLDER}/kep.yaml`]: yaml,
  };
  const { tab, asked } = await opened(async (route) => {
    const answer = answers[route.request().url()];
    const body = typeof answer === "string" ? answer : JSON.stringify(answer ?? {});
    await route.fulfill({ status: answer === undefined ? 404 : 200, headers: cors, body });
  });
  const address = `https://github.com/a/b/tree/main/${FOLDER}`;
  await ask(tab, address);
  await tab.page.click("dialog button[type=submit]");
  await tab.message("Opened 2 files");
  assert.equal(await tab.text("README.md"), README);
  assert.equal(await tab.text("kep.yaml"), yaml);
  assert.ok(!asked.some((it) => it.includes("a.png")), asked.join(" "));
  for (const [answer, words] of [
    [{ type: "symlink", target: "../away/README.md" }, "README.md is a link to ../away/README.md, which GitHub does"],
    [{ type: "file", encoding: "none", content: "" }, "README.md is a link, which GitHub does not follow."],
  ] as const) {
    answers[`${API}/a/b/contents/${FOLDER}/README.md?ref=main`] = answer;
    await ask(tab, address);
    await tab.page.click("dialog button[type=submit]");
    await tab.message(words);
  }
  assert.equal(await tab.text("README.md"), README);
  await tab.close();
});

test("neither who asks nor from where is told", async () => {
  const headers: Record<string, string>[] = [];
  const { tab } = await opened(async (route) => {
    headers.push(await route.request().allHeaders());
    await github(route);
  });
  await ask(tab, "https://github.com/kubernetes/enhancements/pull/77");
  await tab.page.click("dialog button[type=submit]");
  await tab.message("Opened 3 files");
  assert.ok(headers.length > 4);
  for (const one of headers) {
    assert.equal(one.referer, undefined);
    assert.equal(one.cookie, undefined);
    assert.equal(one.authorization, undefined);
  }
  await tab.close();
});

test("troubles of GitHub are said kindly, and the dialog stays", async () => {
  const reset = String(Math.floor(Date.now() / 1000) + 600);
  const limited = { ...cors, "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
  const cases: [(route: Route) => Promise<void>, RegExp][] = [
    [(route) => route.fulfill({ status: 403, headers: limited, body: "{}" }), /no more requests.*Try again at/],
    [(route) => route.fulfill({ status: 404, headers: cors, body: "{}" }), /has nothing at this address/],
    [(route) => route.fulfill({ status: 500, headers: cors, body: "{}" }), /status 500/],
    [(route) => route.abort(), /cannot be reached/],
    [(route) => route.fulfill({ status: 200, headers: cors, body: "<html>" }), /cannot be read/],
    [(route) => route.fulfill({ status: 200, headers: cors, body: "null" }), /not there any more/],
    [
      (route) =>
        route.fulfill({
          status: 200,
          headers: cors,
          body: '{"__proto__":{"head":1},"head":{"sha":"../x","repo":{"full_name":"a/b"}}}',
        }),
      /not there any more/,
    ],
  ];
  for (const [answer, words] of cases) {
    const { tab } = await opened(answer);
    await ask(tab, "https://github.com/kubernetes/enhancements/pull/77");
    await tab.page.click("dialog button[type=submit]");
    await tab.page.locator("dialog .trouble").getByText(words).waitFor();
    assert.ok(await tab.page.isVisible("#welcome"));
    await tab.close();
  }
});

test("a folder of another host, or no address, is not asked for", async () => {
  const { tab, asked } = await opened(github);
  for (const wrong of ["https://evil.example/a/b/pull/1", "javascript:alert(1)", "https://github.com/a/b"]) {
    await ask(tab, wrong);
    assert.ok(await tab.page.isDisabled("dialog button[type=submit]"));
    await tab.page.keyboard.press("Enter");
    await tab.page.keyboard.press("Escape");
  }
  assert.deepEqual(asked, []);
  await tab.close();
});

test("a file at an address of a tree is opened with its KEP", async () => {
  const { tab, asked } = await opened(async (route) => {
    const url = route.request().url();
    const isFolder = url === `${API}/a/b/contents/${FOLDER}?ref=main`;
    if (isFolder) {
      await route.fulfill({ status: 200, headers: cors, body: JSON.stringify([entry("README.md"), entry("../x.md")]) });
    } else if (url === `https://raw.githubusercontent.com/a/b/main/${FOLDER}/README.md`) {
      await route.fulfill({ status: 200, headers: cors, body: README });
    } else {
      await route.fulfill({ status: 404, headers: cors, body: "{}" });
    }
  });
  await ask(tab, `https://github.com/a/b/blob/main/${FOLDER}/README.md`);
  await tab.page.click("dialog button[type=submit]");
  await tab.message("Opened 1 file");
  assert.ok(
    asked.every(
      (it) =>
        it.startsWith("https://api.github.com/repos/a/b/") || it.startsWith("https://raw.githubusercontent.com/a/b/"),
    ),
  );
  assert.equal(await tab.text("README.md"), README);
  await tab.close();
});
