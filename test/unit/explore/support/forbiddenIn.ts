import { Cell, loadTransaction } from '@ton/core';

/** A delivery, as far as the checker looks at it. */
interface CheckedStep {
  /** BoC of the transaction, base64. */
  transaction: string;
}

/** What a transaction itself says. */
interface Facts {
  hash: bigint;
  lt: bigint;
  previousHash: bigint;
  previousLt: bigint;
  account: string;
  /** Of the message that it received. */
  received: string;
  pair: string;
  createdLt: bigint;
  sent: string[];
}

const read = new Map<string, Facts>();

function factsOf(boc: string): Facts {
  const known = read.get(boc) ?? readFacts(boc);
  read.set(boc, known);
  return known;
}

function readFacts(boc: string): Facts {
  const transaction = loadTransaction(Cell.fromBase64(boc).beginParse());
  const info = transaction.inMessage?.info;
  const [messages] = transaction.raw.refs;
  if (info?.type !== 'internal' || messages === undefined) {
    throw new Error('not the transaction of an internal message');
  }
  return {
    hash: numberOf(transaction.hash()),
    lt: transaction.lt,
    previousHash: transaction.prevTransactionHash,
    previousLt: transaction.prevTransactionLt,
    account: info.dest.toRawString(),
    received: messages.refs[0]?.hash().toString('hex') ?? '',
    pair: `${info.src.toRawString()} ${info.dest.toRawString()}`,
    createdLt: info.createdLt,
    sent: transaction.outMessagesCount === 0 ? [] : leaves(messages.refs[1]),
  };
}

/** The messages in a dictionary: its inner nodes have two references, its leaves the message. */
function leaves(node: Cell | undefined): string[] {
  const [left, right] = node?.refs ?? [];
  if (left === undefined) {
    return [];
  }
  return right === undefined ? [left.hash().toString('hex')] : [...leaves(left), ...leaves(right)];
}

function numberOf(hash: Buffer): bigint {
  return BigInt(`0x${hash.toString('hex')}`);
}

/**
 * What the chain does not permit in an order of transactions, by their own bytes. Shares no code with the explorer.
 * @param first hashes (hex) of the messages that were under way before
 */
export function forbiddenIn(order: readonly CheckedStep[], first: readonly string[]): string[] {
  const problems: string[] = [];
  const sent = new Set(first);
  const latest = new Map<string, bigint>();
  const lastOf = new Map<string, Facts>();
  for (const [place, step] of order.entries()) {
    const facts = factsOf(step.transaction);
    const last = lastOf.get(facts.account);
    if (!sent.delete(facts.received)) {
      problems.push(`${place}: delivered before it was sent, or twice`);
    }
    if (facts.createdLt <= (latest.get(facts.pair) ?? -1n)) {
      problems.push(`${place}: overtook an older message of the same pair`);
    }
    if (facts.lt <= facts.createdLt || facts.lt <= (last?.lt ?? -1n)) {
      problems.push(`${place}: its logical time is not after what it follows`);
    }
    if (last !== undefined && (facts.previousHash !== last.hash || facts.previousLt !== last.lt)) {
      problems.push(`${place}: does not follow its account's last transaction`);
    }
    latest.set(facts.pair, facts.createdLt);
    lastOf.set(facts.account, facts);
    facts.sent.forEach((message) => sent.add(message));
  }
  return problems;
}
