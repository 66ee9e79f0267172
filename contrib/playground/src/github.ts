// A KEP on GitHub: which files an address means, and how the browser gets them, from two hosts of GitHub only. Nothing is
// asked before a click.
import { type Bytes, collected, ofBase64, record } from "./data";
import { Refused } from "./engine";
import { decoded } from "./kep-files";
import type { Source } from "./sources";

const API = "https://api.github.com";
const RAW = "https://raw.githubusercontent.com";
/** How many files of a pull request are looked at: more pages cost more of the few requests that GitHub allows. */
const PAGES = 3;
const PAGE = 100;
/** How many KEPs of a pull request are looked at. */
const KEPS = 10;
const NAME = "[A-Za-z0-9_.-]{1,100}";

export type Address =
  | { kind: "pull"; repository: string; number: string }
  | { kind: "tree"; repository: string; ref: string; path: string };

/** What an address means; `null` for one that is none of GitHub's known ones. */
export function parsed(text: string): Address | null {
  const address = text.trim();
  if (!URL.canParse(address)) {
    return null;
  }
  const url = new URL(address);
  if (url.protocol !== "https:" || !/^(www\.)?github\.com$/.test(url.hostname) || url.port !== "") {
    return null;
  }
  const pull = new RegExp(`^/(${NAME}/${NAME})/pull/(\\d{1,9})(/|$)`).exec(url.pathname);
  if (pull?.[1] && pull[2]) {
    return { kind: "pull", repository: pull[1], number: pull[2] };
  }
  const tree = new RegExp(`^/(${NAME}/${NAME})/(?:blob|tree)/(.{1,250}?)/(keps/.{1,500}?)/*$`).exec(url.pathname);
  let [ref, path] = ["", ""];
  try {
    [ref, path] = [decodeURIComponent(tree?.[2] ?? ""), decodeURIComponent(tree?.[3] ?? "")];
  } catch {
    return null;
  }
  const isFile = /\.(md|ya?ml)$/.test(path);
  const folder = isFile ? path.slice(0, path.lastIndexOf("/")) : path;
  const isInside = !`${ref}/${folder}`.split("/").some((part) => part === ".." || part === "." || part === "");
  return isInside && tree?.[1] ? { kind: "tree", repository: tree[1], ref, path: folder } : null;
}

/** What will be asked for, for people. */
export function plan(address: Address): string[] {
  const api = `${API}/repos/${address.repository}`;
  const own =
    address.kind === "pull"
      ? [`${api}/pulls/${address.number}`, `${api}/pulls/${address.number}/files`]
      : [`${api}/contents/${address.path}?ref=${address.ref} (and its links)`];
  return [...own, `${api}/contents/… (folders of KEPs and PRR files)`, `${RAW}/… (the files of a KEP)`];
}

interface Listed {
  path: string;
  size: number;
  isLink: boolean;
}

/**
 * The files of the KEPs that `address` is about, which are read when they are chosen. `asks` is told each address, and
 * `leaves` what is not looked at.
 */
export async function files(
  address: Address,
  asks: (address: string) => void,
  leaves: (words: string) => void,
): Promise<Source[]> {
  const github = new GitHub(asks);
  if (address.kind === "tree") {
    return github.kep(address.repository, address.ref, address.path);
  }
  const api = `/repos/${address.repository}/pulls/${address.number}`;
  const head = record(record(await github.json(api)).head);
  const repository = text(record(head.repo).full_name);
  const commit = text(head.sha);
  if (!new RegExp(`^${NAME}/${NAME}$`).test(repository) || !/^[0-9a-f]{40}$/.test(commit)) {
    throw new Refused("The repository of the pull request is not there any more.", "Ask its author for the files.");
  }
  const folders = new Set<string>();
  for (let page = 1; page <= PAGES; page += 1) {
    const changed = array(await github.json(`${api}/files?per_page=${PAGE}&page=${page}`));
    for (const file of changed) {
      const folder = folderOf(text(record(file).filename));
      if (folder && record(file).status !== "removed") {
        folders.add(folder);
      }
    }
    if (changed.length < PAGE) {
      break;
    }
    if (page === PAGES) {
      leaves(`Only the first ${PAGES * PAGE} files of the pull request were looked at.`);
    }
  }
  if (folders.size === 0) {
    throw new Refused("The pull request changes no KEP below keps/.", "Open the address of the KEP's folder instead.");
  }
  const sources: Source[] = [];
  if (folders.size > KEPS) {
    leaves(`The pull request changes ${folders.size} KEPs, and the first ${KEPS} are here.`);
  }
  for (const folder of [...folders].slice(0, KEPS)) {
    sources.push(...(await github.kep(repository, commit, folder)));
  }
  return sources;
}

/** The folder of the KEP that a file of the repository belongs to. */
function folderOf(path: string): string | null {
  const numbered = /^(keps\/(?!prod-readiness\/)(?:[^/]+\/){1,3}?\d{1,6}-[^/]+)\/./.exec(path)?.[1];
  return numbered ?? /^(keps\/(?!prod-readiness\/)[^/]+\/[^/]+)\/(?:README\.md|kep\.yaml)$/.exec(path)?.[1] ?? null;
}

class GitHub {
  private readonly reviews = new Map<string, Listed[]>();

  constructor(private readonly asks: (address: string) => void) {}

  /** The documents of a KEP's folder, and its PRR file. */
  async kep(repository: string, ref: string, folder: string): Promise<Source[]> {
    const listed = await this.folder(repository, ref, folder);
    const documents = listed.filter(({ path }) => /\/(kep\.yaml|OWNERS|[^/]+\.md)$/.test(path));
    const [, sig, ...rest] = folder.split("/");
    const number = /^0*(\d+)-/.exec(rest.at(-1) ?? "")?.[1];
    if (sig && number) {
      const reviews = await this.reviewsOf(repository, ref, sig);
      documents.push(...reviews.filter(({ path }) => /0*(\d+)\.yaml$/.exec(path)?.[1] === number));
    }
    const raw = (path: string) => `${RAW}/${repository}/${encoded(ref)}/${encoded(path)}`;
    return documents.map(({ path, size, isLink }) => {
      const read = () => (isLink ? this.linked(repository, ref, path) : this.bytes(raw(path), size));
      return { path, size, read };
    });
  }

  private async reviewsOf(repository: string, ref: string, sig: string): Promise<Listed[]> {
    const known =
      this.reviews.get(sig) ?? (await this.folder(repository, ref, `keps/prod-readiness/${sig}`).catch(none));
    this.reviews.set(sig, known);
    return known;
  }

  private async folder(repository: string, ref: string, path: string): Promise<Listed[]> {
    const entries = array(await this.contents(repository, ref, path)).map(record);
    return entries
      .filter(({ type, name }) => (type === "file" || type === "symlink") && !text(name).includes("/"))
      .map(({ type, name, size }) => ({
        path: `${path}/${text(name)}`,
        size: typeof size === "number" ? size : 0,
        isLink: type === "symlink",
      }));
  }

  /** The file that a link in the repository leads to, which GitHub follows. */
  private async linked(repository: string, ref: string, path: string): Promise<Uint8Array> {
    const { target, encoding, content } = record(await this.contents(repository, ref, path));
    // It gives no text of a large file.
    if (encoding !== "base64") {
      const where = text(target) ? ` to \`${text(target)}\`` : "";
      throw new Refused(`${path} is a link${where}, which GitHub does not follow.`, "Open that file, too.");
    }
    return ofBase64(text(content));
  }

  private contents(repository: string, ref: string, path: string): Promise<unknown> {
    return this.json(`/repos/${repository}/contents/${encoded(path)}?ref=${encodeURIComponent(ref)}`);
  }

  async json(path: string): Promise<unknown> {
    const answer = await this.get(API + path, 8 << 20);
    try {
      return JSON.parse(decoded(answer, "the answer of GitHub"));
    } catch {
      throw new Refused("GitHub gave an answer that cannot be read.", "Try again later, or open the files from disk.");
    }
  }

  private bytes(address: string, size: number): Promise<Uint8Array> {
    return this.get(address, Math.max(size, 1) * 2);
  }

  /** What is at an address, without a word of who asks; an answer with more than `most` bytes is refused. */
  private async get(address: string, most: number): Promise<Uint8Array> {
    this.asks(address);
    let answer: Response;
    try {
      answer = await fetch(address, {
        credentials: "omit",
        referrerPolicy: "no-referrer",
        signal: AbortSignal.timeout(30_000),
      });
    } catch {
      throw new Refused("GitHub cannot be reached.", "Check your connection, or open the files from disk.");
    }
    if (!answer.ok) {
      throw refused(answer);
    }
    const tooMuch = new Refused("GitHub gave more than was asked for.", "Open the files from disk.");
    return collected(answer.body as ReadableStream<Bytes>, most, tooMuch);
  }
}

function refused(answer: Response): Refused {
  if (answer.headers.get("x-ratelimit-remaining") === "0" || answer.status === 429) {
    const reset = Number(answer.headers.get("x-ratelimit-reset"));
    const when = reset > 0 ? `at ${new Date(reset * 1000).toLocaleTimeString()}` : "in an hour";
    return new Refused(
      "GitHub answers no more requests from your address for now.",
      `Try again ${when}, or open the files from disk.`,
    );
  }
  if (answer.status === 404) {
    return new Refused(
      "GitHub has nothing at this address.",
      "Check the address; what is in a private repository cannot be opened here.",
    );
  }
  return new Refused(`GitHub answered with status ${answer.status}.`, "Try again later, or open the files from disk.");
}

/** A group without reviews has no folder for them. Any other trouble is told. */
function none(reason: unknown): Listed[] {
  if (reason instanceof Refused && reason.message.startsWith("GitHub has nothing")) {
    return [];
  }
  throw reason;
}

const encoded = (path: string) => path.split("/").map(encodeURIComponent).join("/");
const text = (value: unknown) => (typeof value === "string" ? value : "");
const array = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
