// Keeps the engine's KEP that of the page: a change is checked when the last check has ended, so that keys never pile up,
// and a question waits until the engine has the text that it is about.
import type { App } from "./app";
import type { About, Answer, Name, Questions } from "./contract";
import { Engine, Refused } from "./engine";

/** The questions that are not about the KEP of the page. */
const FREE: Name[] = ["about", "unchecked", "explain", "example", "markdown", "new"];

type Editing = "change" | "fix-all" | "promote" | "upgrade";

export class Session {
  private readonly engine = new Engine(() => {
    this.hasLostFacts = this.facts !== null;
    // The next question is about a KEP that the engine does not have any more.
    this.isChanged = true;
  });
  private facts: string | null = null;
  private hasLostFacts = false;
  about: About | null = null;
  private isChanged = false;
  private checking: Promise<void> | null = null;
  /** Why the last check failed: then the engine has no KEP, or another one. */
  private trouble: Refused | null = null;
  /** How often something has changed. */
  private version = 0;

  constructor(private readonly app: App) {}

  /** Uses facts of a repository, or the built-in lists. Refused ones change nothing. */
  async useFacts(text: string | null): Promise<Answer<"facts">> {
    await this.settled();
    const answer = await this.engine.ask("facts", { text });
    this.facts = text;
    this.changed();
    return answer;
  }

  /** The text or the settings are others. */
  changed(): void {
    this.isChanged = true;
    this.version += 1;
    this.app.busy(true);
    this.checking ??= this.check().finally(() => {
      this.checking = null;
    });
  }

  /** Waits until the engine has what the page has. */
  async settled(): Promise<void> {
    if (this.isChanged) {
      this.changed();
    }
    await this.checking;
  }

  /** Asks about the KEP as it is on the page, or what has nothing to do with it. */
  async ask<N extends Name>(name: N, about: Questions[N]["with"]): Promise<Answer<N>> {
    await this.settled();
    if (this.trouble && !FREE.includes(name)) {
      throw this.trouble;
    }
    return this.engine.ask(name, about);
  }

  /** Asks for edits of the KEP, which are worth nothing once its text is another one. */
  async askForEdits<N extends Editing>(name: N, about: Questions[N]["with"]): Promise<Answer<N>> {
    await this.settled();
    const { version } = this;
    const answer = await this.ask(name, about);
    if (version !== this.version) {
      throw new Refused("The text was changed in the meantime, and nothing else is done.", "Try it again.");
    }
    return answer;
  }

  private async check(): Promise<void> {
    // What changes within one task is checked once.
    await Promise.resolve();
    while (this.isChanged) {
      this.isChanged = false;
      const { version } = this;
      try {
        if (!this.about) {
          this.about = await this.engine.ask("about", {});
          this.app.known(this.about);
        }
        if (this.hasLostFacts) {
          this.hasLostFacts = false;
          await this.engine.ask("facts", { text: this.facts });
        }
        const check = await this.engine.ask("check", { kep: this.app.files.kep(), settings: this.app.form.settings() });
        this.trouble = null;
        // Findings of a text that is changed already would be at wrong places.
        if (!this.isChanged) {
          this.app.checked(check);
        }
      } catch (error) {
        this.trouble = error instanceof Refused ? error : new Refused(String(error), null);
        // The same text would fail again: only another change is a reason to try.
        this.isChanged = this.version !== version;
        if (!this.isChanged) {
          this.app.troubled(this.trouble);
        }
      }
    }
    this.app.busy(false);
  }
}
