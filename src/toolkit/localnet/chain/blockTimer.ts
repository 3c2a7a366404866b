import type { BlockMode } from '../records/blockMode';
import type { Log } from '../../log';

/** Lets blocks be made at their time. */
export class BlockTimer {
  #mode: BlockMode;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #notBefore = 0;

  constructor(
    mode: BlockMode,
    private readonly chain: { isIdle(): boolean; isBusy(): boolean; mine(): Promise<unknown> },
    private readonly log: Log,
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

  /** No automatic block for so many milliseconds, unless something new arrives. */
  pause(milliseconds: number): void {
    this.#notBefore = performance.now() + milliseconds;
  }

  /** Something new has arrived. */
  wake(): void {
    if (this.#notBefore > performance.now()) {
      this.#notBefore = 0;
      this.cancel();
    }
    this.schedule();
  }

  /** Sets the timer when a block is due. */
  schedule(): void {
    const mode = this.#mode;
    const wanted = mode.kind === 'interval' || (mode.kind === 'automatic' && !this.chain.isIdle());
    if (!wanted || this.#closed || this.#timer !== undefined || this.chain.isBusy()) {
      return;
    }
    const delay = mode.kind === 'interval' ? mode.every : mode.delay;
    const wait = Math.max(delay, this.#notBefore - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.chain.mine().catch((error: unknown) => this.log.error('A block could not be made', error));
    }, wait).unref();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  close(): void {
    this.#closed = true;
    this.cancel();
  }
}
