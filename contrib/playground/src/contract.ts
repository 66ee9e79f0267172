// What the engine is asked and what it answers. Offsets are bytes of the exact text of a file.

/** `readme`, `metadata` (kep.yaml) or `review` (the PRR file); of another document of the KEP, its path. */
export type Role = string;
export type Severity = "error" | "warning" | "suggestion";
export type RemedyKind = "fix" | "unsafe-fix" | "ignore";

export interface Kep extends Record<"directory" | "readme" | "metadata" | "review", string | null> {
  others: Record<string, string>;
}

export interface Settings extends Record<"stage" | "release" | "preset" | "level" | "config", string | null> {
  /** The rules and categories that alone are checked. */
  select: string[] | null;
}

/** A part of a file, between two bytes. */
export interface Place {
  path: string;
  start: { offset: number };
  end: { offset: number };
}

export interface Finding extends Place {
  start: { offset: number; line: number; column: number };
  fingerprint: string;
  rule: string;
  severity: Severity;
  section: string[] | null;
  message: string;
  help: string | null;
  related: (Place & { message: string })[];
  remedies: { kind: RemedyKind; title: string }[];
  url: string | null;
}

export interface About {
  version: string;
  releases: string[];
  /** SIGs, working groups and committees. */
  groups: string[];
  bounds: { fileBytes: number };
}

export interface Check {
  /** Where its files are, by their roles; without a number, all of it is a guess. */
  place: { directory: string; paths: Record<Role, string>; isKnown: boolean };
  /** `stage` is that of kep.yaml. */
  kep: Record<"title" | "number" | "stage", string | null> & { lines: string[] };
  findings: Finding[];
  summary: string;
  /** The files that are not open here, and what is not checked without them. */
  lacks: { role: Role; name: string; why: string | null }[];
  conditions: string[];
}

export interface Edit extends Place {
  text: string;
}

export type EntryPlace = Place & { line: number };

/** A line of the checklist. */
export interface Entry {
  name: string;
  title: string;
  kind: "verdict" | "evidence";
  state: "met" | "info" | "look" | "not-met";
  words: string;
  place: EntryPlace | null;
  details: { words: string | null; help: string | null; place: EntryPlace | null }[];
  /** What is to be written, and where. */
  write: { path: string; text: string } | null;
}

export interface Checklist {
  title: string;
  isReady: boolean;
  verdict: string;
  counts: string;
  entries: Entry[];
  byHand: string[];
  markdown: string;
}

export interface Completion {
  label: string;
  text: string;
  detail: string | null;
  documentation: string | null;
}

/** An element that begins; a link has an address. */
export type Begun = [name: string, address?: string];

/** A part of a text in Markdown; `null` is the end of an element. */
export type Part = string | Begun | null;

/** The questions by name: what is sent with each, and what comes back. */
export interface Questions {
  about: { with: object; answer: About };
  facts: { with: { text: string | null }; answer: { words: string } };
  check: { with: { kep: Kep; settings: Settings }; answer: Check };
  hover: { with: { path: string; at: number }; answer: (Place & { markdown: string }) | null };
  complete: { with: { path: string; at: number }; answer: (Place & { items: Completion[] }) | null };
  change: { with: { id: string; kind: RemedyKind }; answer: { edits: Edit[]; select: Place | null } };
  "fix-all": { with: object; answer: { edits: Edit[]; fixed: number } };
  comment: { with: object; answer: { markdown: string } };
  ready: { with: { stage: string | null; release: string | null; today: string }; answer: Checklist };
  new: {
    with: { number: string; title: string; sig: string; authors: string[]; today: string };
    answer: { kep: Kep; notes: string[] };
  };
  promote: {
    with: { goal: string; skipBeta: boolean; release: string | null; today: string };
    answer: { edits: Edit[]; changes: string[]; notes: string[] };
  };
  upgrade: { with: { stage: string | null }; answer: { edits: Edit[]; notes: string[] } };
  unchecked: { with: object; answer: { name: string; summary: string }[] };
  explain: { with: { rule: string }; answer: { markdown: string; hasExample: boolean } };
  markdown: { with: { text: string }; answer: Part[] };
  example: { with: { rule: string }; answer: { kep: Kep; settings: Settings } };
}

export type Name = keyof Questions;
export type Answer<N extends Name> = Questions[N]["answer"];
