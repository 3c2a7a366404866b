import { plainName } from '../abi/projectContract';
import type { LayoutSet, StructLayout } from './cellLayout';

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

/** The messages of a contract, by the contract's name. */
export function messagesOfContract(sets: readonly LayoutSet[], contract: string): Message[] {
  return messagesOf(sets).filter(
    ({ set }) => set.contract !== undefined && plainName(set.contract) === plainName(contract),
  );
}

/** How a line to `receiver` names the message: with its contract only if the name alone is ambiguous. */
export function messageWord(sets: readonly LayoutSet[], { set, layout }: Message, receiver: string): string {
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
 * Finds a message by name; if several contracts have one, that of the contract called `receiver`.
 * `Vault.AddGuardian` names the contract as well.
 * @returns the names to choose from if several contracts have such a message and none is the receiver
 */
export function messageNamed(
  sets: readonly LayoutSet[],
  name: string,
  receiver: string,
): Message | { ambiguous: string[] } | undefined {
  const dot = name.indexOf('.');
  const contract = plainName(dot < 0 ? receiver : name.slice(0, dot));
  const found = messagesOf(sets).filter(({ layout }) => layout.name === name.slice(dot + 1));
  const own = found.find(({ set }) => set.contract !== undefined && plainName(set.contract) === contract);
  if (own !== undefined || dot >= 0) {
    return own;
  }
  const ambiguous = [
    ...new Set(found.map(({ set, layout }) => `${set.contract ?? set.origin}.${layout.name}`)),
  ];
  return ambiguous.length > 1 ? { ambiguous } : found[0];
}
