import { posix, resolve } from 'node:path';
import { limits } from '../limits';
import { compileError, readPlace } from './compileError';
import type { SourceProblem } from './compileError';
import { readBuiltContract } from './readBuiltContract';
import type { BuiltContract } from './readBuiltContract';

/** The face of @tact-lang/compiler since 1.5. */
export interface TactCompiler {
  build(parameters: {
    config: { name: string; path: string; output: string; mode: 'full'; options: object };
    project: {
      root: string;
      resolve(...paths: string[]): string;
      exists(path: string): boolean;
      readFile(path: string): Buffer;
      writeFile(path: string, content: Buffer | string): void;
    };
    stdlib: string;
    logger: Record<'debug' | 'info' | 'warn' | 'error', () => void>;
  }): Promise<{ ok: boolean; error?: readonly unknown[] }>;
}

/** Where the compiler believes that it writes. */
const output = '/ton-workbench-output';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * Compiles the contracts of a source in Tact with the project's compiler; nothing is written.
 * @param path of the source, with slashes
 * @param read gives the text of a file by its path, or throws
 * @param options of the project in `tact.config.json`
 * @throws WorkbenchError `compile-failed` (input) with `details.problems`: SourceProblem[]
 */
export async function compileTact(
  path: string,
  read: (path: string) => string,
  compiler: TactCompiler,
  options: object = {},
): Promise<BuiltContract[]> {
  const written = new Map<string, string>();
  const { ok, error = [] } = await compiler.build({
    config: { name: 'contract', path, output, mode: 'full', options },
    project: {
      root: '/',
      resolve: (...paths) => posix.resolve('/', ...paths),
      exists: (file) => written.has(file) || text(read, file) !== undefined,
      readFile: (file) => Buffer.from(written.get(file) ?? read(onDisk(file))),
      writeFile: (file, content) => written.set(file, content.toString()),
    },
    stdlib: '@stdlib',
    logger: quiet,
  });
  if (!ok) {
    const texts = error.map((one) => (one instanceof Error ? one.message : String(one)));
    throw compileError('The Tact compiler', texts[0] ?? '', texts.flatMap(readTactProblem), error[0]);
  }
  return [...written]
    .filter(([file]) => file.startsWith(`${output}/`) && file.endsWith('.pkg'))
    .map(([file, content]) => readBuiltContract(content, file));
}

/** A drive's letter stands behind the root that all paths of the compiler begin with. */
function onDisk(file: string): string {
  return file.replace(/^\/(?=[A-Za-z]:\/)/, '');
}

function text(read: (path: string) => string, file: string): string | undefined {
  try {
    return read(onDisk(file));
  } catch {
    return undefined;
  }
}

/** `path:line:column: message`, then the lines around it with a mark. Paths are relative to the process's folder. */
function readTactProblem(text: string): SourceProblem[] {
  const [head = '', ...rest] = text.slice(0, limits.compilerText.most).split('\n');
  const [, at = '', message = ''] = /^(.+?:\d{1,9}:\d{1,9}): ?(.*)$/.exec(head) ?? [];
  const place = readPlace(at);
  const length =
    rest.flatMap((line) => /^\s*(\^~*)/.exec(line.replace(/^.*\|/, ''))?.[1]?.length ?? [])[0] ?? 1;
  return place === undefined
    ? []
    : [
        {
          ...place,
          path: resolve(place.path).replaceAll('\\', '/'),
          length,
          message: message.replace(/\.$/, ''),
        },
      ];
}
