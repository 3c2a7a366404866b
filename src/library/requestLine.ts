import { WorkbenchError } from '../toolkit/base/errors';
import type { WalletAnswer, WalletDecision, WalletRequest } from './wallet';

/** A request that waits, with what decides it. */
export interface WaitingRequest {
  readonly request: WalletRequest;
  readonly decide: (decision: WalletDecision) => void;
}

/** The requests that a test has not decided, in the order in which they came, and the test that waits for the next. */
export class RequestLine {
  readonly #come: WaitingRequest[] = [];
  readonly #waiting: ((one: WaitingRequest) => void)[] = [];
  /** Refused since the last request that was taken. */
  #refused: WalletAnswer[] = [];

  /** What nobody has decided, oldest first. */
  get undecided(): readonly WalletRequest[] {
    return this.#come.map(({ request }) => request);
  }

  add(one: WaitingRequest): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#come.push(one);
    } else {
      this.#refused = [];
      next(one);
    }
  }

  /** A request was refused before anybody was asked. */
  refuse(answer: WalletAnswer): void {
    this.#refused.push(answer);
  }

  /**
   * The oldest request, or the next one.
   * @param timeout milliseconds
   * @throws WorkbenchError `timeout` (failed); it names the requests that were refused in the meantime
   */
  take(timeout: number): Promise<WaitingRequest> {
    const first = this.#come.shift();
    if (first !== undefined) {
      this.#refused = [];
      return Promise.resolve(first);
    }
    let wait: ((one: WaitingRequest) => void) | undefined;
    const come = new Promise<WaitingRequest>((resolve) => this.#waiting.push((wait = resolve)));
    return inTime(come, timeout, () => this.#nothing(timeout)).catch((error: unknown) => {
      this.#waiting.splice(this.#waiting.indexOf(wait!), 1);
      throw error;
    });
  }

  #nothing(timeout: number): WorkbenchError {
    const refused = this.#refused.map(
      ({ number, method, error }) =>
        `request ${number} (${method}) was refused at once with code ${error?.code}: ${error?.message}`,
    );
    const [what, hint] =
      refused.length === 0
        ? [
            `No request came to the wallet within ${timeout} ms.`,
            'See whether the page has asked for anything; the option `timeout` waits longer.',
          ]
        : [
            `No request that a test can decide came to the wallet within ${timeout} ms; ${refused.join('; ')}`,
            undefined,
          ];
    return new WorkbenchError({ code: 'timeout', kind: 'failed', message: what, hint });
  }
}

/**
 * The result, if it is there in time.
 * @param timeout milliseconds
 */
export function inTime<Result>(
  result: Promise<Result>,
  timeout: number,
  late: () => WorkbenchError,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const ends = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), timeout);
  });
  return Promise.race([result, ends]).finally(() => clearTimeout(timer));
}
