import { builtContract } from '../abi/projectContract';
import type { ProjectContract } from '../abi/projectContract';

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
  /** The version of TON Workbench whose own compiler made it; undefined for the project's compiler. */
  by?: string | undefined;
}

/** What a project knows by the codes compiled from it. */
export function compiledContract(
  { name, file, codeHash, texts = {} }: CompiledCode,
  hashes: ReadonlyMap<string, string>,
): ProjectContract {
  return {
    ...builtContract(name, file, codeHash),
    ...(isCurrent(texts, hashes) ? {} : { hasChanged: true }),
  };
}

/**
 * Whether none of the texts has changed; a text that is not known counts as unchanged.
 * @param hashes of the current texts, by file
 */
function isCurrent(texts: Readonly<Record<string, string>>, hashes: ReadonlyMap<string, string>): boolean {
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
