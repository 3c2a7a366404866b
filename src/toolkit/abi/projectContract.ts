import type { GetMethodSignature, SignatureOrigin } from './getMethodSignature';

/** What one file of a project tells of one contract. */
export interface ProjectContract {
  /** As the file calls it: the contract's name, else the file's. */
  name: string;
  /** Path of the file, as it was given. */
  file: string;
  /** undefined for build output without an ABI, which tells a code hash only. */
  origin?: SignatureOrigin;
  /** Hash of the code cell, lower-case hex, where the file holds the code. */
  codeHash?: string;
  methods: readonly GetMethodSignature[];
  /** The contract's own exit codes with their names. */
  errors: ReadonlyMap<number, string>;
  /** What its source calls messages, by their opcode. */
  messages?: ReadonlyMap<number, string>;
  /** What tells how its structs lie in cells: the ABI, or the Tolk source and the texts that it imports. */
  layoutTexts?: readonly string[];
}

/** Letters and digits only: `counter.tolk`, `Counter.compiled.json` and `JettonMinterContract` meet by their names. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/(contract|wrapper)$/, '');
}
