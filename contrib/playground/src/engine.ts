// The engine in its worker: questions go in, answers come out. A worker that fails or does not answer is replaced.
import type { Answer, Name, Questions } from "./contract";
import { environment } from "./environment";

/** Why the engine did not answer: it refused, or it failed and was started again. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly help: string | null,
    readonly hasRestarted = false,
  ) {
    super(message);
  }
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(reason: Error): void;
}

/** What the worker says. */
export type Reply = { id: number; answer: unknown } | { id: number; trap: string } | { broken: string };

/** How long an answer may take before the worker is replaced, in milliseconds. */
const PATIENCE = 30_000;

export class Engine {
  private readonly environment = environment();
  private worker: Promise<Worker> | null = null;
  private waiting = new Map<number, Waiting>();
  private count = 0;
  private alarm = 0;

  /** `restarted` is told when the engine has lost what it was told. */
  constructor(private readonly restarted: () => void) {}

  async ask<N extends Name>(name: N, about: Questions[N]["with"]): Promise<Answer<N>> {
    this.worker ??= this.begun();
    const worker = await this.worker;
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: (answer) => resolve(answer as Answer<N>), reject });
      worker.postMessage({ id, question: { ask: name, ...about } });
      this.watch();
    });
  }

  private async begun(): Promise<Worker> {
    try {
      const module = await this.environment.module();
      const worker = this.environment.worker();
      worker.onmessage = (event: MessageEvent<Reply>) => this.hear(event.data);
      worker.onerror = (event) => {
        event.preventDefault();
        this.replace(event.message || "it could not be started");
      };
      worker.postMessage({ module });
      return worker;
    } catch (error) {
      this.worker = null;
      const help = "Your text is unchanged. Check your connection: the next change tries again.";
      throw new Refused(`The checks could not be loaded: ${error instanceof Error ? error.message : error}.`, help);
    }
  }

  private hear(reply: Reply): void {
    if ("broken" in reply) {
      this.replace(reply.broken);
      return;
    }
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    this.watch();
    if ("trap" in reply) {
      this.restarted();
      waiting?.reject(failed(reply.trap));
      return;
    }
    const answer = reply.answer as { ok: unknown } | { refused: { message: string; help?: string | null } };
    if ("refused" in answer) {
      waiting?.reject(new Refused(answer.refused.message, answer.refused.help ?? null));
    } else {
      waiting?.resolve(answer.ok);
    }
  }

  private watch(): void {
    clearTimeout(this.alarm);
    if (this.waiting.size > 0) {
      this.alarm = window.setTimeout(() => this.replace("it gave no answer"), PATIENCE);
    }
  }

  private replace(reason: string): void {
    clearTimeout(this.alarm);
    void this.worker?.then((worker) => worker.terminate());
    this.worker = null;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    this.restarted();
    for (const it of waiting) {
      it.reject(failed(reason));
    }
  }
}

function failed(reason: string): Refused {
  const help = "Your text is unchanged. Change it or undo the last step, and please report what you did.";
  return new Refused(`The checker failed and was started again (${reason}).`, help, true);
}
