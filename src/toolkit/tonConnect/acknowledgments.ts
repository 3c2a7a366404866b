import type { Clock } from '../base/time';

/** Milliseconds from the acknowledgment's last byte until an event may follow it: a dApp on a busy machine reads late. */
const settles = 50;

/**
 * Keeps the events of a client back while a message of its own is not acknowledged: a rule answers faster than HTTP. The
 * SDK of dApps knows a request only once its message is acknowledged, and an answer that comes before is lost on it: the
 * request would wait for ever.
 */
export class Acknowledgments {
  readonly #clock: Clock;
  readonly #open = new Map<string, { messages: number; events: (() => void)[] }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A client's message is being taken. @returns what to call when its acknowledgment is written */
  begin(client: string): () => void {
    const open = this.#open.get(client) ?? { messages: 0, events: [] };
    this.#open.set(client, open);
    open.messages += 1;
    return () => {
      this.#clock.after(settles, () => {
        open.messages -= 1;
        if (open.messages === 0) {
          this.#open.delete(client);
          open.events.forEach((deliver) => deliver());
        }
      });
    };
  }

  /** Delivers an event of a client, in order: at once, or as soon as nothing of the client is open. */
  deliver(client: string, deliver: () => void): void {
    const open = this.#open.get(client);
    if (open === undefined) {
      deliver();
    } else {
      open.events.push(deliver);
    }
  }
}
