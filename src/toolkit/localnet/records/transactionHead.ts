import type { MessageHead } from '../../cell/light/messageHead';
import { readMessageHead } from '../../cell/light/messageHead';
import type { TransactionFacts } from '../../cell/light/readTransaction';
import type { TransactionIdentity } from './records';

/** What the ledger needs from a transaction; the rest stays in its BoC. */
export interface TransactionHead extends TransactionIdentity {
  /** Null without a sender (tick-tock); only its hash if a transaction of the ledger sent it. */
  inMessage: MessageHead | { hash: string } | null;
  outMessages: readonly MessageHead[];
}

/** @param wasSent whether the ledger has the message with this hash, so that it need not be parsed again */
export function transactionHead(
  facts: TransactionFacts,
  wasSent: (hash: string) => boolean,
): TransactionHead {
  const { hash, lt, now, inMessage, outMessages } = facts;
  const isKnown = inMessage !== null && wasSent(inMessage.hexHash);
  return {
    hash,
    lt,
    now,
    inMessage: isKnown ? { hash: inMessage.hexHash } : inMessage && readMessageHead(inMessage),
    outMessages: outMessages.map(readMessageHead),
  };
}
