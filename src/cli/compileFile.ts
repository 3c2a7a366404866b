import path from 'node:path';
import type { CompileRequest } from '../toolkit/build/compileRequest';
import type { BuiltContract } from '../toolkit/build/readBuiltContract';
import type { SourceCompiler } from '../toolkit/build/sourceCompiler';
import type { SourceMap } from '../toolkit/sourceMap/sourceMap';
import { userCacheFolder } from './userCacheFolder';
import { pathHere, surroundings } from './surroundings';

/** By cache folder. Each thread has the compilers loaded, so all commands of a process use the same one. */
const compilers = new Map<string | undefined, Promise<SourceCompiler>>();

/**
 * Compiles a source in a thread that ends with the process, or finds what that gave an earlier command.
 * @param isTrusted whether the user named this file, so that its project's own compiler may run
 * @throws WorkbenchError as {@link SourceCompiler.compile}
 */
export async function compileFile(
  file: string,
  { isTrusted }: { isTrusted: boolean },
): Promise<BuiltContract[]> {
  return (await sharedCompiler()).compile(pathOf(file), await requestOf(isTrusted));
}

/**
 * The lines of a source's codes, compiled in the same thread.
 * @param isTrusted whether the user named this file, so that its project's own compiler may run
 * @throws WorkbenchError as {@link SourceCompiler.map}
 */
export async function mapFile(file: string, { isTrusted }: { isTrusted: boolean }): Promise<SourceMap[]> {
  return (await sharedCompiler()).map(pathOf(file), await requestOf(isTrusted));
}

async function requestOf(isTrusted: boolean): Promise<CompileRequest> {
  if (!isTrusted) {
    return { isTrusted };
  }
  const { findActon } = await import('../toolkit/build/findActon');
  return { isTrusted, acton: findActon(surroundings().environment['PATH']) };
}

function sharedCompiler(): Promise<SourceCompiler> {
  const folder = userCacheFolder();
  const compiler =
    compilers.get(folder) ??
    import('../toolkit/build/sourceCompiler').then(
      ({ SourceCompiler: Compiler }) => new Compiler({ cache: folder && path.join(folder, 'compiled') }),
    );
  compilers.set(folder, compiler);
  return compiler;
}

function pathOf(file: string): string {
  return pathHere(file).replaceAll('\\', '/');
}
