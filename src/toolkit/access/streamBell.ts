import type { Log } from '../base/log';
import { numberWidths } from '../base/numberWidths';
import type { Clock } from '../base/time';
import type { Access } from './createAccess';
import type { StreamRequest } from './openStream';
import type { StreamEvent } from './watchStream';
import { watchStream } from './watchStream';

export interface StreamBellOptions {
  access: Pick<Access, 'stream' | 'network'>;
  clock: Clock;
  log?: Log | undefined;
  /** Called with each event, and with undefined when something may have been missed. */
  onRing?: ((event: StreamEvent | undefined) => void) | undefined;
  /** Called when the stream is connected, and when it is lost. */
  onLive?: ((isLive: boolean) => void) | undefined;
}

/**
 * A stream as a reason to look: whoever asks a network again and again waits here instead, and asks when something has
 * happened. While there is no stream, waiting takes the usual time.
 */
export class StreamBell {
  readonly #options: StreamBellOptions;
  #controller = new AbortController();
  #key = '';
  #isClosed = false;
  #isLive = false;
  #hasRung = false;
  #isTold = false;
  #wake: (() => void) | undefined;

  constructor(options: StreamBellOptions) {
    this.#options = options;
  }

  /** Whether the stream is connected: nothing happens unheard. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** Listens to this from now on; undefined to nothing. The same request again, or one after the end, changes nothing. */
  listen(request: StreamRequest | undefined): void {
    const key = JSON.stringify(request ?? null);
    if (key === this.#key || this.#isClosed) {
      return;
    }
    this.#key = key;
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#setLive(false);
    if (request !== undefined) {
      void this.#follow(request, this.#controller.signal);
    }
  }

  /**
   * Resolves when something has happened since the last call, at once if it already has; also after `ms`, if there is
   * no stream. Rejects with `aborted` if the signal fires.
   * @param mostMs a limit even with a stream
   */
  async wait(ms: number, signal?: AbortSignal, mostMs?: number): Promise<void> {
    const { clock } = this.#options;
    for (const began = clock.monotonic(); !this.#hasRung;) {
      const limit = this.#isLive ? mostMs : ms;
      const leftMs = limit === undefined ? undefined : limit - (clock.monotonic() - began);
      if (leftMs !== undefined && leftMs <= 0) {
        return;
      }
      const awake = new AbortController();
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      const either = signal === undefined ? awake.signal : AbortSignal.any([signal, awake.signal]);
      const slept = clock.sleep(leftMs ?? numberWidths.timerMs, either);
      await Promise.race([woken, slept]).finally(() => {
        awake.abort();
        slept.catch(() => undefined);
      });
    }
    this.#hasRung = false;
  }

  close(): void {
    this.#isClosed = true;
    this.#controller.abort();
    this.#setLive(false);
  }

  async #follow(request: StreamRequest, signal: AbortSignal): Promise<void> {
    const { access, onRing } = this.#options;
    const log = this.#options.log ?? access.stream?.log;
    try {
      for await (const told of watchStream(access, request, { signal })) {
        if (signal.aborted) {
          return;
        }
        if (told.kind === 'connected') {
          this.#setLive(true);
        } else if (told.kind !== 'event') {
          this.#setLive(false);
          if (!this.#isTold) {
            this.#isTold = true;
            const { message } = told.error;
            log?.info(
              `${access.network.name} does not stream now, so it is asked again and again: ${message}`,
            );
          }
        }
        if (told.kind === 'connected' || told.kind === 'event') {
          onRing?.(told.kind === 'event' ? told.event : undefined);
          this.#ring();
        }
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#setLive(false);
        log?.info(`${access.network.name} refused a stream: ${String(error)}`);
      }
    }
  }

  #setLive(isLive: boolean): void {
    if (isLive !== this.#isLive) {
      this.#isLive = isLive;
      this.#isTold = isLive ? false : this.#isTold;
      // Who waits for a ring alone has to look at the clock from now on.
      this.#wake?.();
      this.#options.onLive?.(isLive);
    }
  }

  #ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }
}
