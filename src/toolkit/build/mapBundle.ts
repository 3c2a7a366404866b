import { Cell } from '@ton/core';
import { posix } from 'node:path';
import { methodIdOf } from '../contracts/abi/methodIdOf';
import { WorkbenchError } from '../base/errors';
import { bundleEnding } from '../project/readArtifact';
import type { CompilerMarks } from '../sourceMap/compilerMarks';
import { compilerSourceMap, readCompilerMarks } from '../sourceMap/compilerMarks';
import { sourceFunctions } from '../sourceMap/sourceFunctions';
import type { SourceMap } from '../sourceMap/sourceMap';

/**
 * The lines of a contract by its compiler's own source map, from a file that `acton build` has written with `output-sources`.
 * @throws WorkbenchError `source-map-unreadable`, `over-limit`
 */
export async function mapBundle(path: string, read: (path: string) => string): Promise<SourceMap> {
  const marks = readCompilerMarks(read(path));
  const { code } = marks;
  if (code === undefined) {
    throw new WorkbenchError({
      code: 'source-map-unreadable',
      kind: 'failed',
      message: `${posix.basename(path)} has no code.`,
      hint: 'Build it again with acton build.',
    });
  }
  return markedMap({ ...marks, name: posix.basename(path, bundleEnding), code, root: rootOf(path, read) });
}

/** A code with its compiler's own marks, and the folder to which the paths of its sources are relative. */
export interface MarkedBuild extends CompilerMarks {
  name: string;
  code: string;
  root: string;
}

/** The lines of a code by its compiler's own marks. */
export function markedMap({ name, code, texts, lines, root }: MarkedBuild): Promise<SourceMap> {
  const at = (file: string): string => (posix.isAbsolute(file) ? file : posix.join(root, file));
  const here = new Map([...texts].map(([file, text]) => [at(file), text]));
  const names = new Map(
    [...here].flatMap(([file, text]) =>
      sourceFunctions(file, text, 'tolk').map((one) => [methodIdOf(one.name), one.name] as const),
    ),
  );
  return compilerSourceMap({
    name,
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
