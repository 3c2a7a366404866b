import { describeContract } from '../abi/describeContract';
import type { ProjectContract } from '../abi/projectContract';
import { parties } from './abiBodies';
import type { TraceKnowledge } from './traceKnowledge';
import type { MessageNames } from '../opcodes/messageNames';
import { nameOfBody, nameOfOpcode } from '../opcodes/messageNames';
import { Cell } from '@ton/core';
import type { V3Message } from '../api/v3Objects';

/** What is known about contracts with available sources. */
export interface SourceNames {
  project: readonly ProjectContract[];
  /** Code hash by account, lowercase hex. */
  codes: ReadonlyMap<string, string>;
  /** The user's choice of a project contract for a code. */
  chosen?: ((codeHash: string) => string | undefined) | undefined;
}

/**
 * Names of messages from a project's sources, matched to receiver and sender by the hash of their code. Short prefixes
 * only count in the receiver's, who reads the body.
 */
export function sourceNames({ project, codes, chosen }: SourceNames): TraceKnowledge['messageName'] {
  const known = new Map<string, MessageNames>();
  return (opcode, message) => {
    for (const [index, account] of parties(message).entries()) {
      const codeHash = account === undefined ? undefined : codes.get(account);
      if (codeHash === undefined) {
        continue;
      }
      const messages =
        known.get(codeHash) ?? describeContract({ codeHash }, project, chosen?.(codeHash)).messages;
      known.set(codeHash, messages);
      const body = index === 0 && opcode === undefined ? bodyOf(message) : undefined;
      const name =
        body !== undefined
          ? nameOfBody(messages, body)
          : opcode === undefined
            ? undefined
            : index === 0
              ? nameOfOpcode(messages, opcode)
              : messages.get(opcode);
      if (name !== undefined) {
        return name;
      }
    }
    return undefined;
  };
}

/** A body that is shorter than an opcode. */
function bodyOf({ message_content: content }: V3Message): Cell | undefined {
  try {
    return typeof content?.body === 'string' ? Cell.fromBase64(content.body) : undefined;
  } catch {
    return undefined;
  }
}
