import * as z from 'zod';
import type { DebugControl } from '../toolkit/debug/debugControl';
import type { DebugProgram } from '../toolkit/debug/debugProgram';
import type { HopNames, OriginTree } from '../toolkit/debug/originTree';
import type { OriginHop } from '../toolkit/debug/originHops';
import type { RunView } from '../toolkit/debug/runView';
import { shownFile } from './linesHere';
import { writeJsonLine, writeNote, writeText } from './output';
import { stopSignal } from './runTests';
import { stepIndex } from './stepOption';

/** What is asked, and how the answer is printed. */
export interface WhyOptions {
  /** An expression; true for the operands of what failed. */
  why: string | true;
  /** The step at which it is asked, from 1; without one, where the execution failed, or its end. */
  step?: number | undefined;
  json?: true;
}

const hopSchema = z.strictObject({
  execution: z.int().describe('Of the list of executions, from 1.'),
  step: z.int().describe('From 1, with those that the log has lost.'),
  kind: z.enum([
    'asked',
    'made',
    'read',
    'stored',
    'written',
    'data',
    'message',
    'sent',
    'constant',
    'given',
    'outside',
    'unknown',
  ]),
  title: z.string(),
  value: z.string().optional(),
  file: z.string().optional(),
  line: z.int().optional(),
});

const treeSchema = z
  .strictObject({
    hops: z.array(hopSchema).describe('The newest first; the first is what was asked about.'),
    get sources(): z.ZodArray<typeof treeSchema> {
      return z.array(treeSchema).describe('The values that it was worked out of.');
    },
    more: z.int().optional().describe('Sources that are not followed.'),
  })
  .meta({ id: 'Origin' });

/** The schema of what `debug --why --json` prints. */
export const whyAnswerSchema = z
  .strictObject({
    executions: z.array(
      z.strictObject({ name: z.string(), hash: z.string().optional().describe('Of its transaction.') }),
    ),
    values: z.array(treeSchema),
    problems: z.array(z.string()),
  })
  .meta({ title: 'With --why: where values come from' });

/**
 * Prints where values of an execution come from.
 *
 * @throws WorkbenchError `expression-invalid` (input) if none of them is known, `usage` (input) for a step that is not
 * recorded, and those of running
 */
export async function whyValue(program: DebugProgram, { why, step, json }: WhyOptions): Promise<void> {
  const [{ DebugControl: Control }, { askOrigins }, { originLines }] = await Promise.all([
    import('../toolkit/debug/debugControl'),
    import('../toolkit/debug/askOrigins'),
    import('../toolkit/debug/originTree'),
  ]);
  const signal = stopSignal();
  const control = new Control(program, {
    loaded: () => undefined,
    output: (text) => writeNote(text),
  });
  const isOfFailure = why === true && step === undefined;
  const { thread, view } = await askedRun(control, program.first, isOfFailure, signal);
  const at =
    view && (step === undefined ? (view.failedStep ?? view.steps - 1) : stepIndex(step, view.recording));
  const frame = view && { thread, view, step: Math.max(0, at ?? 0) };
  const { trees, problems } = await askOrigins(control.runs, frame, why === true ? undefined : why, signal);
  const threads = control.runs.threads;
  if (json === true) {
    writeJsonLine({
      executions: threads.map(({ name, hash }) => ({ name, ...(hash === undefined ? {} : { hash }) })),
      values: trees.map(treeJson),
      problems,
    });
    return;
  }
  problems.forEach(writeNote);
  const names: HopNames = {
    threadName: (index) => threads[index]?.name ?? '',
    fileName: shownFile,
  };
  writeText(trees.map((tree) => originLines(tree, names).join('\n')).join('\n\n'));
}

/** The execution that is asked about. What failed may be another one of its trace: then that, the first that did. */
async function askedRun(
  control: DebugControl,
  first: number,
  isOfFailure: boolean,
  signal: AbortSignal,
): Promise<{ thread: number; view: RunView | undefined }> {
  const view = await control.load(first, signal);
  if (isOfFailure && view?.failedStep === undefined) {
    const { loadOrWhy } = await import('../toolkit/debug/originCrossings');
    const { threads } = control.runs;
    for (const [thread, { name }] of threads.entries()) {
      const other = thread === first ? undefined : await loadOrWhy(control.runs, thread, signal);
      if (typeof other === 'object' && other.failedStep !== undefined) {
        writeNote(`${threads[first]?.name ?? 'It'} did not fail; ${name} did.`);
        return { thread, view: other };
      }
    }
  }
  return { thread: first, view };
}

function treeJson({ hops, sources, more }: OriginTree): z.infer<typeof treeSchema> {
  return { hops: hops.map(hopJson), sources: sources.map(treeJson), ...(more === undefined ? {} : { more }) };
}

function hopJson({ thread, number, kind, title, value, place }: OriginHop): z.infer<typeof hopSchema> {
  return {
    ...{ execution: thread + 1, step: number, kind, title },
    ...(value === undefined ? {} : { value }),
    ...(place === undefined ? {} : { file: shownFile(place.file), line: place.line }),
  };
}
