import * as z from 'zod';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import { formatTable } from '../toolkit/base/formatTable';
import { stepName } from '../toolkit/callSheet/callSheet';
import { clockTime } from '../toolkit/base/text';
import { formatCoins } from '../toolkit/trace/figures';
import type { PlannedMessage } from '../toolkit/workflows/drawPlan';
import { stepAnswerSchema } from './runAnswers';
import { handOverLineSchema } from './sendAnswer';

const plannedSchema = z.strictObject({
  line: z.int().describe('In the sheet, counted from 1.'),
  what: z.string(),
  network: z.string(),
  state: z
    .enum(['planned', 'there', 'handed', 'sent', 'failed', 'done', 'changed'])
    .describe(
      '`there`: deployed already. `handed`: a wallet was asked, and the chain has no such message yet. `failed`: it was sent, and did not do what the step expects. `changed`: another message was sent for the step than the one that it is now.',
    ),
  destination: jsonFacts.account
    .nullable()
    .describe('Null here and below: it depends on an answer of the run.'),
  value: jsonFacts.nanocoins.nullable(),
  bounce: z.boolean().nullable(),
  body: jsonFacts.boc.nullable(),
  stateInit: jsonFacts.boc.nullable().describe('Also null if the message has none.'),
  hash: jsonFacts.hash.nullable().describe('Of what is on the chain: its transaction, or the message.'),
  validUntil: jsonFacts.unixTime.nullable().describe('Of what was handed over.'),
});

/** The schema of what `plan --json` prints: the plan, then for each step its outcome, and what a wallet is given. */
export const planLineSchema = z.union([
  z.strictObject({ plan: z.array(plannedSchema) }).meta({ title: 'A plan' }),
  stepAnswerSchema,
  handOverLineSchema,
]);

/** A plan for programs; `initBoc`: a state init as a BoC in base64. */
export function planAnswer(
  drawn: readonly PlannedMessage[],
  initBoc: (message: NonNullable<PlannedMessage['message']>) => string | undefined,
): { plan: z.infer<typeof plannedSchema>[] } {
  return {
    plan: drawn.map(({ step, network, message, state, hash, validUntil }) => ({
      ...{ line: step.lineNumber, what: stepName(step), network, state },
      destination: message?.to.toRawString() ?? null,
      value: message?.value.toString() ?? null,
      bounce: message?.bounce ?? null,
      body: message?.body.toBoc().toString('base64') ?? null,
      stateInit: (message && initBoc(message)) ?? null,
      hash: hash ?? null,
      validUntil: validUntil ?? null,
    })),
  };
}

/** A plan as a table, with what it costs in all. */
export function planText(drawn: readonly PlannedMessage[], file: string): string {
  const left = drawn.filter(({ state }) => state === 'planned');
  const cost = left.reduce((sum, { message }) => sum + (message?.value ?? 0n), 0n);
  const isWhole = left.every(({ message }) => message !== undefined);
  const networks = [...new Set(drawn.map(({ network }) => network))].join(', ');
  const total =
    left.length === 0
      ? 'nothing is left to hand over'
      : `${left.length} to hand over, ${isWhole ? '' : 'at least '}${formatCoins(cost)} TON and fees`;
  const rows = drawn.map(({ step, message, state, hash, validUntil }) => [
    `${signs[state]} ${step.lineNumber}`,
    stepName(step),
    message === undefined ? '?' : `${formatCoins(message.value)} TON`,
    message?.to.toString() ?? 'known when the run gets there',
    stateWords(state, validUntil) + (hash === undefined || state === 'there' ? '' : `, ${hash}`),
  ]);
  return [
    `${file} on ${networks}: ${drawn.length} ${drawn.length === 1 ? 'message' : 'messages'}, ${total}`,
    ...formatTable(rows, ['left', 'left', 'decimal', 'left', 'left']).map((line) => `  ${line}`),
  ].join('\n');
}

const signs: Readonly<Record<PlannedMessage['state'], string>> = {
  planned: ' ',
  there: '✓',
  handed: '◌',
  sent: '◌',
  failed: '✗',
  changed: '✗',
  done: '✓',
};

function stateWords(state: PlannedMessage['state'], validUntil: number | undefined): string {
  switch (state) {
    case 'planned':
      return '';
    case 'there':
      return 'is deployed';
    case 'handed':
      return `handed over, may come until ${clockTime(validUntil ?? 0)}`;
    case 'sent':
      return 'is on the chain, not checked yet';
    case 'failed':
      return 'was sent, and failed';
    case 'changed':
      return 'was sent as another message; --again begins anew';
    case 'done':
      return 'done';
  }
}
