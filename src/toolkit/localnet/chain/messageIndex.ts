import type { LightCell } from '../cells/lightCell';
import { MultiMap } from './multiMap';
import { normalisedHash, readMessage, readOpcode } from './readMessage';
import type { BlockRecord, MessageRecord, TransactionRecord } from './records';

/** Every message, by all that one can ask for it by. */
export class MessageIndex {
  /** Messages from inside, by the lt of their creation. */
  readonly sent: MessageRecord[] = [];
  /** Messages from outside, in the order of their execution. */
  readonly external: MessageRecord[] = [];
  readonly #byHash = new MultiMap<MessageRecord>();
  readonly #byNormalised = new MultiMap<MessageRecord>();
  readonly #byBody = new MultiMap<MessageRecord>();
  readonly #byOpcode = new MultiMap<MessageRecord>();

  /** Messages with this hash, raw or normalised. More than one when an external message was received twice. */
  get(hash: string): readonly MessageRecord[] {
    const raw = this.#byHash.get(hash);
    const normalised = this.#byNormalised.get(hash);
    return normalised.length === 0 ? raw : [...raw, ...normalised];
  }

  byBody(bodyHash: string): readonly MessageRecord[] {
    return this.#byBody.get(bodyHash);
  }

  byOpcode(opcode: number): readonly MessageRecord[] {
    return this.#byOpcode.get(String(opcode));
  }

  /** The message this transaction receives: the one an earlier transaction sent, or a new one from outside. */
  receive(cell: LightCell, consumer: TransactionRecord): MessageRecord {
    const sent = this.#byHash.get(cell.hash64).find((message) => message.consumer === null);
    const record = sent ?? this.add(cell, null);
    record.consumer = consumer;
    return record;
  }

  /** A message that a transaction sends, or that comes from outside. */
  add(cell: LightCell, producer: TransactionRecord | null): MessageRecord {
    const facts = readMessage(cell);
    const hash = cell.hash64;
    const normalised = facts.kind === 'external-in' ? normalisedHash(cell, facts) : hash;
    const record: MessageRecord = {
      hash,
      normalised: normalised === hash ? null : normalised,
      kind: facts.kind,
      source: facts.source,
      destination: facts.destination,
      createdLt: facts.createdLt,
      createdAt: facts.createdAt,
      opcode: readOpcode(facts.body),
      bodyHash: facts.body.hash64,
      producer,
      consumer: null,
    };
    this.#byHash.add(hash, record);
    this.#byBody.add(record.bodyHash, record);
    if (record.opcode !== null) {
      this.#byOpcode.add(String(record.opcode), record);
    }
    if (record.normalised !== null) {
      this.#byNormalised.add(record.normalised, record);
    }
    return record;
  }

  /** Puts the messages of a block into their lists. */
  list(block: BlockRecord): void {
    const sent: MessageRecord[] = [];
    for (const { inMessage, outMessages } of block.transactions) {
      if (inMessage?.kind === 'external-in') {
        this.external.push(inMessage);
      }
      sent.push(...outMessages);
    }
    this.sent.push(
      ...sent.sort((a, b) => (a.createdLt < b.createdLt ? -1 : Number(a.createdLt > b.createdLt))),
    );
  }
}
