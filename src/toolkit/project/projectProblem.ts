import { WorkbenchError } from '../errors';
import { fileName } from '../fileName';
import type { ProjectProblem } from './projectDescription';

/** A mistake at a line of a project's file. */
export function projectProblem(
  path: string,
  line: number,
  { code, message, hint, cause }: ProblemWords,
): ProjectProblem {
  return {
    path,
    line,
    error: new WorkbenchError({
      code,
      kind: 'input',
      message: `${fileName(path)}, line ${line}: ${message}.`,
      hint,
      details: { path, line },
      cause,
    }),
  };
}

interface ProblemWords {
  code: 'project-file-invalid' | 'project-mapping-outside' | 'project-cycle';
  message: string;
  hint?: string;
  cause?: unknown;
}

/** The line of an offset in a text, from 1. */
export function lineOfOffset(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
