import type * as vscode from 'vscode';
import type { Services } from '../project/services';

/** Milliseconds between a block and the calls, so that several blocks in quick succession cause one round. */
const debounceMs = 400;
/** Maximum calls per round; contracts with more get-methods show older answers for the rest. */
const mostCalls = 60;
/** Calls running at the same time. */
const width = 4;

/** The calls to keep current. */
export interface FreshCalls<Call> {
  /** The calls that are currently shown. */
  calls: () => readonly Call[];
  /** Equal for equal calls. */
  key: (call: Call) => string;
  run: (call: Call) => Promise<void>;
  /** Saves the answers of a round all at once. */
  together?: (round: () => Promise<void>) => Promise<void>;
}

/**
 * Keeps answers current: on the local network, their calls run again after each block while the answers are visible.
 */
export class FreshAnswers<Call> implements vscode.Disposable {
  readonly #services: Services;
  readonly #fresh: FreshCalls<Call>;
  readonly #subscription: vscode.Disposable;
  #isVisible = false;
  /** The network, block, and contracts of the last round. */
  #seen = '';
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(services: Services, fresh: FreshCalls<Call>) {
    this.#services = services;
    this.#fresh = fresh;
    this.#subscription = services.localNetwork.onDidChange(() => this.look());
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#subscription.dispose();
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.look();
  }

  /** Runs the calls if there is a new block or contract since they last ran. */
  look(): void {
    if (this.#isVisible && this.#now() !== this.#seen) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#running = this.#running.then(() => this.#round());
      }, debounceMs);
    }
  }

  /** Empty if nothing runs automatically: on other networks, calls cost requests. */
  #now(): string {
    const state = this.#services.localNetwork.state();
    if (this.#services.networks.current().kind !== 'local' || state.kind !== 'running') {
      return '';
    }
    return [state.block, ...this.#fresh.calls().map((call) => this.#fresh.key(call))].join(' ');
  }

  async #round(): Promise<void> {
    const now = this.#now();
    if (!this.#isVisible || now === '' || now === this.#seen) {
      return;
    }
    this.#seen = now;
    const { calls, key, run, together = (round) => round() } = this.#fresh;
    const left = calls().slice(0, mostCalls);
    const worker = async (): Promise<void> => {
      for (let call = left.shift(); call !== undefined; call = left.shift()) {
        const name = key(call);
        await run(call).catch((error: unknown) => this.#services.log.debug(`${name}: ${String(error)}`));
      }
    };
    await together(async () => {
      await Promise.all(Array.from({ length: width }, worker));
    });
  }
}
