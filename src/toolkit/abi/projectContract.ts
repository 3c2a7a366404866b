import type { GetMethodSignature, SignatureOrigin } from './getMethodSignature';
import type { MessageNames } from '../opcodes/messageNames';

/** What one file of a project says about one contract. */
export interface ProjectContract {
  /** The file's name for it: the contract's name, else the file's. */
  name: string;
  /** Path of the file, as given. */
  file: string;
  /** undefined for build output without an ABI, which only provides a code hash. */
  origin?: SignatureOrigin;
  /** Hash of the code cell, lowercase hex, if the file holds the code. */
  codeHash?: string;
  /** The file, or one that it imports, has changed since this code was compiled; of build output, a file of its source. */
  hasChanged?: boolean;
  /** The source that build output is of, as its project or the build itself says. */
  source?: string;
  /** What the project's own files call the contract of a source. */
  calledBy?: string;
  /** The ids that this code has for types in unions, by the types' texts. */
  typeIds?: Readonly<Record<string, number>>;
  methods: readonly GetMethodSignature[];
  /** The contract's own exit codes with their names. */
  errors: ReadonlyMap<number, string>;
  /** Names of messages in its source. */
  messages?: MessageNames;
  /**
   * The texts that describe the layout of its structs in cells: the ABI, or the source and its imports. FunC
   * describes them only in TL-B comments; undefined if there are none.
   */
  layoutTexts?: readonly string[];
  /** The sources that it imports, directly or not. */
  imports?: readonly string[];
  /** The project's files of TL-B for it; only of FunC. */
  schemas?: readonly string[];
}

/** A contract of which the code's hash is known, from build output or a compiled source, if it has code. */
export function builtContract(name: string, file: string, codeHash: string | undefined): ProjectContract {
  return { name, file, ...(codeHash === undefined ? {} : { codeHash }), methods: [], errors: new Map() };
}

/** Letters and digits only, so that `counter.tolk`, `Counter.compiled.json`, and `JettonMinterContract` match. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/(contract|wrapper)$/, '');
}
