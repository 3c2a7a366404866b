import type { ContractRef } from '../abi/projectContract';
import { plainName } from '../abi/projectContract';
import type { LayoutSet, StructLayout } from './layoutSet';
import { setsOf } from './layoutSet';

/** A message that a contract accepts. */
export interface Message {
  set: LayoutSet;
  layout: StructLayout;
}

function messagesOf(sets: readonly LayoutSet[]): Message[] {
  return sets.flatMap((set) =>
    [...set.structs.values()].filter(({ isMessage }) => isMessage).map((layout) => ({ set, layout })),
  );
}

/** The messages of a contract; of all of this name if the project has several and none is meant by its file. */
export function messagesOfContract(sets: readonly LayoutSet[], contract: string | ContractRef): Message[] {
  const { name, file } = typeof contract === 'string' ? { name: contract } : contract;
  const own = setsOf(sets, { name, file });
  const named = sets.filter(
    (set) => set.contract !== undefined && plainName(set.contract) === plainName(name),
  );
  return messagesOf(own.length > 0 ? own : named);
}

/** How a line to `receiver` names the message: with its contract only if the name alone is ambiguous. */
export function messageWord(
  sets: readonly LayoutSet[],
  { set, layout }: Message,
  receiver: string | ContractRef,
): string {
  const found = messageNamed(sets, layout.name, receiver);
  return found !== undefined && !('ambiguous' in found) && found.layout === layout
    ? layout.name
    : `${set.contract ?? ''}.${layout.name}`;
}

/** The names of all messages that the contracts accept, without duplicates. */
export function messageNames(sets: readonly LayoutSet[]): string[] {
  return [...new Set(messagesOf(sets).map(({ layout }) => layout.name))];
}

/**
 * Finds a message by name; if several contracts have one, that of the receiver: the contract with its code, or one
 * that is called as it is. `Vault.AddGuardian` names the contract as well.
 * @returns the names to choose from if several contracts have such a message and none is the receiver
 */
export function messageNamed(
  sets: readonly LayoutSet[],
  name: string,
  receiver: string | ContractRef,
): Message | { ambiguous: string[] } | undefined {
  const dot = name.indexOf('.');
  const isNamed = ({ layout }: Message): boolean => layout.name === name.slice(dot + 1);
  const known = typeof receiver === 'string' ? { name: receiver, file: undefined } : receiver;
  const contract = dot < 0 ? known.name : name.slice(0, dot);
  // Of several contracts of the name that is written, the receiver is one if its code is known.
  const own = messagesOfContract(sets, { name: contract, file: known.file }).filter(isNamed);
  const isOne = own.every(({ set }) => set.files?.join() === own[0]?.set.files?.join());
  if (own[0] !== undefined && isOne) {
    return own[0];
  }
  if (dot >= 0) {
    return own[0] && { ambiguous: [...new Set(own.map(({ set }) => `${name} of ${set.origin}`))] };
  }
  const found = messagesOf(sets).filter(isNamed);
  const ambiguous = [
    ...new Set(found.map(({ set, layout }) => `${set.contract ?? set.origin}.${layout.name}`)),
  ];
  return ambiguous.length > 1 ? { ambiguous } : found[0];
}
