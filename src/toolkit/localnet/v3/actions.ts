import { createHash } from 'node:crypto';
import type { Cell } from '@ton/core';
import { Cell as CoreCell } from '@ton/core';
import { loadAnyTransaction } from '../../cell/loadAnyTransaction';
import { decodeCell } from '../../opcodes/decodeBody';
import type { TransactionRecord } from '../chain/transactionRecord';
import type { TraceRecord } from '../chain/records';
import type { Found, Step } from './classifyStep';
import { classify } from './classifyStep';
import type { V3Context } from './context';
import type { Json } from './encodeDescription';
import { orderedTransactions } from './encodeTrace';

/**
 * The actions of a trace: jetton and NFT transfers, mints, burns, DNS changes, deploys, plain transfers; anything else
 * is `call_contract`. Notifications and excesses belong to the action that sent them. Tokens must be refreshed before.
 */
export function actionsOf(context: V3Context, trace: TraceRecord): Json[] {
  const order = orderedTransactions(trace);
  const steps = stepsOf(context, trace);
  const next = ({ transaction }: Step): Step[] =>
    transaction.outMessages
      .map((message) => (message.consumer === null ? undefined : steps.get(message.consumer)))
      .filter((step) => step !== undefined);
  const claimed = new Set<TransactionRecord>();
  const end = order.at(-1) as TransactionRecord;
  const actions: Json[] = [];
  for (const transaction of order) {
    const step = steps.get(transaction);
    if (transaction.inMessage === null) {
      actions.push(
        encodeAction(end, { type: 'tick_tock', details: {}, transactions: [transaction], success: true }),
      );
    } else if (step !== undefined && !claimed.has(transaction) && !forwards(transaction)) {
      const found = classify(context, step, next);
      if (found !== undefined) {
        found.transactions.forEach((one) => claimed.add(one));
        actions.push(encodeAction(end, found));
      }
    }
  }
  return actions;
}

/** The steps of the trace that was asked about last: a client pages through a large one, or looks at one that grows. */
const lastSteps = new WeakMap<V3Context, { trace: TraceRecord; steps: Steps }>();

type Steps = Map<TransactionRecord, Step | undefined>;

function stepsOf(context: V3Context, trace: TraceRecord): Steps {
  const last = lastSteps.get(context);
  const steps = last?.trace === trace ? last.steps : new Map<TransactionRecord, Step | undefined>();
  for (const transaction of trace.transactions) {
    if (!steps.has(transaction)) {
      steps.set(transaction, readStep(transaction));
    }
  }
  lastSteps.set(context, { trace, steps });
  return steps;
}

/**
 * A wallet that is told from outside to send something on does nothing else: what it sends are the actions. As long as
 * nobody has received any of it, all that is known is that the wallet was called.
 */
function forwards({ inMessage, outMessages }: TransactionRecord): boolean {
  return (
    inMessage?.kind === 'external-in' &&
    outMessages.some(({ kind, consumer }) => kind === 'internal' && consumer !== null)
  );
}

function readStep(transaction: TransactionRecord): Step | undefined {
  const message = transaction.inMessage;
  const loaded = loadAnyTransaction(CoreCell.fromBoc(transaction.boc)[0] as Cell);
  if (message === null || loaded.inMessage == null) {
    return undefined;
  }
  const { info, body, init } = loaded.inMessage;
  if (info.type === 'internal' && info.bounced) {
    // It takes back what an action sent, and is none of its own.
    return undefined;
  }
  const { description } = loaded;
  return {
    message,
    transaction,
    body: message.kind === 'internal' ? decodeCell(body, {}, 0) : undefined,
    value: info.type === 'internal' ? info.value.coins : 0n,
    init: init != null,
    aborted: 'aborted' in description && description.aborted,
  };
}

/** @param end the trace's last transaction */
function encodeAction(end: TransactionRecord, found: Found): Json {
  const root = end.trace.transactions[0] as TransactionRecord;
  const [first = root] = found.transactions;
  const last = found.transactions.reduce((latest, one) => (one.lt > latest.lt ? one : latest), first);
  const id = createHash('sha256').update(
    `${found.type} ${found.transactions.map((one) => one.hash).join(' ')}`,
  );
  return {
    trace_id: root.hash,
    action_id: id.digest('base64'),
    start_lt: first.lt.toString(),
    end_lt: last.lt.toString(),
    start_utime: first.now,
    end_utime: last.now,
    trace_end_lt: end.lt.toString(),
    trace_end_utime: end.now,
    trace_mc_seqno_end: end.block.seqno,
    transactions: found.transactions.map((one) => one.hash),
    success: found.success,
    type: found.type,
    details: found.details,
    ...(root.inMessage === null ? {} : { trace_external_hash: root.inMessage.hash }),
    ...(root.inMessage?.normalised == null ? {} : { trace_external_hash_norm: root.inMessage.normalised }),
    finality: 'finalized',
  };
}
