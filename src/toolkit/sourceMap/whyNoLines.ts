import { WorkbenchError } from '../base/errors';
import type { TriedSource } from './findSourceMap';

/** What is known of a source that did not give the code. */
export interface TriedFacts {
  /** How the user names the file. */
  shown: (file: string) => string;
  /** The compiler in the file's project if another one was run: `@ton/tolk-js 1.1.0`. */
  otherCompiler: (file: string) => string | undefined;
  /** What to do so that the project's compiler is run: `add --source contracts/a.fc`. */
  toRunCompiler: (file: string) => string;
}

/** How a code without lines is shown, as the end of a sentence. */
export const byInstructions = 'so it is shown by its instructions.';

/** Why a code has no source lines, in a sentence: the reason of the likeliest source. */
export function whyNoLines(tried: readonly TriedSource[], facts: TriedFacts): string {
  // A source that could not even be compiled may be it; one that gives other code is not.
  const first = tried.find(({ error }) => error !== undefined) ?? tried[0];
  if (first === undefined) {
    return `No source here compiles to the code that ran, ${byInstructions}`;
  }
  const { file, error } = first;
  const shown = facts.shown(file);
  if (WorkbenchError.is(error, 'compiler-missing') || WorkbenchError.is(error, 'compiler-unusable')) {
    return `For source lines, ${facts.toRunCompiler(file)}: its project's compiler is run only if you name the file.`;
  }
  if (error !== undefined) {
    return `${shown} gives no lines: ${messageOf(error)}`;
  }
  const other = facts.otherCompiler(file);
  return other === undefined
    ? `${shown} no longer compiles to the code that ran, ${byInstructions}`
    : `For source lines, ${facts.toRunCompiler(file)}: its project has ${other}, which is run only if you name the file, and ours gives other code.`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
