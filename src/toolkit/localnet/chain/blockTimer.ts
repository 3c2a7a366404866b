import type { BlockMode } from '../records/blockInput';
import type { Log } from '../../base/log';
import type { Clock } from '../../base/time';

/** Triggers blocks when they are due. */
export class BlockTimer {
  #mode: BlockMode;
  #cancelTimer: (() => void) | undefined;
  #closed = false;
  #notBefore = 0;

  constructor(
    mode: BlockMode,
    private readonly chain: { isIdle(): boolean; isBusy(): boolean; mine(): Promise<unknown> },
    private readonly log: Log,
    private readonly clock: Clock,
  ) {
    this.#mode = mode;
  }

  get mode(): BlockMode {
    return this.#mode;
  }

  set mode(mode: BlockMode) {
    this.#mode = mode;
    this.cancel();
    this.schedule();
  }

  /** No automatic block for this many milliseconds, unless something new arrives. */
  pause(milliseconds: number): void {
    this.#notBefore = this.clock.monotonic() + milliseconds;
  }

  /** Something new has arrived. */
  wake(): void {
    if (this.#notBefore > this.clock.monotonic()) {
      this.#notBefore = 0;
      this.cancel();
    }
    this.schedule();
  }

  /** Sets the timer for the next due block. */
  schedule(): void {
    const mode = this.#mode;
    const wanted = mode.kind === 'interval' || (mode.kind === 'automatic' && !this.chain.isIdle());
    if (!wanted || this.#closed || this.#cancelTimer !== undefined || this.chain.isBusy()) {
      return;
    }
    const delay = mode.kind === 'interval' ? mode.every : mode.delay;
    const wait = Math.max(delay, this.#notBefore - this.clock.monotonic());
    this.#cancelTimer = this.clock.after(
      wait,
      () => {
        this.#cancelTimer = undefined;
        this.chain.mine().catch((error: unknown) => this.log.error('A block could not be made', error));
      },
      false,
    );
  }

  cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  close(): void {
    this.#closed = true;
    this.cancel();
  }
}
