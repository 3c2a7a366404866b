import { posix, resolve } from 'node:path';
import { limits } from '../base/limits';
import { compileError, readPlace } from './compileError';
import type { SourceProblem } from './compileError';
import { readBuiltContract } from './readBuiltContract';
import type { BuiltContract } from './readBuiltContract';

/** The interface of @tact-lang/compiler since 1.5. */
export interface TactCompiler {
  build(parameters: {
    config: { name: string; path: string; output: string; mode: 'full'; options?: object };
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

/** The folder that the compiler is told to write to; nothing is really written. */
const output = '/ton-workbench-output';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A Tact source, and how its project builds it. */
export interface TactInput {
  /** The entry file's path, with forward slashes. */
  path: string;
  /** Returns a file's text by path, or throws. */
  read: (path: string) => string;
  /** The project's own; the compiler gives other code without options than with empty ones. */
  options: object | undefined;
  /** The project's folder: what `dump` prints in debug mode has paths from here. */
  root: string;
}

/**
 * Compiles the contracts in a Tact source with the project's compiler; nothing is written.
 * @throws WorkbenchError `compile-failed` (input) with `details.problems`: SourceProblem[]
 */
export async function compileTact(input: TactInput, compiler: TactCompiler): Promise<BuiltContract[]> {
  return [...(await buildTact(input, compiler))]
    .filter(([file]) => file.endsWith('.pkg'))
    .map(([file, content]) => readBuiltContract(content.toString(), file));
}

/** Builds one after another: each has the working folder that the compiler sees for itself. */
let lastBuild: Promise<unknown> = Promise.resolve();

/**
 * The files that the compiler would write for a Tact source, by name, such as `contract_Counter.pkg`.
 * @throws WorkbenchError as {@link compileTact}
 */
export function buildTact(input: TactInput, compiler: TactCompiler): Promise<Map<string, Buffer>> {
  const building = lastBuild.then(async () => {
    // oxlint-disable-next-line typescript/unbound-method -- it is put back as it was
    const { cwd } = process;
    process.cwd = () => input.root;
    try {
      return await buildHere(input, compiler);
    } finally {
      process.cwd = cwd;
    }
  });
  lastBuild = building.catch(() => undefined);
  return building;
}

async function buildHere(
  { path, read, options }: TactInput,
  compiler: TactCompiler,
): Promise<Map<string, Buffer>> {
  const written = new Map<string, Buffer>();
  const { ok, error = [] } = await compiler.build({
    config: { name: 'contract', path, output, mode: 'full', ...(options && { options }) },
    project: {
      root: '/',
      resolve: (...paths) => posix.resolve('/', ...paths),
      exists: (file) => written.has(file) || text(read, file) !== undefined,
      readFile: (file) => written.get(file) ?? Buffer.from(read(onDisk(file))),
      writeFile: (file, content) =>
        written.set(file, typeof content === 'string' ? Buffer.from(content) : content),
    },
    stdlib: '@stdlib',
    logger: quiet,
  });
  if (!ok) {
    const texts = error.map((one) => (one instanceof Error ? one.message : String(one)));
    throw compileError('The Tact compiler', texts[0] ?? '', texts.flatMap(readTactProblem), error[0]);
  }
  return new Map(
    [...written]
      .filter(([file]) => file.startsWith(`${output}/`))
      .map(([file, content]) => [file.slice(output.length + 1), content]),
  );
}

/** On Windows, the drive letter follows the root with which all of the compiler's paths begin. */
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

/**
 * Reads `path:line:column: message`, followed by the surrounding lines with a mark. Paths are relative to the
 * process's folder.
 */
function readTactProblem(text: string): SourceProblem[] {
  const [head = '', ...rest] = text.slice(0, limits.compilerText.most).split('\n');
  // By its first place: what is before it is the path, what follows the message.
  const found = /:\d{1,9}:\d{1,9}: ?/.exec(head);
  const end = found === null ? 0 : found.index + found[0].length;
  const message = head.slice(end);
  const place = readPlace(head.slice(0, end).replace(/: ?$/, ''));
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
