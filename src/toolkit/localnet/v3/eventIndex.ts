import { isTurnOver, nextTurn } from '../../turns';
import { BitCursor } from '../../cell/light/bitCursor';
import { readLightCell } from '../../cell/light/readLightCell';
import type { LocalChain } from '../chain/localChain';
import type { MessageRecord, TransactionRecord } from '../records/records';
import { readAddress, readMessage } from '../../cell/light/readMessage';
import { readTransaction } from '../../cell/light/readTransaction';

/** Messages between tokens that are listed by `/jetton/transfers` and the like. */
export type EventName = 'jetton_transfer' | 'jetton_burn' | 'nft_transfer';

/** The messages of one opcode by participant: senders, and recipients of what is transferred. */
class PartyLists {
  /** Positions among all messages of the opcode, ascending. */
  readonly #places = new Map<string, number[]>();
  #done = 0;
  /** Positions of messages not yet received. */
  #waiting: number[] = [];

  async update(messages: readonly MessageRecord[], name: EventName): Promise<void> {
    const again = this.#waiting;
    this.#waiting = [];
    for (const place of again) {
      this.#read(messages[place] as MessageRecord, place, name);
    }
    while (this.#done < messages.length) {
      const place = this.#done;
      this.#done += 1;
      this.#read(messages[place] as MessageRecord, place, name);
      if (isTurnOver()) {
        await nextTurn();
      }
    }
  }

  /** Positions of the messages with one of these participants, ascending. */
  of(parties: readonly string[]): number[] {
    const lists = parties.map((party) => this.#places.get(party) ?? []);
    return [...new Set(lists.flat())].sort((a, b) => a - b);
  }

  #read({ consumer, source }: MessageRecord, place: number, name: EventName): void {
    if (consumer === null) {
      this.#waiting.push(place);
      return;
    }
    const receiver = name === 'jetton_burn' ? null : receiverIn(consumer, name);
    for (const party of new Set([source, receiver])) {
      if (party !== null) {
        const places = this.#places.get(party);
        if (places === undefined) {
          this.#places.set(party, [place]);
        } else {
          places.push(place);
        }
      }
    }
  }
}

/** Jetton and NFT messages by owner, built on first use and updated before each answer. */
export class EventIndex {
  #lists = new Map<number, PartyLists>();
  #updating: Promise<void> = Promise.resolve();

  constructor(private readonly chain: LocalChain) {
    chain.onReset(() => (this.#lists = new Map()));
  }

  /** Messages of an opcode possibly sent by one of the parties or transferring something to it, in order. */
  async of(opcode: number, name: EventName, parties: readonly string[]): Promise<MessageRecord[]> {
    const { ledger } = this.chain;
    const messages = ledger.messagesByOpcode(opcode);
    const lists = this.#lists.get(opcode) ?? new PartyLists();
    this.#lists.set(opcode, lists);
    // One at a time, as each leaves the lists consistent.
    const update = this.#updating.then(() => lists.update(messages, name));
    this.#updating = update.catch(() => undefined);
    await update;
    return lists.of(parties).map((place) => messages[place] as MessageRecord);
  }
}

/** The new owner in a transfer; reads no further. */
function receiverIn({ boc }: TransactionRecord, name: EventName): string | null {
  try {
    const { inMessage } = readTransaction(readLightCell(boc));
    if (inMessage === null) {
      return null;
    }
    const cursor = new BitCursor(readMessage(inMessage).body).skip(32 + 64);
    if (name === 'jetton_transfer') {
      cursor.coins();
    }
    return readAddress(cursor);
  } catch {
    // A truncated body names nobody.
    return null;
  }
}
