import type { StreamFinality, StreamType } from '../../api/v3Traces';
import { streamFinalities } from '../../api/v3Traces';
import { hashToBase64 } from '../../address/hash';
import type { Log } from '../../base/log';
import { isTurnOver, nextTurn } from '../../base/turns';
import { ApiError } from '../api/apiError';
import type { PendingMessage } from '../chain/inboundMessage';
import type { BlockRecord } from '../records/records';
import type { V3Context } from '../v3/v3Context';
import type { StageEvents } from './stageEvents';
import { blockEvents, normOf, pendingEvents } from './stageEvents';
import type { Subscription } from './subscription';
import { Subscribers } from './subscription';

/** Someone who listens. */
export interface StreamClient {
  /** One event, as JSON. */
  send: (event: string) => void;
  /** Ends the stream, and says why: an event could not be told, and a gap must not go unseen. */
  end: (why: string) => void;
}

/**
 * Tells what happens to whoever subscribed to it, in order: an accepted message (pending), its block (confirmed), and
 * the same block at once (finalized), unless that is held back. Nothing is done while nobody listens.
 */
export class StreamHub {
  readonly #context: V3Context;
  readonly #log: Log;
  readonly #subscribers = new Subscribers<StreamClient>();
  /** Since when each listens: the number of the next thing that is told. */
  readonly #since = new WeakMap<StreamClient, number>();
  /** Who was told something of a trace that is not final, by its hash. */
  readonly #open = new Map<string, Set<StreamClient>>();
  #told = 0;
  /** Accepted messages that were told. */
  #pending = new Set<PendingMessage>();
  /** Blocks that are not final yet, oldest first. */
  #held: BlockRecord[] = [];
  #isHeld = false;
  /** The last final block. */
  #final: BlockRecord | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(context: V3Context, log: Log) {
    this.#context = context;
    this.#log = log;
  }

  /** Starts to listen to the chain. Returns a function that ends it. */
  watch(): () => void {
    const { chain } = this.#context;
    const stops = [
      chain.onAccept((pending) => this.#accepted(pending)),
      chain.onDrop(() => this.#dropGone()),
      chain.onBlock((block) => this.#made(block)),
      chain.onReset(() => this.#turnedBack()),
    ];
    return () => stops.forEach((stop) => stop());
  }

  get size(): number {
    return this.#subscribers.size;
  }

  /** Whether blocks stay confirmed, and how many are. */
  get held(): { hold: boolean; blocks: number } {
    return { hold: this.#isHeld, blocks: this.#held.length };
  }

  /** Returns a function that removes the client. */
  add(client: StreamClient, subscription: Subscription): () => void {
    this.#since.set(client, this.#told);
    this.#subscribers.set(client, subscription);
    return () => {
      this.#subscribers.set(client, undefined);
      this.#open.forEach((clients) => clients.delete(client));
    };
  }

  /** Replaces what a client is told. */
  subscribe(client: StreamClient, subscription: Subscription): void {
    this.#subscribers.set(client, subscription);
  }

  /** Holds blocks at `confirmed`, or makes the held ones final. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) {
      this.#held.splice(0).forEach((block) => this.#finalize(block));
    }
  }

  /**
   * Takes back a trace that is not final: a pending message is dropped, and from a confirmed block the chain goes
   * back. Returns its normalized hash.
   * @throws ApiError 422 if there is no such trace, or if it is final
   */
  async invalidate(hash: string): Promise<string> {
    const { chain } = this.#context;
    const pending = [...chain.pending.values()].find(
      ({ external }) => external.hash === hash || external.normalized === hash,
    );
    if (pending !== undefined) {
      await chain.dropPending((one) => one.external.hash === pending.external.hash);
      return pending.external.normalized;
    }
    const found = chain.ledger.transaction(hash) ?? chain.ledger.messages(hash)[0]?.consumer;
    const trace = found?.trace;
    const first = trace?.transactions[0]?.block;
    if (trace === undefined || first === undefined) {
      throw new ApiError(422, 'there is no such trace');
    }
    if (!this.#held.includes(first)) {
      throw new ApiError(
        422,
        'this trace is finalized, which is never taken back: hold finality (control/finality) before its block is made, or use control/restore',
      );
    }
    await chain.restore(first.seqno - 1);
    return normOf(trace);
  }

  #accepted(pending: PendingMessage): void {
    if (this.#isHeard('pending')) {
      this.#pending.add(pending);
      this.#tell('pending', () => pendingEvents(this.#context, pending));
    }
  }

  #made(block: BlockRecord): void {
    this.#dropGone(block);
    if (this.#isHeld) {
      this.#held.push(block);
    }
    this.#tellBlock(block, 'confirmed');
    if (!this.#isHeld) {
      this.#finalize(block);
    }
  }

  #finalize(block: BlockRecord): void {
    this.#final = block;
    this.#tellBlock(block, 'finalized');
    this.#enqueue(() => block.transactions.forEach(({ trace }) => this.#open.delete(normOf(trace))));
  }

  #tellBlock(block: BlockRecord, finality: 'confirmed' | 'finalized'): void {
    if (block.transactions.length > 0) {
      this.#tell(finality, () => blockEvents(this.#context, block, finality));
    }
  }

  /** Messages that were told as pending and neither wait any more nor are in the block. */
  #dropGone(block?: BlockRecord): void {
    const { pending } = this.#context.chain;
    const gone = [...this.#pending].filter((one) => pending.get(one.external.hash) !== one);
    gone.forEach((one) => this.#pending.delete(one));
    const executed = new Set(block?.transactions.map(({ inMessage }) => inMessage?.hash));
    this.#invalidate(gone.filter(({ external }) => !executed.has(external.hash)).map(pendingNorm));
  }

  /** The chain has gone back. What was final is taken back too: no event says that, so the streams end. */
  #turnedBack(): void {
    const { ledger } = this.#context.chain;
    const isUndone = ({ seqno, master }: BlockRecord): boolean =>
      ledger.block(seqno)?.master.rootHash !== master.rootHash;
    const undone = this.#held.filter(isUndone);
    this.#held = this.#held.filter((block) => !isUndone(block));
    this.#invalidate(undone.flatMap(({ transactions }) => transactions.map(({ trace }) => normOf(trace))));
    this.#dropGone();
    if (this.#final !== undefined && isUndone(this.#final)) {
      this.#final = undefined;
      const clients = this.#subscribers.clients();
      const why = `the network went back to block ${ledger.blocks.at(-1)?.seqno ?? ledger.base.seqno}: finalized events were undone`;
      this.#enqueue(() => clients.forEach((client) => client.end(why)));
    }
  }

  #invalidate(norms: readonly string[]): void {
    if (norms.length === 0) {
      return;
    }
    this.#enqueue(() => {
      for (const norm of new Set(norms)) {
        const type = 'trace_invalidated';
        const event = JSON.stringify({ type, trace_external_hash_norm: hashToBase64(norm) });
        this.#open.get(norm)?.forEach((client) => client.send(event));
        this.#open.delete(norm);
      }
    });
  }

  /** Whether somebody wants what is as settled as this. */
  #isHeard(finality: StreamFinality): boolean {
    return this.#subscribers.some((subscription) => isSettled(finality, subscription));
  }

  #tell(finality: StreamFinality, make: () => Iterable<StageEvents>): void {
    this.#told += 1;
    const number = this.#told;
    if (!this.#isHeard(finality)) {
      return;
    }
    this.#enqueue(async () => {
      for (const events of make()) {
        for (const client of await this.#concernedBy(events)) {
          if ((this.#since.get(client) ?? number) < number) {
            await this.#tellClient(client, events, finality);
          }
        }
        if (isTurnOver()) {
          await nextTurn();
        }
      }
    });
  }

  async #concernedBy(events: StageEvents): Promise<Set<StreamClient>> {
    try {
      const isWanted = (type: StreamType): boolean => this.#subscribers.some(({ types }) => types.has(type));
      return this.#subscribers.of(await events.targets(isWanted));
    } catch {
      // Whom it concerns is not known: everybody who asks for it hears of the failure.
      return new Set(this.#subscribers.clients());
    }
  }

  async #tellClient(client: StreamClient, events: StageEvents, finality: StreamFinality): Promise<void> {
    const subscription = this.#subscribers.get(client);
    if (subscription === undefined || !isSettled(finality, subscription)) {
      return;
    }
    try {
      for (const { text, trace } of await events.of(subscription)) {
        if (this.#subscribers.get(client) === undefined) {
          return;
        }
        if (trace !== undefined && finality !== 'finalized') {
          const clients = this.#open.get(trace) ?? new Set();
          this.#open.set(trace, clients.add(client));
        }
        client.send(text);
      }
    } catch (error) {
      this.#log.warn(`A stream ends, as an event could not be told: ${String(error)}`);
      client.end('an event could not be told');
    }
    if (isTurnOver()) {
      await nextTurn();
    }
  }

  #enqueue(work: () => void | Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#log.warn(`Streams: ${String(error)}`);
    });
  }
}

function pendingNorm({ external }: PendingMessage): string {
  return external.normalized;
}

function isSettled(finality: StreamFinality, { minFinality }: Subscription): boolean {
  return streamFinalities.indexOf(minFinality) <= streamFinalities.indexOf(finality);
}
