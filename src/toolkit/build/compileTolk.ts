import { Cell } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { WorkbenchError } from '../errors';
import { limits } from '../limits';
import type { BuiltContract } from './readBuiltContract';
import { contractName } from './readBuiltContract';
import { textHash } from './textHash';

/** An error reported by the compiler. Lines and columns count from 1, as it prints them. */
export interface TolkProblem {
  path: string;
  line: number;
  column: number;
  /** Number of underlined characters. */
  length: number;
  message: string;
}

/**
 * Compiles a contract in Tolk with @ton/tolk-js; nothing is written. The compiler is 8 MB, so import this
 * file on demand.
 * @param path the entry file's path, with forward slashes
 * @param read returns a file's text by path, or throws
 * @throws WorkbenchError `tolk-compile-failed` (input) with `details.problems`: TolkProblem[]
 */
export async function compileTolk(path: string, read: (path: string) => string): Promise<BuiltContract> {
  const texts: Record<string, string> = {};
  const fsReadCallback = (name: string): string => {
    const text = read(name);
    texts[name] = textHash(text);
    return text;
  };
  const compiled = await runTolkCompiler({ entrypointFileName: path, fsReadCallback });
  if (compiled.status === 'error') {
    throw compileFailed(compiled.message);
  }
  const code = Cell.fromBase64(compiled.codeBoc64);
  return {
    name: contractName(path),
    code: code.toBoc().toString('base64'),
    codeHash: code.hash().toString('hex'),
    texts,
  };
}

/** The errors in the compiler's output. */
function readTolkProblems(text: string): TolkProblem[] {
  const lines = text.slice(0, limits.compilerText.most).split('\n');
  return lines.flatMap((line, index) => {
    const mark = line.indexOf(': error: ');
    const [, path = '', row = '1', column = '1'] =
      /^(.+):(\d{1,9}):(\d{1,9})$/.exec(line.slice(0, Math.max(mark, 0))) ?? [];
    if (path === '') {
      return [];
    }
    // A line of carets a few lines below marks the range.
    const marked = lines
      .slice(index, index + 8)
      .flatMap((one) => /^\s*\|\s*(\^+)/.exec(one)?.[1]?.length ?? []);
    const message = line.slice(mark + ': error: '.length);
    return [{ path, line: Number(row), column: Number(column), length: marked[0] ?? 1, message }];
  });
}

function compileFailed(text: string): WorkbenchError {
  const problems = readTolkProblems(text);
  const [first] = problems;
  const file = first?.path.split('/').at(-1);
  return new WorkbenchError({
    code: 'tolk-compile-failed',
    kind: 'input',
    message:
      first === undefined
        ? `The Tolk compiler rejected it: ${text.trim().split('\n')[0] ?? ''}`
        : `${file} does not compile: line ${first.line}, ${first.message}.`,
    details: { problems },
  });
}
