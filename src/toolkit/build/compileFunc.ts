import { WorkbenchError } from '../errors';
import { fileName } from '../fileName';
import { limits } from '../limits';
import type { FuncLocation } from '../sourceMap/funcSourceMap';
import { compileError, readPlace } from './compileError';
import type { SourceProblem } from './compileError';
import { compiledAlone } from '../project/compilationOf';
import type { Compilation } from '../project/compilationOf';
import type { BuiltContract } from './readBuiltContract';
import { builtFrom } from './readBuiltContract';

/** The interface of @ton-community/func-js. */
export interface FuncCompiler {
  compileFunc(config: {
    targets: string[];
    sources: (path: string) => string;
    optLevel?: number;
    /** Since 0.11. */
    debugInfo?: boolean;
  }): Promise<
    | { status: 'ok'; codeBoc: string; fiftCode: string; debugInfo?: { locations: FuncLocation[] } }
    | { status: 'error'; message: string }
  >;
}

/**
 * Compiles a FunC contract with the project's compiler; nothing is written.
 * @param path the contract's own file, with forward slashes
 * @param compilation the files that it is combined with; they include all others
 * @param read returns a file's text by path, or throws
 * @throws WorkbenchError `compile-failed` (input) with `details.problems`: SourceProblem[]
 */
export async function compileFunc(
  path: string,
  read: (path: string) => string,
  compiler: FuncCompiler,
  compilation: Compilation = compiledAlone(path),
): Promise<BuiltContract> {
  requireTargets(path, read, compilation);
  const compiled = await compiler.compileFunc({ ...funcInput(compilation), sources: read });
  if (compiled.status === 'error') {
    throw funcError(compiled.message);
  }
  return builtFrom(path, compiled.codeBoc);
}

/** A build may write sources, too, such as the code of another contract. */
function requireTargets(path: string, read: (path: string) => string, { targets }: Compilation): void {
  for (const target of targets) {
    try {
      read(target);
    } catch (cause) {
      if (target === path || WorkbenchError.is(cause)) {
        throw cause;
      }
      throw new WorkbenchError({
        code: 'compile-failed',
        kind: 'input',
        message: `${fileName(path)} is built with ${fileName(target)}, which is not there.`,
        hint: "Run the project's build first, if that writes it.",
        details: { problems: [], missing: target },
        cause,
      });
    }
  }
}

/** What the compiler is given for a contract. */
export function funcInput({ targets, options }: Compilation): { targets: string[]; optLevel?: number } {
  const { optimizationLevel } = options;
  return {
    targets: [...targets],
    ...(optimizationLevel === undefined ? {} : { optLevel: optimizationLevel }),
  };
}

/** The error for what the compiler printed. */
export function funcError(printed: string): WorkbenchError {
  const text = printed.replace(/^FunC compilation error: /, '');
  return compileError('The FunC compiler', text, readFuncProblems(text));
}

/**
 * The compiler stops at the first error. For an unknown name, it prints a sentence, then only the position
 * and the name.
 */
function readFuncProblems(text: string): SourceProblem[] {
  const lines = text.slice(0, limits.compilerText.most).split('\n');
  const sentence = /^\( (.+) \)$/.exec(lines[0] ?? '')?.[1];
  const found = lines.flatMap((line) => {
    const [at = '', message = ''] = line.split(/: error: (.*)/s);
    const place = message === '' ? undefined : readPlace(at);
    return place === undefined ? [] : [{ ...place, message }];
  });
  return found.map(({ message, ...place }) => ({
    ...place,
    length: sentence?.includes(`\`${message}\``) === true ? message.length : 1,
    message: sentence ?? message,
  }));
}
