import type { StreamFinality } from '../../api/v3Traces';
import { streamFinalities } from '../../api/v3Traces';
import { hashToBase64 } from '../../address/hash';
import type { Log } from '../../base/log';
import { nextTurn } from '../../base/turns';
import { ApiError } from '../api/apiError';
import type { PendingMessage } from '../chain/inboundMessage';
import type { BlockRecord } from '../records/records';
import type { V3Context } from '../v3/v3Context';
import type { StageEvents } from './stageEvents';
import { blockEvents, normOf, pendingEvents } from './stageEvents';
import type { Subscription } from './subscription';

/** Someone who listens. */
export interface StreamClient {
  subscription: Subscription;
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
  /** With the traces of which each was told something that is not final, lowercase hex. */
  readonly #clients = new Map<StreamClient, Set<string>>();
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
    return this.#clients.size;
  }

  /** Whether blocks stay confirmed, and how many are. */
  get held(): { hold: boolean; blocks: number } {
    return { hold: this.#isHeld, blocks: this.#held.length };
  }

  /** Returns a function that removes the client. */
  add(client: StreamClient): () => void {
    this.#clients.set(client, new Set());
    return () => this.#clients.delete(client);
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
    if (this.#listeners('pending').length > 0) {
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
    this.#enqueue(() => {
      for (const { trace } of block.transactions) {
        this.#clients.forEach((open) => open.delete(normOf(trace)));
      }
    });
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
      const clients = [...this.#clients.keys()];
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
        this.#clients.forEach((open, client) => {
          if (open.delete(norm)) {
            client.send(event);
          }
        });
      }
    });
  }

  #listeners(finality: StreamFinality): StreamClient[] {
    const most = streamFinalities.indexOf(finality);
    return [...this.#clients.keys()].filter(
      ({ subscription: { minFinality } }) => streamFinalities.indexOf(minFinality) <= most,
    );
  }

  #tell(finality: StreamFinality, make: () => StageEvents): void {
    const clients = this.#listeners(finality);
    if (clients.length === 0) {
      return;
    }
    this.#enqueue(async () => {
      const events = make();
      for (const client of clients) {
        const open = this.#clients.get(client);
        if (open === undefined) {
          continue;
        }
        try {
          const told = await events.of(client.subscription);
          for (const { text, trace } of told) {
            if (trace !== undefined) {
              open[finality === 'finalized' ? 'delete' : 'add'](trace);
            }
            if (this.#clients.has(client)) {
              client.send(text);
            }
          }
          if (told.length > 0) {
            await nextTurn();
          }
        } catch (error) {
          this.#log.warn(`A stream ends, as an event could not be told: ${String(error)}`);
          client.end('an event could not be told');
        }
      }
    });
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
