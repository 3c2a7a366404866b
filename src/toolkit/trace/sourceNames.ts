import { describeContract } from '../abi/describeContract';
import type { ProjectContract } from '../abi/projectContract';
import type { TraceKnowledge } from './traceKnowledge';

/** What is known of the contracts whose sources are at hand. */
export interface SourceNames {
  project: readonly ProjectContract[];
  /** Hash of the code cell by account, lower-case hex. */
  codes: ReadonlyMap<string, string>;
  /** The contract of the project that the user said a code is. */
  chosen?: ((codeHash: string) => string | undefined) | undefined;
}

/** Names of opcodes by the sources of a project, as far as the hash of a party's code tells which source is its own. */
export function sourceNames({ project, codes, chosen }: SourceNames): TraceKnowledge['messageName'] {
  const known = new Map<string, ReadonlyMap<number, string>>();
  return (opcode, parties) => {
    for (const account of parties) {
      const codeHash = codes.get(account);
      if (codeHash === undefined) {
        continue;
      }
      const messages =
        known.get(codeHash) ?? describeContract({ codeHash }, project, chosen?.(codeHash)).messages;
      known.set(codeHash, messages);
      const name = messages.get(opcode);
      if (name !== undefined) {
        return name;
      }
    }
    return undefined;
  };
}
