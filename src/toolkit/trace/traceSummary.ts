import * as z from 'zod';
import { jsonFacts } from '../base/jsonFacts';
import { bodyValueSchema, bodyValueToJson } from '../contracts/opcodes/bodyToJson';
import { countEmulated, isEmulated, isEmulation } from './isEmulated';
import { failureHeadline } from './failureHeadline';
import { moneyOf } from './money';
import { changePath } from './stateChangeLines';
import { traceActions } from './traceActions';
import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';
import { failedNodes, verdictOf } from './verdict';

const failureSchema = z.strictObject({
  title: z.string(),
  source: z
    .strictObject({
      place: z.string(),
      code: z.string(),
      values: z
        .string()
        .describe('Aligned under `code`: what its names stand for, `?` where that is not known.'),
    })
    .optional()
    .describe('The line of the source that threw, if it is known.'),
  facts: z.string(),
});

const stepSchema = z
  .strictObject({
    hash: jsonFacts.hash.nullable().describe('Null for a message without a transaction (yet).'),
    account: jsonFacts.account.nullable(),
    outcome: z
      .enum(['ok', 'notRun', 'failed', 'partial', 'unknown'])
      .describe('unknown: the answer lacks the transaction.'),
    exitCode: jsonFacts.exitCode,
    emulated: z.boolean().describe('Predicted, in no block.'),
  })
  .meta({ id: 'TraceStep' });

const changeSchema = z
  .strictObject({
    hash: jsonFacts.hash.nullable().describe('Of the transaction.'),
    account: jsonFacts.account.nullable(),
    path: z.string().describe('`count`, `limits.perTransfer`, `guardians[0:…]`'),
    before: bodyValueSchema.optional().describe('Missing if it was added to a map.'),
    after: bodyValueSchema.optional().describe('Missing if it was removed.'),
  })
  .meta({ id: 'ValueChange' });

const moneySchema = z.strictObject({
  account: jsonFacts.account,
  name: z.string(),
  coins: jsonFacts.nanocoins,
  jettons: z.record(z.string(), jsonFacts.units).describe('By master.'),
  outside: z
    .literal(true)
    .optional()
    .describe('Came from the account before the trace; the account may have another row.'),
  extraCurrencies: z.record(z.string(), jsonFacts.units).optional().describe('By id.'),
});

/** The schema of a trace for programs. */
export const traceSummarySchema = z
  .strictObject({
    traceId: jsonFacts.hash.nullable(),
    externalHash: jsonFacts.hash.nullable(),
    state: z
      .string()
      .describe(
        'complete, pending, broken, unknown if the answer does not say, or emulated: nothing of it is in a block.',
      ),
    incomplete: z.boolean().describe('The answer lacks transactions of the trace.'),
    time: jsonFacts.unixTime.nullable().describe('Of the first transaction.'),
    transactions: z.int(),
    emulated: z.int().describe('Those of them that are predicted: in no block.'),
    pending: z.int().describe('Messages without a transaction (yet).'),
    failed: z.int().describe('Transactions undone, or with skipped actions.'),
    notRun: z.int().describe('Transactions whose code was not run although nothing was undone.'),
    verdict: z.string().nullable(),
    failure: failureSchema.nullable().describe('The verdict in its parts; null if nothing failed.'),
    actions: z.array(z.string()),
    steps: z.array(stepSchema).describe('Every transaction, and every message without one, depth first.'),
    fees: jsonFacts.nanocoins.nullable().describe('All fees; null if the answer omits some.'),
    money: z.array(moneySchema),
    changes: z
      .array(changeSchema)
      .describe('Changed data of contracts whose sources are known and whose states are in the answer.'),
    unknown: z.array(z.string()).describe('Unaccounted items; empty if coins and fees add up to zero.'),
  })
  .meta({ id: 'Trace' });

/** A trace for programs. */
export type TraceSummary = z.infer<typeof traceSummarySchema>;
type TraceStep = z.infer<typeof stepSchema>;
type ValueChange = z.infer<typeof changeSchema>;

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
        ...(row.outside && { outside: true as const }),
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
    account: node.account ?? null,
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
