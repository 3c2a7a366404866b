import { bodyValueToJson } from '../opcodes/bodyToJson';
import { countEmulated, isEmulated, isEmulation } from './emulated';
import { failureHeadline } from './failureHeadline';
import type { FailureHeadline } from './failureHeadline';
import { moneyOf } from './money';
import { changePath } from './stateChangeLines';
import { traceActions } from './traceActions';
import type { TraceContext } from './traceContext';
import type { Outcome, TraceNode } from './traceModel';
import { failedNodes, verdictOf } from './verdict';

/**
 * A trace for programs: the command line's JSON. Hashes lowercase hex, accounts raw, amounts strings of nanocoins.
 */
export interface TraceSummary {
  traceId: string | null;
  externalHash: string | null;
  /** complete, pending, broken, unknown if the answer does not say, or emulated: nothing of it is in a block. */
  state: string;
  /** The answer lacks transactions of the trace. */
  incomplete: boolean;
  /** Unix seconds of the first transaction. */
  time: number | null;
  transactions: number;
  /** Those of them that are predicted: in no block. */
  emulated: number;
  /** Messages without a transaction (yet). */
  pending: number;
  /** Transactions undone, or with skipped actions. */
  failed: number;
  /**
   * Transactions whose code was not run although nothing was undone, for example a notification to a wallet without
   * gas.
   */
  notRun: number;
  verdict: string | null;
  /** The verdict in its parts; null if nothing failed. */
  failure: Omit<FailureHeadline, 'node'> | null;
  actions: string[];
  /** Every transaction, and every message without one, depth first. */
  steps: TraceStep[];
  /** All fees, nanocoins; null if the answer omits some. */
  fees: string | null;
  money: {
    account: string;
    name: string;
    coins: string;
    jettons: Record<string, string>;
    /** Came from the account before the trace; the account may have another row. */
    outside?: boolean;
    extraCurrencies?: Record<string, string>;
  }[];
  /** Changed data of contracts whose sources are known and whose states are in the answer. */
  changes: ValueChange[];
  /** Unaccounted items; empty if coins and fees add up to zero. */
  unknown: string[];
}

/** A changed value. Without `before`, it was added to a map; without `after`, it was removed. */
interface ValueChange {
  /** Hash of the transaction. */
  hash: string | null;
  account: string;
  /** `count`, `limits.perTransfer`, `guardians[0:…]`. */
  path: string;
  before?: unknown;
  after?: unknown;
}

/** One transaction, or a message without one. */
interface TraceStep {
  /** Null for a message without a transaction. */
  hash: string | null;
  account: string | null;
  /** ok, notRun, failed, partial; unknown if the answer lacks the transaction. */
  outcome: Outcome;
  exitCode: number | null;
  /** Predicted, in no block. */
  emulated: boolean;
}

function failureParts(context: TraceContext): TraceSummary['failure'] {
  const { title, source, facts } = failureHeadline(context) ?? {};
  return title === undefined || facts === undefined
    ? null
    : { title, ...(source === undefined ? {} : { source }), facts };
}

/** {@link traceText} for programs. */
export function traceSummary(context: TraceContext): TraceSummary {
  const { model } = context;
  const money = moneyOf(context);
  const { fees } = money;
  return {
    traceId: model.id === undefined ? null : model.id,
    externalHash: model.source.external_hash == null ? null : model.source.external_hash,
    state: isEmulation(model) ? 'emulated' : model.state,
    incomplete: model.incomplete,
    time: model.source.start_utime ?? model.nodes[0]?.transaction?.now ?? null,
    transactions: model.nodes.filter((node) => node.transaction !== undefined).length,
    emulated: countEmulated(model),
    pending: model.state === 'pending' ? model.nodes.filter((node) => !node.isCarried).length : 0,
    failed: failedNodes(model).length,
    notRun: model.nodes.filter((node) => node.outcome === 'notRun').length,
    verdict: verdictOf(context) ?? null,
    failure: failureParts(context),
    actions: traceActions(context).map((action) => action.words),
    steps: model.nodes.map(stepOf),
    fees: fees.isKnown ? String(fees.total) : null,
    money: money.rows.map((row) => {
      const extra = texts(row.extra);
      return {
        account: row.account,
        name: context.name(row.account),
        coins: String(row.coins),
        jettons: texts(row.jettons),
        ...(row.outside && { outside: true }),
        ...(Object.keys(extra).length === 0 ? {} : { extraCurrencies: extra }),
      };
    }),
    changes: model.nodes.flatMap((node) => changesOf(node, context)),
    unknown: money.unknown,
  };
}

function stepOf(node: TraceNode): TraceStep {
  return {
    hash: node.hash === undefined ? null : node.hash,
    account: node.account ?? null,
    outcome: node.outcome,
    exitCode: node.transaction?.description?.compute_ph?.exit_code ?? null,
    emulated: isEmulated(node),
  };
}

function changesOf(node: TraceNode, context: TraceContext): ValueChange[] {
  return (context.stateChanges(node) ?? []).map(({ path, before, after }) => ({
    hash: node.hash ?? null,
    account: node.account ?? '',
    path: changePath(path, (key) => {
      const json = bodyValueToJson(key);
      return typeof json === 'string' ? json : JSON.stringify(json);
    }),
    ...(before === undefined ? {} : { before: bodyValueToJson(before) }),
    ...(after === undefined ? {} : { after: bodyValueToJson(after) }),
  }));
}

function texts(amounts: ReadonlyMap<string, bigint>): Record<string, string> {
  return Object.fromEntries(
    [...amounts].filter(([, amount]) => amount !== 0n).map(([key, amount]) => [key, String(amount)]),
  );
}
