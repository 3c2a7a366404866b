import type { MessageTarget } from '../../commandTargets';
import type { ContractMethod } from '../../toolkit/abi/describeContract';
import type { PinnedContract } from '../accounts/pinnedContracts';

interface Row {
  pin: PinnedContract;
  /** The workspace contract with its code. */
  contract?: string | undefined;
}

export interface ContractElementRow extends Row {
  kind: 'contract';
  account: { address: string };
}

/** A group of get-methods or of messages; shown only if there are both. */
export interface GroupElementRow extends Row {
  kind: 'group';
  group: 'reads' | 'messages';
}

export interface MethodElementRow extends Row {
  kind: 'method';
  method: ContractMethod;
}

export interface MessageElementRow extends Row {
  kind: 'message';
  target: MessageTarget;
  /** Names of its fields. */
  fields: readonly string[];
}

/** A row of the view "Contracts", as passed to its commands. */
export type ContractElement = ContractElementRow | GroupElementRow | MethodElementRow | MessageElementRow;

/** The key of a pinned contract. */
export function pinKey({ network, address }: PinnedContract): string {
  return `${network} ${address}`;
}

/** The key of a row among all rows of the view. */
export function elementKey(row: ContractElement): string {
  const key = pinKey(row.pin);
  switch (row.kind) {
    case 'contract':
      return key;
    case 'group':
      return `${key} ${row.group}:`;
    case 'method':
      return `${key} ${row.method.name}`;
    case 'message':
      return `${key} message ${row.target.message}`;
  }
}
