import { Cell } from '@ton/core';
import { createHash } from 'node:crypto';
import { hashToBase64 } from '../../address/hash';
import type { Exact } from '../../api/v3Objects';
import type { V3Action } from '../../api/v3Traces';
import { readLightCell } from '../../cell/light/lightCell';
import { readMessage } from '../../cell/light/readMessage';
import { readAborted, readTransaction } from '../../cell/light/bitCursor';
import { loadAnyTransaction } from '../../cell/loadFolded';
import { orderedTransactions } from '../../execution/encode/encodeTracedRun';
import { isTurnOver, nextTurn } from '../../base/turns';
import type { Ledger } from '../chain/ledger';
import type { TraceRecord, TransactionRecord } from '../records/records';
import type { Tokens } from '../tokens/tokenIndex';
import type { NamedAction } from '../../actions/actionNode';
import { allActions, detailsOnWire, isAccountDetail } from '../../actions/namedActions';
import type { Step } from './ledgerNodes';
import { LedgerNode, ledgerFacts, ledgerNodes } from './ledgerNodes';

/** One action and the transactions it covers, the first one first. */
export interface Found extends Pick<NamedAction, 'type' | 'details' | 'success'> {
  transactions: TransactionRecord[];
}

/**
 * The actions of a trace: those of known protocols, jetton and NFT transfers, mints, burns, DNS changes, deploys, plain
 * transfers; anything else is `call_contract`. Notifications and excesses belong to the action that sent them. Tokens
 * must be refreshed first.
 */
export async function findActions(tokens: Tokens, trace: TraceRecord): Promise<Found[]> {
  const steps = await stepsOf(tokens, trace);
  const order = orderedTransactions(trace).filter((transaction) => steps.has(transaction));
  const nodes = ledgerNodes(order, steps);
  const found = allActions(nodes, ledgerFacts(tokens), { mintOrdersApart: true });
  return [
    // Only the first transaction of a trace has no message.
    ...order
      .filter(({ inMessage }) => inMessage === null)
      .map((one) => ({ type: 'tick_tock', details: {}, transactions: [one], success: true })),
    ...found.map(({ type, details, nodes: own, success }) => ({
      ...{ type, details, success },
      transactions: own.flatMap((one) => (one instanceof LedgerNode ? [one.transaction] : [])),
    })),
  ];
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
    details: detailsOnWire(found.details),
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

/** What an action is about, and where excesses go: neither takes part. */
const noParties = /asset|minter|collection|response_destination/;

/** Accounts under which an action is found: those of its transactions, and its participants. */
export function accountsOf({ transactions, details }: Found): Set<string> {
  const named = Object.entries(details).flatMap(([name, value]) =>
    isAccountDetail(name, value) && !noParties.test(name) ? [value] : [],
  );
  return new Set([...transactions.map(({ account }) => account.address), ...named]);
}

/**
 * What matchers need from a transaction; undefined without a caller, or if a message only bounced back to it.
 */
function readStep(transaction: TransactionRecord): Step | undefined {
  const cell = readLightCell(transaction.boc);
  const { inMessage } = readTransaction(cell);
  if (inMessage === null) {
    return undefined;
  }
  const { body, value, bounced, hasInit: init } = readMessage(inMessage);
  if (bounced) {
    // It takes back what an action sent, and is not an action itself.
    return undefined;
  }
  return { cell: body, value, init, aborted: readAborted(cell) ?? aborted(transaction) };
}

function aborted({ boc }: TransactionRecord): boolean {
  const { description } = loadAnyTransaction(Cell.fromBoc(boc)[0] as Cell);
  return 'aborted' in description && description.aborted;
}
