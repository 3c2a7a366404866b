import { Cell } from '@ton/core';
import { posix } from 'node:path';
import { WorkbenchError } from '../base/errors';
import type { DescribedContract, ProjectDescription, ProjectFolder } from '../project/projectDescription';
import type { Artifact, RecordedSource } from '../project/readArtifact';
import { readArtifact, recordedHash } from '../project/readArtifact';
import { fileName } from '../base/text';

/** A compiled contract, with what deploying it needs. */
export interface BuiltContract {
  /** The name for the contract: letters, digits, _ and -. */
  name: string;
  /** The code cell, a BoC in base64. */
  code: string;
  /** Hash of the code cell, lower-case hex. */
  codeHash: string;
  /** What the build says about the initial data. */
  initial?: InitialData | undefined;
  /** The ids of types in unions, by the types' texts; only of Tolk compiled here ({@link tolkTypeIds}). */
  typeIds?: Readonly<Record<string, number>> | undefined;
  /** What compiled it here, and how: `the project's @ton/tolk-js 1.1.0, as Pool in Pool.compile.ts`. */
  compiledBy?: string | undefined;
  /** In what it may differ from what its project builds, as sentences; only if compiled here. */
  notes?: readonly string[] | undefined;
  /** SHA-256 of each source text it was compiled from, lower-case hex, by path; only if compiled here. */
  texts?: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads what was built of a contract, in any of the forms that {@link readArtifact} knows.
 * @param content the text of the file; of a `.boc` its bytes
 * @param path of the file; names the contract if the content does not
 * @throws WorkbenchError `build-unreadable` (input)
 */
export function readBuiltContract(content: string | Buffer, path: string): BuiltContract {
  const { name = path, code, tact } = readArtifact(contentOf(content, path), path);
  if (code === undefined) {
    throw new WorkbenchError({
      code: 'build-unreadable',
      kind: 'input',
      message: `${fileName(path)} does not contain compiled code.`,
      hint: "Give a source in Tolk, FunC or Tact, Blueprint's build/*.compiled.json, Acton's build/*.json, Tact's *.pkg, a .boc, or a compiler's output with the code as a BoC.",
    });
  }
  return { ...builtFrom(name, code), initial: tactInitialData(tact?.init, tact?.compiler) };
}

/** A .boc is binary, or text. */
function contentOf(content: string | Buffer, path: string): string {
  if (typeof content === 'string') {
    return content;
  }
  return content.toString(/\.boc$/i.test(path) && content[0] === 0xb5 ? 'base64' : 'utf8');
}

/**
 * A contract that was just compiled.
 * @param path the source's path
 * @param code a BoC in base64
 */
export function builtFrom(path: string, code: string): BuiltContract {
  return contractOf(path, Cell.fromBase64(code));
}

function contractOf(nameOrPath: string, code: Cell): BuiltContract {
  return {
    name: contractName(nameOrPath),
    code: code.toBoc().toString('base64'),
    codeHash: code.hash().toString('hex'),
  };
}

/**
 * A contract name, made from a file name or the author's own name for it. The words of a file name are joined as
 * Blueprint joins them: `func_counter.fc` has the contract `FuncCounter`.
 */
export function contractName(text: string): string {
  const word = fileName(text)
    .replace(/(\.compiled|\.source)?\.[a-z]+$/i, '')
    .replaceAll(/[^\w-]+/g, '-')
    .replace(/^[^A-Za-z_]+/, '')
    .slice(0, 60);
  const joined = /[A-Z]/.test(word)
    ? word
    : word.replace(
        /([^_-])[_-]+([a-z\d])/g,
        (_, before: string, after: string) => before + after.toUpperCase(),
      );
  return joined === '' ? 'contract' : joined[0]!.toUpperCase() + joined.slice(1);
}

/** What a build says about a contract's initial data. */
interface InitialData {
  /** Stack text of a cell to start from, with placeholder values. */
  text: string;
  /** The author's names and types of the values, for display: `owner: Address, id: Int as uint32`. */
  parameters: string;
}

interface TactType {
  kind: string;
  type: string;
  optional?: boolean | undefined;
  format?: number | string | undefined;
}

interface TactInit {
  kind: string;
  args: { name: string; type: TactType }[];
  prefix?: { bits: number; value: number } | undefined;
  deployment?: { kind: string; system: string | null } | undefined;
}

/** Bits of an address (addr_std). */
const addressBits = 267;
const coinsBits = 124;

/**
 * The initial data of a Tact package's contract: the system cell (older compilers), the bit that says that
 * init() has not run yet (contracts with init), then the arguments in order. If an argument is not of a plain
 * type, or they do not all fit into one cell, the text stops before it.
 * @param init the package's `init`; undefined for anything else
 * @param compiler the package's `compiler`
 */
function tactInitialData(init: unknown, compiler?: unknown): InitialData | undefined {
  if (!isInit(init)) {
    return undefined;
  }
  const { args, prefix, deployment } = init;
  const before = [
    ...(deployment?.system == null || !hasSystemCell(compiler) ? [] : [`ref ${deployment.system}`]),
    ...(prefix === undefined ? [] : [`u${prefix.bits} ${prefix.value}`]),
  ];
  const fields = args.map(({ type }) => field(type));
  const bits = fields.reduce((sum, one) => sum + (one?.bits ?? 0), prefix?.bits ?? 0);
  const known = fields.filter((one) => one !== undefined);
  const fits = known.length === fields.length && bits <= 1023;
  const values = [...before, ...(fits ? known.map(({ text }) => text) : [])];
  return {
    text: `b(${values.join(', ')})`,
    parameters: args.map(({ name, type }) => `${name}: ${typeName(type)}`).join(', '),
  };
}

/** Packages still name the system cell with the codes of children, but since Tact 1.6 data does not hold it. */
function hasSystemCell(compiler: unknown): boolean {
  const version = (compiler as { version?: unknown } | undefined)?.version;
  const [major = 0, minor = 0] = typeof version === 'string' ? version.split('.').map(Number) : [];
  return major === 1 && minor < 6;
}

function isInit(init: unknown): init is TactInit {
  const { args } = (init ?? {}) as Partial<TactInit>;
  return (
    Array.isArray(args) && args.every((one) => typeof one?.name === 'string' && one.type?.kind !== undefined)
  );
}

/** One argument with a placeholder value; undefined if it cannot be written inline. */
function field({ kind, type, optional, format }: TactType): { text: string; bits: number } | undefined {
  if (kind !== 'simple') {
    return undefined;
  }
  if (type === 'address') {
    return { text: optional === true ? 'addr none' : 'addr @alice', bits: addressBits };
  }
  if (optional === true) {
    return { text: 'u1 0', bits: 1 };
  }
  switch (type) {
    case 'int':
    case 'uint': {
      if (format === 'coins') {
        return { text: 'coins 0', bits: coinsBits };
      }
      const bits = typeof format === 'number' ? format : format === undefined ? 257 : undefined;
      return bits === undefined ? undefined : { text: `${type === 'int' ? 'i' : 'u'}${bits} 0`, bits };
    }
    case 'bool':
      return { text: 'u1 0', bits: 1 };
    case 'cell':
      return { text: 'ref b()', bits: 0 };
    default:
      return undefined;
  }
}

function typeName({ kind, type, optional, format }: TactType): string {
  const plain = kind === 'simple' ? type : kind;
  return `${plain}${format === undefined ? '' : ` as ${format}`}${optional === true ? '?' : ''}`;
}

/**
 * The code that a project has built from a source, if the build is proven to be of its current text: Acton's
 * `NAME.source.json` records the hash of each file. Times prove nothing: in a fresh clone they are all alike.
 *
 * @param path of the source
 */
export function provenBuild(
  path: string,
  project: ProjectDescription,
  read: ProjectFolder['read'],
): BuiltContract | undefined {
  for (const artifact of artifactsOf(path, project)) {
    const built = artifactAt(artifact, read);
    if (built?.code !== undefined && isCurrent(built, path, project.root, read)) {
      const by = built.compiler === undefined ? '' : `Acton's ${built.compiler}, `;
      return {
        ...builtFrom(path, built.code),
        compiledBy: `${by}built before (${posix.relative(project.root, artifact)})`,
      };
    }
  }
  return undefined;
}

/** What a user can do with a build that is not proven to be current, in sentences; none if there is no build. */
export function builtBefore(
  path: string,
  project: ProjectDescription,
  read: ProjectFolder['read'],
): string[] {
  const found = artifactsOf(path, project).find((artifact) => artifactAt(artifact, read)?.code !== undefined);
  return found === undefined
    ? []
    : [`Or give ${posix.relative(project.root, found)}, if you know that it was built from this text.`];
}

function artifactsOf(path: string, { contracts }: ProjectDescription): readonly string[] {
  const own = ({ targets }: DescribedContract): boolean => targets.at(-1) === path;
  return contracts.filter(own).flatMap(({ artifacts }) => artifacts);
}

/** What is built, in a file of JSON; undefined if it cannot be read. */
function artifactAt(path: string, read: ProjectFolder['read']): Artifact | undefined {
  const text = path.endsWith('.json') ? textOf(path, read) : undefined;
  try {
    return text === undefined ? undefined : readArtifact(text, path);
  } catch (error) {
    if (WorkbenchError.is(error)) {
      return undefined;
    }
    throw error;
  }
}

function isCurrent({ sources }: Artifact, path: string, root: string, read: ProjectFolder['read']): boolean {
  const files = sources.map((one) => ({ ...one, path: posix.resolve(root, one.path) }));
  const isSame = ({ path: file, hash }: RecordedSource): boolean => {
    const text = textOf(file, read);
    return text !== undefined && recordedHash(text) === hash;
  };
  return files.some((one) => one.path === path) && files.every(isSame);
}

function textOf(path: string, read: ProjectFolder['read']): string | undefined {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}
