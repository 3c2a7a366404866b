import { toWorkbenchError } from './errors';
import type { FormVerdict } from './fieldForm';
import type { Clock } from './time';

/** What a live verdict needs. */
export interface LiveVerdictParameters {
  /** Finds out what would come of what is filled in now; nothing of it may happen. */
  ask: (signal: AbortSignal) => Promise<FormVerdict>;
  onChange: () => void;
  clock: Clock;
  /** What is said meanwhile: `rehearsing`. */
  checking: string;
}

/** Milliseconds without a change before it asks. */
const quietMs = 200;

/**
 * The verdict on what is being filled in: asked for anew, after a moment's quiet, whenever that changes. A question
 * that is no longer of interest is canceled, and its answer is not shown.
 */
export class LiveVerdict {
  readonly #parameters: LiveVerdictParameters;
  #current: FormVerdict | undefined;
  #cancel: (() => void) | undefined;

  constructor(parameters: LiveVerdictParameters) {
    this.#parameters = parameters;
  }

  /** Undefined if nothing was asked. */
  current(): FormVerdict | undefined {
    return this.#current;
  }

  /** What is filled in has changed. */
  renew(): void {
    this.stop();
    const { clock, checking } = this.#parameters;
    const ends = new AbortController();
    this.#show({ state: 'checking', text: checking });
    const cancelTimer = clock.after(quietMs, () => {
      void this.#ask(ends.signal);
    });
    this.#cancel = () => {
      cancelTimer();
      ends.abort();
    };
  }

  /** Nobody waits for it any more, or what is filled in is invalid. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#current = undefined;
  }

  async #ask(signal: AbortSignal): Promise<void> {
    let verdict: FormVerdict;
    try {
      verdict = await this.#parameters.ask(signal);
    } catch (error) {
      verdict = { state: 'unknown', text: toWorkbenchError(error).message };
    }
    if (!signal.aborted) {
      this.#show(verdict);
    }
  }

  #show(verdict: FormVerdict): void {
    this.#current = verdict;
    this.#parameters.onChange();
  }
}
