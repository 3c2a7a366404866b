import { createRequire } from 'node:module';
import path from 'node:path';
import type { FuncBuilds } from '../sourceMap/funcSourceMap';
import type { FuncCompiler } from './compileFunc';
import { compilerPackages, projectCompiler } from './projectCompiler';

/** The FunC code that the Tact compiler has written, and its listing. */
export interface WrittenFunc {
  listing: string;
  /** Returns the text of a file that the listing names, other than those of Tact's own library. */
  read: (file: string) => string;
}

/**
 * Builds the FunC code that Tact has written with debug information, because that has the names of variables. Tact's own
 * copy of the FunC compiler gives none: the project must have one that does.
 *
 * @param source the Tact source's path
 * @returns undefined if the project has no such compiler, or if it cannot build the code
 */
export async function nameTact(
  source: string,
  { listing, read }: WrittenFunc,
): Promise<Exclude<FuncBuilds['debug'], string> | undefined> {
  const [, head = ''] = /^\/\/ automatically generated from (.+)$/m.exec(listing) ?? [];
  const targets = [...head.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
  try {
    const compiler = projectCompiler(source, compilerPackages.func) as FuncCompiler | undefined;
    const library = libraryOf(source);
    const built = await compiler?.compileFunc({
      targets,
      sources: (file) => library(file) ?? read(file),
      debugInfo: true,
    });
    return built?.status === 'ok' && built.debugInfo !== undefined
      ? { fiftCode: built.fiftCode, locations: built.debugInfo.locations }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Tact's own library is a part of the compiler's package, in base64. */
function libraryOf(source: string): (file: string) => string | undefined {
  const load = createRequire(source);
  const main = load.resolve(compilerPackages.tact);
  const { files } = load(path.join(path.dirname(main), 'stdlib/stdlib.js')) as {
    files: Readonly<Record<string, string>>;
  };
  return (file) => {
    const [, name] = /^@stdlib\/(.+)$/.exec(file) ?? [];
    const text = name === undefined ? undefined : files[name];
    return text === undefined ? undefined : Buffer.from(text, 'base64').toString();
  };
}
