import { runTolkCompiler } from '@ton/tolk-js';
import type { AbiType } from '../contracts/abi/abiType';
import { isWideNullable, typeText, withParts } from '../contracts/abi/abiType';
import { readTolkSource } from '../contracts/abi/readTolkSource';
import { limits } from '../base/limits';
import type { Compilation } from '../project/projectDescription';
import { compiledAlone } from '../project/projectDescription';
import type { BuiltContract } from './readBuiltContract';
import { builtFrom } from './readBuiltContract';
import { tolkError } from './compileError';

/** The interface of @ton/tolk-js; older versions lack some of what they are given. */
export interface TolkCompiler {
  runTolkCompiler(config: {
    entrypointFileName: string;
    fsReadCallback: (path: string) => string;
    withSrcLineComments?: boolean;
    withStackComments?: boolean;
    optimizationLevel?: number;
    experimentalOptions?: string;
    /** Since 1.0. */
    pathMappings?: Record<string, string>;
  }): Promise<{ status: 'ok'; codeBoc64: string; fiftCode: string } | { status: 'error'; message: string }>;
}

/**
 * Compiles a Tolk contract; nothing is written. Our compiler is 8 MB, so import this file on demand.
 * @param path the entry file's path, with forward slashes
 * @param read returns a file's text by path, or throws
 * @param compiler the project's own, or ours
 * @param compilation how its project compiles it
 * @throws WorkbenchError `compile-failed` (input) with `details.problems`: SourceProblem[]
 */
export async function compileTolk(
  path: string,
  read: (path: string) => string,
  compiler: TolkCompiler = { runTolkCompiler },
  compilation: Compilation = compiledAlone(path),
): Promise<BuiltContract> {
  const given = tolkInput(compilation);
  const texts = new Map<string, string>();
  const noted = (file: string): string => {
    const text = read(file);
    texts.set(file, text);
    return text;
  };
  const compiled = await compiler.runTolkCompiler({ ...given, fsReadCallback: noted });
  if (compiled.status === 'error') {
    throw tolkError(compiled.message);
  }
  // The compiler reads the entry first.
  const typeIds = await tolkTypeIds([...texts.values()], compiled.fiftCode, async (entry) => {
    const [entryPath] = texts.keys();
    const probed = await compiler.runTolkCompiler({
      ...given,
      fsReadCallback: (file) => (file === entryPath ? entry : read(file)),
    });
    return probed.status === 'ok' ? probed.fiftCode : undefined;
  });
  return { ...builtFrom(path, compiled.codeBoc64), ...(typeIds === undefined ? {} : { typeIds }) };
}

/** What the compiler is given for a contract. */
export function tolkInput({ targets, options, mappings }: Compilation): {
  entrypointFileName: string;
  optimizationLevel?: number;
  experimentalOptions?: string;
  pathMappings?: Record<string, string>;
} {
  const { tact: _tact, ...own } = options;
  return {
    entrypointFileName: targets.at(-1) ?? '',
    ...own,
    ...(Object.keys(mappings).length === 0 ? {} : { pathMappings: { ...mappings } }),
  };
}

/** Compiles the entry file with another text, and gives the assembly. */
type ListTolk = (entry: string) => Promise<string | undefined>;

/** Method ids from here on are not of names. */
const firstId = 0x20000;
/** The patterns in {@link withoutProbes} hold it too. */
const probeName = 'tonWorkbenchTypeId';

/**
 * The ids by which a Tolk program knows the types in its unions and wide nullable types, as far as its get-methods use
 * these. The compiler numbers structs as its code generator meets them, so only compiling says which id each has: this
 * compiles the program once more with a method for each type at its end, and leaves it at that if anything else of the
 * program comes out otherwise.
 *
 * @param texts the entry file's text, then those that it imports
 * @param listing the assembly of the program itself
 * @returns ids by the types' texts; undefined if there are none, or they cannot be told
 */
async function tolkTypeIds(
  [entry = '', ...imported]: readonly string[],
  listing: string,
  list: ListTolk,
): Promise<Record<string, number> | undefined> {
  const asked = [...askedTypes(entry, imported)].slice(0, limits.typeIds.most);
  if (asked.length === 0) {
    return undefined;
  }
  const probes = asked.map(
    ([type, union], place) =>
      `@method_id(${firstId + place})\nfun ${probeName}${place}(value: ${type}): ${union} { return value; }\n`,
  );
  const probed = await list(`${entry}\n${probes.join('')}`);
  const { rest, ids } = withoutProbes(probed ?? '');
  return rest === listing && ids.length === asked.length
    ? Object.fromEntries(asked.map(([type], place) => [type, ids[place] ?? 0]))
    : undefined;
}

/** The types with ids, each with a type of several entries that holds it. */
function askedTypes(entry: string, imported: readonly string[]): Map<string, string> {
  const asked = new Map<string, string>();
  const look = (type: AbiType): AbiType => {
    const text = typeText(type);
    if (type.kind === 'nullable' && isWideNullable(type)) {
      asked.set(typeText(type.inner), text);
    }
    for (const variant of type.kind === 'union' ? type.variants : []) {
      if (variant.kind !== 'null') {
        asked.set(typeText(variant), text);
      }
    }
    return withParts(type, look);
  };
  const texts = [entry, ...imported];
  for (const text of texts) {
    const others = texts.filter((one) => one !== text);
    for (const { parameters, result } of readTolkSource(text, others)) {
      [...parameters.map(({ type }) => type), result].forEach(look);
    }
  }
  return asked;
}

/** The listing without the probes, and the number that each of them pushes last. */
function withoutProbes(listing: string): { rest: string; ids: number[] } {
  const rest: string[] = [];
  const ids: number[] = [];
  let place: number | undefined;
  for (const line of listing.split('\n')) {
    const declared = /^ +\d+ DECLMETHOD tonWorkbenchTypeId\d+\(\)/.test(line);
    const [, begun] = /^  tonWorkbenchTypeId(\d+)\(\) PROC/.exec(line) ?? [];
    place = begun === undefined ? place : Number(begun);
    if (place !== undefined) {
      const [, pushed] = /^ +(\d+) PUSHINT/.exec(line) ?? [];
      ids[place] = pushed === undefined ? (ids[place] ?? 0) : Number(pushed);
    } else if (!declared) {
      rest.push(line);
    }
    place = line === '  }>' ? undefined : place;
  }
  return { rest: rest.join('\n'), ids };
}
