import { Cell } from '@ton/core';
import { createHash } from 'node:crypto';
import { hashToBase64 } from '../../address/hash';
import type { Exact } from '../../api/v3Objects';
import type { V3Action } from '../../api/v3Traces';
import { v3ActionDetails } from '../../api/v3Traces';
import { writeAnswer } from '../../api/writeAnswer';
import type { LightCell } from '../../cell/light/lightCell';
import { readLightCell, writeLightCell } from '../../cell/light/lightCell';
import { readMessage } from '../../cell/light/readMessage';
import { readAborted, readTransaction } from '../../cell/light/bitCursor';
import { loadAnyTransaction } from '../../cell/loadFolded';
import { orderedTransactions } from '../../execution/encode/encodeTracedRun';
import { decodeBodyCell } from '../../contracts/opcodes/decodeBody';
import type { DecodedBody } from '../../contracts/opcodes/decodedBody';
import { isTurnOver, nextTurn } from '../../base/turns';
import type { Ledger } from '../chain/ledger';
import type { TraceRecord, TransactionRecord } from '../records/records';
import type { Tokens } from '../tokens/tokenIndex';
import { detailsOnWire, isKnownToProtocols, namedActions } from '../../actions/namedActions';
import type { Found, Step } from './classifyStep';
import { classifyStep } from './classifyStep';
import { LedgerNode, ledgerFacts, ledgerNodes } from './ledgerNodes';

/**
 * The actions of a trace: jetton and NFT transfers, mints, burns, DNS changes, deploys, plain transfers; anything
 * else is `call_contract`. Notifications and excesses belong to the action that sent them. Tokens must be refreshed
 * first.
 */
export async function findActions(tokens: Tokens, trace: TraceRecord): Promise<Found[]> {
  const steps = await stepsOf(tokens, trace);
  const order = orderedTransactions(trace).filter((transaction) => steps.has(transaction));
  const next = ({ transaction }: Step): Step[] =>
    transaction.outMessages
      .map((message) => (message.consumer === null ? undefined : steps.get(message.consumer)))
      .filter((step) => step !== undefined);
  const claimed = new Set<TransactionRecord>();
  const actions: Found[] = [];
  const named = new Map<TransactionRecord, Found>();
  for (const found of namedIn(order, steps, tokens)) {
    found.transactions.forEach((one) => claimed.add(one));
    named.set(found.transactions[0] as TransactionRecord, found);
  }
  for (const transaction of order) {
    const step = steps.get(transaction);
    const protocol = named.get(transaction);
    if (protocol !== undefined) {
      actions.push(protocol);
    } else if (transaction.inMessage === null) {
      actions.push({ type: 'tick_tock', details: {}, transactions: [transaction], success: true });
    } else if (step !== undefined && !claimed.has(transaction) && !forwards(transaction)) {
      const found = classifyStep(tokens, step, next);
      if (found !== undefined) {
        found.transactions.forEach((one) => claimed.add(one));
        actions.push(found);
      }
    }
  }
  return actions;
}

/** The actions of known protocols; those with messages on their way wait until these have arrived. */
function namedIn(order: readonly TransactionRecord[], steps: Steps, tokens: Tokens): Found[] {
  if (!order.some(({ inMessage }) => isKnownToProtocols(inMessage?.opcode))) {
    return [];
  }
  const nodes = ledgerNodes(order, steps);
  return namedActions(nodes, ledgerFacts(tokens)).flatMap(({ type, details, nodes: own, success }) => {
    const transactions = own.flatMap((one) => (one instanceof LedgerNode ? [one.transaction] : []));
    return transactions.length === 0
      ? []
      : [{ type, details, transactions, success, isNamed: true as const }];
  });
}

/** The steps of the last requested trace: clients page through a large one, or watch one grow. */
const lastSteps = new WeakMap<Tokens, { trace: TraceRecord; steps: Steps }>();

type Steps = Map<TransactionRecord, Step | undefined>;

async function stepsOf(tokens: Tokens, trace: TraceRecord): Promise<Steps> {
  const last = lastSteps.get(tokens);
  const steps = last?.trace === trace ? last.steps : new Map<TransactionRecord, Step | undefined>();
  lastSteps.set(tokens, { trace, steps });
  for (const transaction of [...trace.transactions]) {
    if (!steps.has(transaction)) {
      steps.set(transaction, readStep(transaction));
      if (isTurnOver()) {
        await nextTurn();
      }
    }
  }
  return steps;
}

/**
 * A wallet told from outside to send something does nothing else: the messages it sends are the actions. Until one of
 * them is received, all that is known is that the wallet was called.
 */
function forwards({ inMessage, outMessages }: TransactionRecord): boolean {
  return (
    inMessage?.kind === 'external-in' &&
    outMessages.some(({ kind, consumer }) => kind === 'internal' && consumer !== null)
  );
}

/** An action as described by the indexed API. */
export function encodeAction(found: Found): Exact<V3Action> {
  const first = found.transactions[0] as TransactionRecord;
  const { trace } = first;
  const root = trace.transactions[0] as TransactionRecord;
  const end = lastOf(trace.transactions);
  const last = lastOf(found.transactions);
  return {
    trace_id: root.hash,
    action_id: actionId(found),
    start_lt: first.lt,
    end_lt: last.lt,
    start_utime: first.now,
    end_utime: last.now,
    trace_end_lt: end.lt,
    trace_end_utime: end.now,
    trace_mc_seqno_end: end.block.seqno,
    transactions: found.transactions.map((one) => one.hash),
    success: found.success,
    type: found.type,
    details:
      found.isNamed === true ? detailsOnWire(found.details) : writeAnswer(v3ActionDetails, found.details),
    ...(root.inMessage === null ? {} : { trace_external_hash: root.inMessage.hash }),
    ...(root.inMessage?.normalized == null ? {} : { trace_external_hash_norm: root.inMessage.normalized }),
    finality: 'finalized',
  };
}

function lastOf(transactions: readonly TransactionRecord[]): TransactionRecord {
  return transactions.reduce((latest, one) => (one.lt > latest.lt ? one : latest));
}

/**
 * A digest with four bytes replaced by the ledger position of the action's first transaction, masked by the four that
 * follow: an action is found by id without an index. The hashed text has its hashes in base64, as in the first
 * version, so that the actions of a stored chain keep their ids.
 */
export function actionId({ type, transactions }: Found): string {
  const text = `${type} ${transactions.map(({ hash }) => hashToBase64(hash)).join(' ')}`;
  const id = createHash('sha256').update(text).digest();
  id.writeUInt32BE((id.readUInt32BE(4) ^ (transactions[0] as TransactionRecord).position) >>> 0, 0);
  return id.toString('hex');
}

/** The trace of an action with this id. */
export function traceOfAction({ transactions }: Ledger, id: string): TraceRecord | undefined {
  const bytes = Buffer.from(id, 'hex');
  return transactions[(bytes.readUInt32BE(0) ^ bytes.readUInt32BE(4)) >>> 0]?.trace;
}

/** Details that name a participant; jettons and collections are not participants. */
const parties = [
  'source',
  'destination',
  'sender',
  'receiver',
  'sender_jetton_wallet',
  'receiver_jetton_wallet',
  'owner',
  'owner_jetton_wallet',
  'old_owner',
  'new_owner',
  'nft_item',
] as const;

/** What an action is about, rather than who takes part. */
const tokenNames = /asset|minter|collection/;

/** Accounts under which an action is found: those of its transactions, and its participants. */
export function accountsOf({ transactions, details, isNamed }: Found): Set<string> {
  const own = transactions.map(({ account }) => account.address);
  const named =
    isNamed === true
      ? Object.entries(details).flatMap(([name, value]) =>
          typeof value === 'string' && /^-?\d+:[0-9a-f]{64}$/.test(value) && !tokenNames.test(name)
            ? [value]
            : [],
        )
      : parties.map((party) => details[party]).filter((address) => typeof address === 'string');
  return new Set([...own, ...named]);
}

/**
 * What the classifiers need from a transaction; undefined without a caller, or if a message only bounced back to it.
 */
function readStep(transaction: TransactionRecord): Step | undefined {
  const message = transaction.inMessage;
  const cell = readLightCell(transaction.boc);
  const { inMessage } = readTransaction(cell);
  if (message === null || inMessage === null) {
    return undefined;
  }
  const { body, value, bounced, hasInit: init } = readMessage(inMessage);
  if (bounced) {
    // It takes back what an action sent, and is not an action itself.
    return undefined;
  }
  const decoded = message.kind === 'internal' ? decode(body) : undefined;
  return {
    message,
    transaction,
    cell: body,
    body: decoded,
    value,
    init,
    aborted: readAborted(cell) ?? aborted(transaction),
  };
}

/** Light cells are parsed ten times as fast; the decoder takes those of @ton/core. */
function decode(body: LightCell): DecodedBody | undefined {
  if (body.bitLength === 0 && body.refs.length === 0 && !body.exotic) {
    return decodeBodyCell(Cell.EMPTY, {}, 0);
  }
  return decodeBodyCell(Cell.fromBoc(writeLightCell(body))[0] as Cell, {}, 0);
}

function aborted({ boc }: TransactionRecord): boolean {
  const { description } = loadAnyTransaction(Cell.fromBoc(boc)[0] as Cell);
  return 'aborted' in description && description.aborted;
}
