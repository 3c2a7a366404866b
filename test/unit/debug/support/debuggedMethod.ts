import path from 'node:path';
import { root } from '../../../../scripts/lib/root.mjs';
import { compileSource } from '../../../../src/toolkit/build/compileSource';
import { mapSource } from '../../../../src/toolkit/build/mapSource';
import type { DebugProgram, DebugRun } from '../../../../src/toolkit/debug/debugProgram';
import { methodRun } from '../../../../src/toolkit/debug/debugProgram';
import { RunView } from '../../../../src/toolkit/debug/runView';
import type { TupleItem } from '@ton/core';
import { runMapped } from '../../sourceMap/support/mappedMethod';

const emptyData = 'te6cckEBAQEAAgAAAEysuc0=';

/** A get-method that ran, as a session has it: two executions that are the same. */
export interface DebuggedMethod {
  /** As the source map names it. */
  file: string;
  program: DebugProgram;
  view: RunView;
}

/**
 * Runs a get-method of a source, or by the number 0 what receives messages.
 * @param file its name says the language; its folder, for a whole path, has the compiler
 * @param hasLines false for assembly
 */
export async function debuggedMethod(
  file: string,
  text: string,
  [method, ...values]: readonly [string | number, ...(bigint | TupleItem)[]],
  hasLines = true,
): Promise<DebuggedMethod> {
  // The compiler of FunC is found from here.
  const entry = path.resolve(root, 'test/unit/sourceMap', file).replaceAll('\\', '/');
  const options = { read: () => text, isTrusted: true };
  const [[map], [built]] = await Promise.all([mapSource(entry, options), compileSource(entry, options)]);
  const { steps } = await runMapped(map!, built!.code, method, ...values);
  const lines = hasLines ? steps : undefined;
  const knowledge = {
    title: String(method),
    exits: { standards: [], errors: new Map() },
    storage: undefined,
  };
  const run = methodRun(
    { recording: steps.recording, lines, inputs: { data: emptyData, seqno: 1 } },
    knowledge,
  );
  return { file: entry, program: programOf(run), view: new RunView(run, steps.recording, 0, (name) => name) };
}

/** An execution twice, one after the other. */
export function programOf(run: DebugRun): DebugProgram {
  const load = (): Promise<DebugRun> => Promise.resolve(run);
  return {
    threads: [
      { name: 'first', load },
      { name: 'second', load },
    ],
    first: 0,
    pathOf: (file) => file,
    accountName: () => undefined,
  };
}
