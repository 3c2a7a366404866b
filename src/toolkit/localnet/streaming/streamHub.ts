import type { Log } from '../../log';
import { nextTurn } from '../../turns';
import type { BlockRecord } from '../records/records';
import type { V3Context } from '../v3/context';
import { BlockEvents } from './blockEvents';
import type { Subscription } from './subscription';

/** Someone who listens. */
export interface StreamClient {
  subscription: Subscription;
  /** One event, as JSON. */
  send: (event: string) => void;
  /** Ends the stream: an event could not be told, and a gap must not go unseen. */
  end: () => void;
}

/** Tells each block to whoever subscribed to what is in it, in order; nothing is done while nobody listens. */
export class StreamHub {
  readonly #context: V3Context;
  readonly #log: Log;
  readonly #clients = new Set<StreamClient>();
  #work: Promise<void> = Promise.resolve();

  constructor(context: V3Context, log: Log) {
    this.#context = context;
    this.#log = log;
  }

  /** Starts to listen to the chain. Returns a function that ends it. */
  watch(): () => void {
    return this.#context.chain.onBlock((block) => {
      if (this.#clients.size > 0 && block.transactions.length > 0) {
        const clients = [...this.#clients];
        this.#work = this.#work.then(() => this.#tell(block, clients));
      }
    });
  }

  get size(): number {
    return this.#clients.size;
  }

  /** Returns a function that removes the client. */
  add(client: StreamClient): () => void {
    this.#clients.add(client);
    return () => this.#clients.delete(client);
  }

  async #tell(block: BlockRecord, clients: readonly StreamClient[]): Promise<void> {
    const events = new BlockEvents(this.#context, block);
    for (const client of clients) {
      try {
        for (const event of await events.of(client.subscription)) {
          if (this.#clients.has(client)) {
            client.send(event);
          }
        }
      } catch (error) {
        this.#log.warn(`A stream ends, as a block could not be told: ${String(error)}`);
        client.end();
      }
      await nextTurn();
    }
  }
}
