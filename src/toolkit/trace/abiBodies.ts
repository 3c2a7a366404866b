import { Cell } from '@ton/core';
import type { ProjectContract } from '../contracts/abi/projectContract';
import type { ContractDescription } from '../contracts/abi/contractDescription';
import { describeContract } from '../contracts/abi/contractDescription';
import type { V3Message } from '../api/v3Objects';
import type { LayoutSet, StructLayout } from '../contracts/layouts/layoutSet';
import { setsOf } from '../contracts/layouts/layoutSet';
import { readBodyBy } from '../contracts/layouts/fittingLayout';
import type { MessageNames } from '../contracts/opcodes/decodeBody';
import { nameOfBody, nameOfOpcode } from '../contracts/opcodes/decodeBody';
import type { DecodedBody } from '../contracts/opcodes/decodedBody';
import { opcodeNumber } from '../contracts/opcodes/opcodes';
import type { TraceKnowledge } from './traceModel';

/** What is known about contracts with available ABIs. */
export interface AbiSources {
  /** Those of the project's contracts. */
  layouts: readonly LayoutSet[];
  /** Those that the user has named for this trace; any contract may use them. */
  given?: readonly LayoutSet[] | undefined;
  project: readonly ProjectContract[];
  /** Code hash by account, lowercase hex. */
  codes: ReadonlyMap<string, string>;
  /** The user's choice of a project contract for a code. */
  chosen?: ((codeHash: string) => string | undefined) | undefined;
}

/**
 * Decodes bodies with a project's ABIs. Contracts are identified by code hash: the receiver's own ABI decides, then
 * the sender's, which composed the message. If the project does not know the receiver, another contract's struct
 * counts only if no struct of another name fits, and is marked as a guess: `Increase?`.
 */
export function abiBodies({
  layouts,
  given = [],
  project,
  codes,
  chosen,
}: AbiSources): TraceKnowledge['decodeBody'] {
  if (layouts.length + given.length === 0) {
    return undefined;
  }
  const known = new Map<string, ContractDescription>();
  const contractOf = (account: string | null | undefined): ContractDescription | undefined => {
    const codeHash = account == null ? undefined : codes.get(account);
    if (codeHash === undefined) {
      return undefined;
    }
    const found = known.get(codeHash) ?? describeContract({ codeHash }, project, chosen?.(codeHash));
    known.set(codeHash, found);
    return found.name === undefined ? undefined : found;
  };
  const ownOf = (contract: ContractDescription | undefined): LayoutSet[] => {
    const { name, file } = contract ?? {};
    return name === undefined ? [] : setsOf(layouts, { name, file });
  };
  return (message) => {
    const body = message.message_content?.body;
    if (typeof body !== 'string') {
      return undefined;
    }
    // What bounces is a message to the contract that it comes back from.
    const [receiver, sender] = parties(message).map(contractOf);
    const opcode = opcodeNumber(message.opcode);
    const hasOwnName = opcode !== undefined && receiver?.messages.has(opcode) === true;
    return (
      readBodyBy(body, ownOf(receiver), isMessage) ??
      readBodyBy(body, given) ??
      (hasOwnName ? undefined : readBodyBy(body, ownOf(sender))) ??
      (receiver === undefined ? guess(body, layouts) : undefined)
    );
  };
}

/** What the receiver's code reads from bodies, it tells apart also by short prefixes. */
function isMessage(layout: StructLayout): boolean {
  return layout.isMessage;
}

/** The receiver of a message's body and its sender. */
function parties({ source, destination, bounced }: V3Message): [receiver?: string, sender?: string] {
  const ends: [string?, string?] = [destination ?? undefined, source ?? undefined];
  return bounced === true ? [ends[1], ends[0]] : ends;
}

function guess(body: string, layouts: readonly LayoutSet[]): DecodedBody | undefined {
  const fitting = layouts.flatMap((set) => readBodyBy(body, [set]) ?? []);
  const [first] = fitting;
  return first === undefined || fitting.some(({ name }) => name !== first.name)
    ? undefined
    : { ...first, name: `${first.name}?`, source: `perhaps ${first.source}` };
}

/** What is known about contracts with available sources. */
interface SourceNames {
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
