import * as z from 'zod';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import { shellWord } from '../toolkit/base/text';
import type { HitValue } from '../toolkit/debug/query/queryHit';
import type { QueriedExecution, QueryAnswer, QueryHit } from '../toolkit/debug/query/queryPrograms';
import { shownFile } from './linesHere';
import { networkWords } from './networkHere';

const valueSchema = z
  .strictObject({
    name: z.string(),
    value: z.string().nullable().describe('Null if it is unknown: why tells the reason.'),
    before: z.string().optional().describe('Of a change: the value before it; missing for the first one.'),
    why: z.string().optional(),
  })
  .meta({ id: 'HitValue' });

const hitSchema = z
  .strictObject({
    execution: z.int().describe('Of the list of executions, from 1.'),
    step: z.int().describe('From 1, as replay --steps numbers them.'),
    file: z.string().optional(),
    line: z.int().optional(),
    function: z.string().optional(),
    title: z.string(),
    values: z.array(valueSchema),
    undone: z.string().optional().describe('Why what it did was not kept.'),
    goTo: z.string().optional().describe('The command that opens a debugger at the step.'),
  })
  .meta({ id: 'Hit' });

/** The schema of what `query --json` prints. */
export const queryAnswerSchema = z
  .strictObject({
    question: z.string(),
    hits: z.array(hitSchema).describe('The first ones, as --limit says.'),
    total: z.int().describe('How many hits there are.'),
    executions: z.array(
      z.strictObject({
        name: z.string(),
        hash: jsonFacts.hash.optional().describe('Of its transaction.'),
        what: z.string().optional().describe('What commands call it.'),
        steps: z.int().describe('0 if no code ran, or if it could not be asked.'),
        hits: z.int(),
        problem: z.string().optional().describe('Why it could not be asked.'),
      }),
    ),
    notes: z.array(z.string()).describe('What is unknown.'),
  })
  .meta({ title: 'All hits of a question in recordings' });

/** The answer for programs. */
export function queryAnswer(question: string, answer: QueryAnswer): z.infer<typeof queryAnswerSchema> {
  const { hits, total, executions, notes } = answer;
  return {
    question,
    hits: hits.map((hit) => hitJson(hit, executions[hit.execution])),
    total,
    executions: executions.map(({ name, hash, what, steps, hits: count, problem }) => ({
      name,
      ...(hash === undefined ? {} : { hash }),
      ...(what === undefined && hash === undefined ? {} : { what: what ?? hash }),
      ...{ steps, hits: count },
      ...(problem === undefined ? {} : { problem }),
    })),
    notes: [...notes],
  };
}

/** The command that opens a debugger at a step; undefined for an execution that no command can name. */
export function goToHit(execution: QueriedExecution | undefined, step: number): string | undefined {
  const what = execution?.what ?? execution?.hash;
  return what === undefined
    ? undefined
    : `ton-workbench debug ${/^[\w./-]+$/.test(what) ? what : shellWord(what)} --dap 0 --step ${step}${networkWords()}`;
}

function hitJson(
  { execution, step, place, function: around, title, values, undone }: QueryHit,
  of: QueriedExecution | undefined,
): z.infer<typeof hitSchema> {
  const goTo = goToHit(of, step);
  return {
    ...{ execution: execution + 1, step },
    ...(place === undefined ? {} : { file: shownFile(place.file), line: place.line }),
    ...(around === undefined ? {} : { function: around }),
    ...{ title, values: values.map(valueJson) },
    ...(undone === undefined ? {} : { undone }),
    ...(goTo === undefined ? {} : { goTo }),
  };
}

function valueJson({ name, value, before, why }: HitValue): z.infer<typeof valueSchema> {
  return {
    ...{ name, value: value ?? null },
    ...(before === undefined ? {} : { before }),
    ...(why === undefined ? {} : { why }),
  };
}
