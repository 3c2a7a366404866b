import * as z from 'zod';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import type { PreparedSend } from '../toolkit/send/preparedSend';
import type { TraceContext } from '../toolkit/trace/traceContext';
import { traceSummary, traceSummarySchema } from '../toolkit/trace/traceSummary';
import type { Happened } from '../toolkit/workflows/runDelivery';

/** The schema of what `send --json` prints. */
export const sendAnswerSchema = z
  .strictObject({
    hash: jsonFacts.hash
      .nullable()
      .describe("A message sent in a contract's name has none before it is sent."),
    hashNorm: jsonFacts.hash.nullable().describe('The normalized hash of an external message.'),
    destination: jsonFacts.account,
    sent: z.boolean(),
    accepted: z
      .boolean()
      .nullable()
      .describe('Null: the emulator could not tell, or nobody has seen it yet.'),
    exitCode: jsonFacts.exitCode.describe('Of the first transaction.'),
    reason: z
      .string()
      .nullable()
      .describe('Why it is rejected, or does not do all it says, by the rehearsal.'),
    fees: jsonFacts.nanocoins.nullable(),
    serviceFees: jsonFacts.nanocoins.nullable().describe("The service's own estimate."),
    complete: z
      .boolean()
      .describe('Otherwise fees and amounts are lower bounds: not everything was run, or has happened.'),
    confidence: z.enum(['exact', 'same-compute', 'emulated', 'unknown']).describe('Of the rehearsal.'),
    doubts: z.array(z.string()).describe('Why the confidence is not `exact`.'),
    asPredicted: z.boolean().nullable().describe('Null: it was not sent, or it is not known.'),
    trace: traceSummarySchema.nullable().describe('What happened; not sent: the prediction.'),
  })
  .meta({ title: 'A message' });

/** The schema of what `deploy --json` prints. */
export const deployAnswerSchema = z
  .strictObject({
    name: z.string().nullable(),
    address: jsonFacts.account,
    codeHash: jsonFacts.hash,
    stateInit: jsonFacts.boc,
    compiledBy: z.string().nullable().describe('Null: it was not compiled from a source here.'),
    isDeployed: z.boolean().nullable().describe('Null: the network does not say.'),
    send: sendAnswerSchema.nullable().describe('Null: nothing was to be sent, or it was not rehearsed.'),
  })
  .meta({ title: 'A deployment' });

/** What is printed before that if the user's own wallet signs. */
export const handOverLineSchema = z
  .union([
    z.strictObject({
      link: z.string().describe('`ton://transfer/…`, which every wallet takes.'),
      links: z.array(z.strictObject({ wallet: z.string(), link: z.string() })).describe('The https forms.'),
      validUntil: jsonFacts.unixTime,
      network: z.string(),
      isMainNetwork: z.boolean(),
    }),
    z.strictObject({ connect: z.string().describe('The link with which a wallet connects.') }),
  ])
  .meta({ title: 'What the wallet is asked with' });

/** The schema of each line of `send --json`. */
export const sendLineSchema = z.union([sendAnswerSchema, handOverLineSchema]);

/** The schema of each line of `deploy --json`. */
export const deployLineSchema = z.union([deployAnswerSchema, handOverLineSchema]);

/** What `send --json` prints. */
export type SendAnswer = z.infer<typeof sendAnswerSchema>;

/** What `deploy --json` prints. */
export type DeployAnswer = z.infer<typeof deployAnswerSchema>;

/** A message that was rehearsed, and perhaps sent. */
export function sendAnswer(
  { message, rehearsal, serviceFees }: PreparedSend,
  happened: Happened | undefined,
  told: { sentHash: string | undefined; reason: string | null; trace: TraceContext | undefined },
): SendAnswer {
  const isExternal = message.kind === 'external';
  const isSent = told.sentHash !== undefined;
  const isOpen = isSent && happened === undefined;
  const root = happened?.model.nodes[0]?.transaction;
  const comparison = happened?.comparison;
  const trace = told.trace === undefined ? null : traceSummary(told.trace);
  return {
    // A message sent in a contract's name gets the network's time, and only then the hash to find it by.
    hash: isExternal ? message.hash : (told.sentHash ?? null),
    hashNorm: isExternal ? message.hashNorm : null,
    destination: message.destination.toRawString(),
    sent: isSent,
    accepted: isOpen ? null : happened !== undefined || (rehearsal.accepted ?? null),
    exitCode: root?.description?.compute_ph?.exit_code ?? (isOpen ? null : rehearsal.exitCode),
    reason: told.reason,
    fees: isSent ? (trace?.fees ?? null) : rehearsal.fees.toString(),
    serviceFees: serviceFees?.total.toString() ?? null,
    complete: isSent ? happened?.isComplete === true : rehearsal.complete,
    confidence: rehearsal.confidence,
    doubts: [...rehearsal.doubts],
    asPredicted:
      comparison === undefined || comparison.verdict === 'unknown'
        ? null
        : comparison.verdict !== 'different',
    trace,
  };
}
