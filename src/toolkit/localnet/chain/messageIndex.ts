import type { MessageHead } from '../../cell/light/readMessage';
import type { BlockRecord, MessageRecord, TransactionRecord } from '../records/records';

/** Every message, with an index for each kind of lookup. */
export class MessageIndex {
  /** Internal messages, by creation lt. */
  readonly sent: MessageRecord[] = [];
  /** External messages, in order of execution. */
  readonly external: MessageRecord[] = [];
  readonly #byHash = new MultiMap<MessageRecord>();
  readonly #byNormalized = new MultiMap<MessageRecord>();
  readonly #byBody = new MultiMap<MessageRecord>();
  readonly #byOpcode = new MultiMap<MessageRecord>();
  readonly #addresses = new Map<string, string>();

  /** Messages with this hash, raw or normalized. Several if an external message was received twice. */
  get(hash: string): readonly MessageRecord[] {
    const raw = this.#byHash.get(hash);
    const normalized = this.#byNormalized.get(hash);
    return normalized.length === 0 ? raw : [...raw, ...normalized];
  }

  byBody(bodyHash: string): readonly MessageRecord[] {
    return this.#byBody.get(bodyHash);
  }

  byOpcode(opcode: number): readonly MessageRecord[] {
    return this.#byOpcode.get(String(opcode));
  }

  /** Whether a message with this hash was sent but not yet received. */
  isUnderWay(hash: string): boolean {
    return this.underWay(hash) !== undefined;
  }

  /** The message this transaction receives: one sent by an earlier transaction, or a new external one. */
  receive(head: MessageHead | { hash: string }, consumer: TransactionRecord): MessageRecord {
    const record =
      this.underWay(head.hash) ?? ('kind' in head ? this.add(head, null) : unknownMessage(head.hash));
    record.consumer = consumer;
    return record;
  }

  /** A message sent by a transaction or coming from outside. */
  add(head: MessageHead, producer: TransactionRecord | null): MessageRecord {
    const { hash, normalized, kind, source, destination, createdLt, createdAt, opcode, bodyHash } = head;
    const record: MessageRecord = {
      hash,
      normalized,
      kind,
      source: source === null ? null : this.share(source),
      destination: destination === null ? null : this.share(destination),
      createdLt,
      createdAt,
      opcode,
      // Many bodies are identical: their hash is stored once.
      bodyHash: this.#byBody.get(bodyHash)[0]?.bodyHash ?? bodyHash,
      producer,
      consumer: null,
    };
    this.#byHash.add(hash, record);
    this.#byBody.add(record.bodyHash, record);
    if (opcode !== null) {
      this.#byOpcode.add(String(opcode), record);
    }
    if (normalized !== null) {
      this.#byNormalized.add(normalized, record);
    }
    return record;
  }

  /** The message with this hash that was sent but not yet received. */
  underWay(hash: string): MessageRecord | undefined {
    return this.#byHash.get(hash).find((message) => message.consumer === null);
  }

  /** The shared copy of an address. */
  share(address: string): string {
    const known = this.#addresses.get(address);
    if (known === undefined) {
      this.#addresses.set(address, address);
    }
    return known ?? address;
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

function unknownMessage(hash: string): never {
  throw new Error(`no transaction sent the message ${hash}`);
}

/** Several values per key; most keys have one, so a single value is stored bare. */
export class MultiMap<V extends object> {
  readonly #map = new Map<string, V | V[]>();

  add(key: string, value: V): void {
    const found = this.#map.get(key);
    if (found === undefined) {
      this.#map.set(key, value);
    } else if (Array.isArray(found)) {
      found.push(value);
    } else {
      this.#map.set(key, [found, value]);
    }
  }

  get(key: string): readonly V[] {
    const found = this.#map.get(key);
    return found === undefined ? [] : Array.isArray(found) ? found : [found];
  }
}
