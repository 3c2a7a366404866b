import * as z from 'zod';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import { printOrder } from '../toolkit/explore/printOrder';
import type { ExploredScenario } from '../toolkit/workflows/exploreSheet';

const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('expect'),
    line: z.int().describe('Of the step in the sheet.'),
    failures: z.array(z.string()).describe('One sentence for each unmet expectation.'),
  }),
  z.strictObject({
    kind: z.literal('exit'),
    line: z.int().describe('Of the message whose flow this is.'),
    account: jsonFacts.account,
    code: z.int(),
    phase: z.enum(['compute', 'action']),
    meaning: z.string().nullable().describe('What the code usually means, if that is known.'),
  }),
  z.strictObject({
    kind: z.literal('coins'),
    missing: jsonFacts.nanocoins.describe('In no balance, fee, or message; negative: came from nowhere.'),
  }),
]);

/** The schema of what `explore --json` prints: one document for each scenario. */
export const exploreAnswerSchema = z
  .strictObject({
    title: z.string(),
    flows: z.int().describe('Concurrent messages of the sheet.'),
    explored: z
      .strictObject({
        orders: z.int().describe('Orders that were run, to their end or to a state that was known.'),
        covered: z
          .string()
          .regex(/^\d+$/)
          .describe('All whole orders that these stand for, as decimal text.'),
        states: z.int(),
        ends: z.int().describe('Different final states.'),
        share: z.number().describe('Of the whole space, 0 to 1: each next delivery counts the same.'),
        cut: z.int().describe('Orders with too many deliveries, cut there.'),
        isWhole: z.boolean(),
        stoppedBy: z.enum(['orders', 'seconds']).nullable(),
      })
      .nullable()
      .describe('Null if one given order was run.'),
    fault: faultSchema.nullable(),
    order: z.string().nullable().describe('Of the fault, or the given one: `2.1.3`.'),
    deliveries: z
      .array(
        z.strictObject({
          number: z.int().describe('Messages are numbered as they were sent, from 1.'),
          flow: z.int().describe('The message of the sheet that it follows from, from 1.'),
          source: jsonFacts.account,
          destination: jsonFacts.account,
          name: z.string(),
          value: jsonFacts.nanocoins,
          exitCode: jsonFacts.exitCode,
          exitName: z.string().nullable(),
          sent: z.array(z.int()),
        }),
      )
      .describe('Of that order.'),
    unjudged: z.array(z.string()).describe('Accounts that failed, and whose source is not known.'),
  })
  .meta({ title: 'A concurrent scenario' });

/** A scenario for programs. */
export function exploreAnswer(scenario: ExploredScenario): z.infer<typeof exploreAnswerSchema> {
  const { title, sends, exploration, fault, order, rows, unjudged } = scenario;
  return {
    ...{ title, flows: sends.length },
    explored: exploration === undefined ? null : exploredAnswer(exploration, fault !== undefined),
    fault: faultAnswer(fault),
    order: order.length === 0 ? null : printOrder(order.map(({ number }) => number)),
    deliveries: rows.map(({ from: _from, to: _to, flow, value, exitName, sent, ...row }) => ({
      ...row,
      flow: flow + 1,
      value: value.toString(),
      exitName: exitName ?? null,
      sent: [...sent],
    })),
    unjudged: [...unjudged],
  };
}

function exploredAnswer(
  { orders, covered, states, ends, share, cut, stoppedBy }: NonNullable<ExploredScenario['exploration']>,
  hasFault: boolean,
): NonNullable<z.infer<typeof exploreAnswerSchema>['explored']> {
  return {
    ...{ orders, covered: covered.toString(), states, ends, share, cut },
    isWhole: !hasFault && stoppedBy === undefined && cut === 0,
    stoppedBy: stoppedBy ?? null,
  };
}

function faultAnswer(fault: ExploredScenario['fault']): z.infer<typeof exploreAnswerSchema>['fault'] {
  switch (fault?.kind) {
    case 'expect':
      return { kind: 'expect', line: fault.step.lineNumber, failures: [...fault.failures] };
    case 'exit': {
      const { account, code, phase, meaning = null, step } = fault;
      return { kind: 'exit', line: step.lineNumber, account, code, phase, meaning };
    }
    case 'coins':
      return { kind: 'coins', missing: fault.missing.toString() };
    case undefined:
      return null;
  }
}
