import { builtContract, plainName } from '../contracts/abi/projectContract';
import type { ProjectContract } from '../contracts/abi/projectContract';
import type { TextHashes } from './textHashes';

/** A code and the source it was compiled from. */
export interface CompiledCode {
  /** Hash of the code cell, lower-case hex. */
  codeHash: string;
  /** Path relative to the project. */
  file: string;
  /** The contract's name. */
  name: string;
  /** Hashes of the source texts it was compiled from, by file ({@link textHash}). */
  texts?: Readonly<Record<string, string>> | undefined;
  /**
   * The names in those texts: exit codes and opcodes as decimal text. They stay true when the source is edited;
   * undefined if the texts were not read when they were compiled.
   */
  names?: SourceNumbers | undefined;
  /** The ids of types in unions, by the types' texts. */
  typeIds?: Readonly<Record<string, number>> | undefined;
  /** The version of TON Workbench whose own compiler made it; undefined for the project's compiler. */
  by?: string | undefined;
}

/** Names of a contract's numbers in its source. */
export interface SourceNumbers {
  errors: Readonly<Record<string, string>>;
  messages: Readonly<Record<string, string>>;
}

/**
 * The names in the source of a contract that was just compiled.
 *
 * @param project what was read from the project's files
 * @param hashes of the texts it was read from, by file
 * @returns undefined if another text was read than the one that was compiled
 */
export function sourceNumbers(
  { name, file, texts = {} }: CompiledCode,
  project: readonly ProjectContract[],
  hashes: Pick<TextHashes, 'get'>,
): SourceNumbers | undefined {
  const source = project.find((one) => one.file === file && plainName(one.name) === plainName(name));
  if (source === undefined || !Object.entries(texts).every(([text, hash]) => hashes.get(text) === hash)) {
    return undefined;
  }
  return { errors: Object.fromEntries(source.errors), messages: Object.fromEntries(source.messages ?? []) };
}

/** What a project knows by the codes compiled from it. */
export function compiledContract(
  { name, file, codeHash, texts = {}, names, typeIds }: CompiledCode,
  hashes: Pick<TextHashes, 'get'>,
): ProjectContract {
  const built = { ...builtContract(name, file, codeHash), ...(typeIds === undefined ? {} : { typeIds }) };
  if (isCurrent(texts, hashes)) {
    return built;
  }
  return {
    ...built,
    hasChanged: true,
    errors: byNumber(names?.errors),
    messages: byNumber(names?.messages),
  };
}

function byNumber(names: Readonly<Record<string, string>> = {}): ReadonlyMap<number, string> {
  return new Map(Object.entries(names).map(([number, name]) => [Number(number), name]));
}

/**
 * Whether none of the texts has changed; a text that is not known counts as unchanged.
 * @param hashes of the current texts, by file
 */
function isCurrent(texts: Readonly<Record<string, string>>, hashes: Pick<TextHashes, 'get'>): boolean {
  return Object.entries(texts).every(([file, hash]) => (hashes.get(file) ?? hash) === hash);
}

/** Both lists, the newest last and each code once; the oldest beyond `most` are dropped. */
export function withCompiled(
  known: readonly CompiledCode[],
  compiled: readonly CompiledCode[],
  most: number,
): CompiledCode[] {
  const hashes = new Set(compiled.map(({ codeHash }) => codeHash));
  return [...known.filter(({ codeHash }) => !hashes.has(codeHash)), ...compiled].slice(-most);
}
