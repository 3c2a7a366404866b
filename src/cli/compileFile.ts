import path from 'node:path';
import type { BuiltContract } from '../toolkit/build/readBuiltContract';
import type { SourceCompiler } from '../toolkit/build/sourceCompiler';
import type { SourceMap } from '../toolkit/sourceMap/sourceMap';
import { userCacheFolder } from './userCacheFolder';

let compiler: Promise<SourceCompiler> | undefined;

/**
 * Compiles a source in a thread that ends with the command, or finds what that gave an earlier command.
 * @param isTrusted whether the user named this file, so that its project's own compiler may run
 * @throws WorkbenchError as {@link SourceCompiler.compile}
 */
export async function compileFile(
  file: string,
  { isTrusted }: { isTrusted: boolean },
): Promise<BuiltContract[]> {
  return (await sharedCompiler()).compile(pathOf(file), { isTrusted });
}

/**
 * The lines of a source's codes, compiled in the same thread.
 * @param isTrusted whether the user named this file, so that its project's own compiler may run
 * @throws WorkbenchError as {@link SourceCompiler.map}
 */
export async function mapFile(file: string, { isTrusted }: { isTrusted: boolean }): Promise<SourceMap[]> {
  return (await sharedCompiler()).map(pathOf(file), { isTrusted });
}

function sharedCompiler(): Promise<SourceCompiler> {
  compiler ??= import('../toolkit/build/sourceCompiler').then(({ SourceCompiler: Compiler }) => {
    const folder = userCacheFolder();
    return new Compiler({ cache: folder && path.join(folder, 'compiled') });
  });
  return compiler;
}

function pathOf(file: string): string {
  return path.resolve(file).replaceAll('\\', '/');
}
