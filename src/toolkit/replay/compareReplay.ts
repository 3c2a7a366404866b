import type { Cell, Transaction } from '@ton/core';
import { loadAnyTransaction } from '../cell/loadAnyTransaction';
import { computePhaseOf, vmPhaseOf } from './vmPhaseOf';

/**
 * How well a replay reproduces a transaction:
 * `exact` (identical, byte for byte), `exact-state` (the account ends in the same state), `same-computation` (same exit
 * code, gas, and actions; fees differ), `diverged`.
 */
export type ReplayVerdict = 'exact' | 'exact-state' | 'same-computation' | 'diverged';

/** A field that differs between the transaction and its replay. */
export interface ReplayDifference {
  /** Such as `exit code`. */
  field: string;
  /** Undefined if there is no such field. */
  original: string | undefined;
  replayed: string | undefined;
}

/** The verdict, and what differs: in the order of execution, so that the first one is the nearest to the cause. */
export interface ReplayComparison {
  verdict: ReplayVerdict;
  differences: ReplayDifference[];
}

/**
 * Compares a transaction with its replay.
 *
 * @throws Error if either cell is not a transaction
 */
export function compareReplay(original: Cell, replayed: Cell): ReplayComparison {
  if (original.hash().equals(replayed.hash())) {
    return { verdict: 'exact', differences: [] };
  }
  const [before, after] = [loadAnyTransaction(original), loadAnyTransaction(replayed)];
  const computation = differencesOf(computationOf(before), computationOf(after));
  const differences = [...computation, ...differencesOf(restOf(before), restOf(after))];
  const isSameState = before.stateUpdate.newHash.equals(after.stateUpdate.newHash);
  return {
    verdict: isSameState ? 'exact-state' : computation.length === 0 ? 'same-computation' : 'diverged',
    differences,
  };
}

type Fields = ReadonlyMap<string, string>;

function differencesOf(original: Fields, replayed: Fields): ReplayDifference[] {
  return [...new Set([...original.keys(), ...replayed.keys()])]
    .map((field) => ({ field, original: original.get(field), replayed: replayed.get(field) }))
    .filter(({ original: one, replayed: other }) => one !== other);
}

/** What the code did. */
function computationOf({ description }: Transaction): Fields {
  const fields = new Map<string, string>();
  const compute = computePhaseOf({ description });
  if (compute === undefined) {
    return fields;
  }
  if (compute.type === 'skipped') {
    fields.set('code not run', compute.reason);
    return fields;
  }
  fields.set('exit code', String(compute.exitCode));
  fields.set('VM steps', String(compute.vmSteps));
  fields.set('gas used', String(compute.gasUsed));
  const action = 'actionPhase' in description ? description.actionPhase : undefined;
  if (action != null) {
    fields.set('result code of the actions', String(action.resultCode));
    fields.set('number of actions', String(action.totalActions));
    fields.set('actions', action.actionListHash.toString(16).padStart(64, '0'));
  }
  return fields;
}

/** Everything else: fees, messages, and the state. */
function restOf(transaction: Transaction): Fields {
  const { description, outMessages, totalFees, stateUpdate } = transaction;
  const fields = new Map<string, string>([
    ['logical time', String(transaction.lt)],
    ['previous transaction', transaction.prevTransactionHash.toString(16).padStart(64, '0')],
    ['kind', description.type],
  ]);
  if ('storagePhase' in description) {
    fields.set('storage fee', String(description.storagePhase?.storageFeesCollected));
    fields.set('storage due', String(description.storagePhase?.storageFeesDue ?? 0n));
  }
  const vm = vmPhaseOf(transaction);
  if (vm !== undefined) {
    fields.set('gas fee', String(vm.gasFees));
    fields.set('gas limit', String(vm.gasLimit));
  }
  if ('actionPhase' in description && description.actionPhase != null) {
    fields.set('forward fees', String(description.actionPhase.totalFwdFees ?? 0n));
    fields.set('action fees', String(description.actionPhase.totalActionFees ?? 0n));
  }
  fields.set('total fees', String(totalFees.coins));
  fields.set('messages sent', String(outMessages.size));
  for (const [index, { info, body }] of outMessages) {
    const name = `message ${index + 1}`;
    fields.set(`${name}: to`, info.dest?.toString() ?? 'nobody');
    if (info.type === 'internal') {
      fields.set(`${name}: value`, String(info.value.coins));
    }
    fields.set(`${name}: body`, body.hash().toString('hex'));
  }
  fields.set('account before', stateUpdate.oldHash.toString('hex'));
  fields.set('account afterward', stateUpdate.newHash.toString('hex'));
  fields.set('status afterward', transaction.endStatus);
  return fields;
}
