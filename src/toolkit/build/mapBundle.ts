import { posix } from 'node:path';
import { Cell } from '@ton/core';
import { sourceFunctions } from '../sourceMap/sourceFunctions';
import { WorkbenchError } from '../errors';
import { methodIdOf } from '../abi/methodIdOf';
import { readCompilerMarks } from '../sourceMap/compilerMarks';
import { compilerSourceMap } from '../sourceMap/compilerSourceMap';
import type { SourceMap } from '../sourceMap/sourceMap';

/** How the files are named in which Acton keeps a contract's sources, code, and source map. */
export const bundleEnding = '.source.json';

/**
 * The lines of a contract by its compiler's own source map, from a file that `acton build` has written with `output-sources`.
 * @throws WorkbenchError `source-map-unreadable`, `over-limit`
 */
export async function mapBundle(path: string, read: (path: string) => string): Promise<SourceMap> {
  const { code, texts, lines } = readCompilerMarks(read(path));
  if (code === undefined) {
    throw new WorkbenchError({
      code: 'source-map-unreadable',
      kind: 'failed',
      message: `${posix.basename(path)} has no code.`,
      hint: 'Build it again with acton build.',
    });
  }
  const root = rootOf(path, read);
  const at = (file: string): string => (posix.isAbsolute(file) ? file : posix.join(root, file));
  const here = new Map([...texts].map(([file, text]) => [at(file), text]));
  const names = new Map(
    [...here].flatMap(([file, text]) =>
      sourceFunctions(file, text, 'tolk').map(({ name }) => [methodIdOf(name), name] as const),
    ),
  );
  return compilerSourceMap({
    name: posix.basename(path, bundleEnding),
    code: Cell.fromBase64(code),
    marks: {
      lines: new Map(
        [...lines].map(([hash, list]) => [hash, list.map((one) => ({ ...one, file: at(one.file) }))]),
      ),
    },
    texts: here,
    methodName: (id) => names.get(id),
  });
}

/** The nearest folder with Acton.toml, to which the paths are relative; else the folder of the file. */
function rootOf(path: string, read: (path: string) => string): string {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    try {
      read(posix.join(folder, 'Acton.toml'));
      return folder;
    } catch {
      if (folder === posix.dirname(folder)) {
        return posix.dirname(path);
      }
    }
  }
}
