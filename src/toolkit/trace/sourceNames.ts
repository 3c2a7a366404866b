import { describeContract } from '../abi/describeContract';
import type { ProjectContract } from '../abi/projectContract';
import { parties } from './abiBodies';
import type { TraceKnowledge } from './traceKnowledge';

/** What is known about contracts with available sources. */
export interface SourceNames {
  project: readonly ProjectContract[];
  /** Code hash by account, lowercase hex. */
  codes: ReadonlyMap<string, string>;
  /** The user's choice of a project contract for a code. */
  chosen?: ((codeHash: string) => string | undefined) | undefined;
}

/** Opcode names from a project's sources, matched to receiver and sender by the hash of their code. */
export function sourceNames({ project, codes, chosen }: SourceNames): TraceKnowledge['messageName'] {
  const known = new Map<string, ReadonlyMap<number, string>>();
  return (opcode, message) => {
    for (const account of parties(message)) {
      const codeHash = account === undefined ? undefined : codes.get(account);
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
