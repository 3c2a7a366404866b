import path from 'node:path';
import type { BuiltContract } from '../toolkit/build/readBuiltContract';
import type { SourceCompiler } from '../toolkit/build/sourceCompiler';

let compiler: Promise<SourceCompiler> | undefined;

/**
 * Compiles a source in a thread that ends with the command.
 * @param isTrusted whether the user named this file, so that its project's own compiler may run
 * @throws WorkbenchError as {@link SourceCompiler.compile}
 */
export async function compileFile(
  file: string,
  { isTrusted }: { isTrusted: boolean },
): Promise<BuiltContract[]> {
  compiler ??= import('../toolkit/build/sourceCompiler').then(
    ({ SourceCompiler: Compiler }) => new Compiler(),
  );
  return (await compiler).compile(path.resolve(file).replaceAll('\\', '/'), { isTrusted });
}
