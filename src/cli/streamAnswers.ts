import * as z from 'zod';
import type { FollowedEvent } from '../toolkit/access/followEvents';
import type { V3Transaction } from '../toolkit/api/v3Objects';
import { friendlyWallet } from '../toolkit/address/canonicalAddress';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import { visibleText } from '../toolkit/base/text';

/** The schema of what `stream --json` prints: one document for each event. */
export const streamAnswerSchema = z
  .strictObject({
    kind: z
      .enum(['event', 'streaming', 'polling', 'gap'])
      .describe('streaming and polling: how events come from here on; gap: events may be missing.'),
    type: z.string().optional().describe('Of an event: its type in Streaming v2.'),
    finality: z.string().optional().describe('pending, confirmed, or finalized.'),
    trace: jsonFacts.hash.optional().describe('Normalized hash of the message that began the trace.'),
    recovered: z.boolean().optional().describe('Read over API v3: it happened while there was no stream.'),
    transactions: z
      .array(
        z.strictObject({
          account: jsonFacts.account.nullable(),
          hash: jsonFacts.hash.nullable(),
          lt: jsonFacts.logicalTime.nullable(),
          aborted: z.boolean().nullable(),
          skipped: z.boolean().nullable().describe('No code ran, such as at an account without one.'),
        }),
      )
      .optional(),
    actions: z
      .array(z.strictObject({ type: z.string().nullable(), success: z.boolean().nullable() }))
      .optional(),
    account: jsonFacts.account.optional(),
    balance: jsonFacts.units.nullable().optional().describe('Nanocoins, or the smallest unit of the jetton.'),
    owner: jsonFacts.account.optional(),
    sinceLt: jsonFacts.logicalTime.optional(),
    message: z.string().optional().describe('Why there is no stream, or a gap.'),
  })
  .meta({ title: 'What a stream brought' });

/** What a stream brought, for programs. */
export function streamAnswer(told: FollowedEvent): z.infer<typeof streamAnswerSchema> {
  switch (told.kind) {
    case 'streaming':
      return { kind: told.kind };
    case 'polling':
      return { kind: told.kind, message: told.error.message };
    case 'gap': {
      const message = told.error?.message ?? 'Too much has happened.';
      return { kind: told.kind, sinceLt: told.sinceLt.toString(), message };
    }
    case 'event':
      break;
  }
  const { event, isRecovered: recovered } = told;
  const { type } = event;
  const head = { kind: told.kind, type, recovered };
  switch (event.type) {
    case 'transactions':
    case 'trace': {
      const all = Array.isArray(event.transactions)
        ? event.transactions
        : Object.values(event.transactions ?? {});
      return {
        ...{ ...head, finality: event.finality, trace: event.trace_external_hash_norm },
        transactions: all.filter((one) => one != null).map(transactionFacts),
      };
    }
    case 'actions': {
      const actions = event.actions.map((one) => ({ type: one.type ?? null, success: one.success ?? null }));
      return { ...head, finality: event.finality, trace: event.trace_external_hash_norm, actions };
    }
    case 'account_state_change': {
      const balance = event.state?.balance?.toString() ?? null;
      return { ...head, finality: event.finality, account: event.account, balance };
    }
    case 'jettons_change': {
      const { address: account, owner, balance } = event.jetton;
      return { ...{ ...head, finality: event.finality, account, owner }, balance: balance.toString() };
    }
    case 'trace_invalidated':
      return { ...head, trace: event.trace_external_hash_norm };
  }
}

function transactionFacts({
  account,
  hash,
  lt,
  description,
}: V3Transaction): NonNullable<z.infer<typeof streamAnswerSchema>['transactions']>[number] {
  const { aborted, compute_ph: compute } = (description ?? {}) as {
    aborted?: boolean | null;
    compute_ph?: { skipped?: boolean | null } | null;
  };
  return {
    ...{ account: account ?? null, hash: hash ?? null },
    ...{ lt: lt?.toString() ?? null, aborted: aborted ?? null },
    skipped: compute?.skipped ?? null,
  };
}

/** A transaction without code to run is aborted, and has not failed: what came to it is there. */
function outcomeWord({ aborted, skipped }: { aborted: boolean | null; skipped: boolean | null }): string {
  return skipped === true ? ' no code ran' : aborted === true ? ' failed' : '';
}

/** The same for people. @param names of raw addresses */
export function streamLine(
  told: Extract<FollowedEvent, { kind: 'event' }>,
  names: ReadonlyMap<string, string>,
): string[] {
  const answer = streamAnswer(told);
  const { type = '', finality = '', trace, recovered, transactions, actions, account, balance } = answer;
  const word = (address: string | null | undefined): string =>
    address == null ? '?' : (names.get(address) ?? friendlyWallet(address));
  const what =
    transactions !== undefined
      ? transactions.map((one) => `${word(one.account)} ${one.hash}${outcomeWord(one)}`).join(', ')
      : actions !== undefined
        ? `${actions.map((one) => `${one.type}${one.success === false ? ' failed' : ''}`).join(', ')} of trace ${trace}`
        : account === undefined
          ? (trace ?? '')
          : `${word(account)} ${balance ?? 'unknown'}`;
  const parts = [
    finality.padEnd(9),
    type,
    visibleText(what, 2_000),
    recovered === true ? '(read later)' : '',
  ];
  return [parts.filter((part) => part !== '').join('  ')];
}
