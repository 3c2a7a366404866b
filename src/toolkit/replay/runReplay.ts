import type { Message, Transaction } from '@ton/core';
import { Address, Cell } from '@ton/core';
import { writeLibraries } from '../accounts/libraryShelf';
import { loadAnyTransaction } from '../cell/loadFolded';
import type {
  Emulator,
  ExecutedOutcome,
  TransactionOutcome,
  Verbosity,
} from '../execution/emulator/emulator';
import type { NetworkConfig } from '../execution/emulator/networkConfig';
import { importNetworkConfig } from '../execution/emulator/networkConfig';
import { recordTransaction } from '../execution/emulator/recordTransaction';
import { abortedError } from '../base/errors';
import type { Recording } from '../recording/recording';
import type { ReplayEdits } from './replayEdits';
import { editAccount, editConfig, editMessage } from './replayEdits';
import type { PastTransaction, ReplayInputs } from './replayInputs';
import { previousBlocksBoc } from './replayInputs';
import {
  actionPhaseOf,
  computePhaseOf,
  pastMessage,
  replayImpossibleError,
  replayRefusedError,
  vmPhaseOf,
} from './replayErrors';

/** How a replay runs. */
export interface RunReplayOptions {
  /** How much of the VM's work the outcome's log holds; default `short`. */
  verbosity?: Verbosity | undefined;
  /** An emulator in a thread of its own reads the steps there; see `TransactionSurroundings.record`. */
  record?: boolean | undefined;
  /** Changes to the transaction itself; those before it run as they were. */
  edits?: ReplayEdits | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * A transaction that was run again. With edits, the comparison shows what they change, and the verdict says nothing
 * about the replay.
 */
export interface Replay extends ReplayComparison {
  original: Transaction;
  replayed: Transaction;
  outcome: ExecutedOutcome;
  /** The account right before it, with its edits: ShardAccount, BoC in base64. */
  stateBefore: string;
  /** The configuration that it ran on, with its edits. */
  config: NetworkConfig;
  /** Hash (lowercase hex) of the first earlier transaction whose replay is not identical. */
  divergedBefore: string | undefined;
}

/**
 * Runs the account's earlier transactions, then the transaction itself, and compares it with the chain's.
 *
 * @throws WorkbenchError `replay-impossible`, `aborted` between two transactions
 */
export async function runReplay(
  inputs: ReplayInputs,
  emulator: Pick<Emulator, 'runTransaction' | 'runTickTock'>,
  { verbosity, record = false, edits = {}, signal }: RunReplayOptions = {},
): Promise<Replay> {
  const origin = inputs.seqno === undefined ? inputs.network : `block ${inputs.seqno} of ${inputs.network}`;
  const config = importNetworkConfig(inputs.config, origin);
  const libraries = writeLibraries(inputs.libraries.map((boc) => Cell.fromBase64(boc)));
  const previousBlocks = inputs.previousBlocks && previousBlocksBoc(inputs.previousBlocks);
  const { ignoreSignatures } = inputs;
  const rules = { config: config.base64, libraries, previousBlocks, ignoreSignatures };
  let shardAccount = inputs.state.shardAccount;
  let divergedBefore: string | undefined;
  for (const past of inputs.earlier) {
    if (signal?.aborted === true) {
      throw abortedError(signal.reason);
    }
    const outcome = executed(await execute(emulator, past, { ...rules, shardAccount }));
    shardAccount = outcome.shardAccount;
    const hash = Cell.fromBase64(past.boc).hash();
    if (divergedBefore === undefined && !Cell.fromBase64(outcome.transaction).hash().equals(hash)) {
      divergedBefore = hash.toString('hex');
    }
  }
  const stateBefore = editAccount(shardAccount, edits);
  const editedConfig = editConfig(config, edits);
  const edited = {
    ...rules,
    config: editedConfig.base64,
    shardAccount: stateBefore,
    verbosity,
    record,
  };
  const outcome = executed(
    await execute(emulator, inputs.target, edited, edits),
    Object.keys(edits).length > 0,
  );
  const [original, replayed] = [Cell.fromBase64(inputs.target.boc), Cell.fromBase64(outcome.transaction)];
  return {
    ...compareReplay(original, replayed),
    original: loadAnyTransaction(original),
    replayed: loadAnyTransaction(replayed),
    outcome,
    stateBefore,
    config: editedConfig,
    divergedBefore,
  };
}

interface Surroundings {
  config: string;
  libraries: string | null;
  previousBlocks: string | undefined;
  ignoreSignatures: boolean | undefined;
  shardAccount: string;
  verbosity?: Verbosity | undefined;
  record?: boolean;
}

function execute(
  emulator: Pick<Emulator, 'runTransaction' | 'runTickTock'>,
  { boc, seed }: PastTransaction,
  { verbosity = 'short', ...surroundings }: Surroundings,
  edits: ReplayEdits = {},
): Promise<TransactionOutcome> {
  const ignoreSignatures = edits.ignoreSignatures ?? surroundings.ignoreSignatures ?? false;
  const cell = Cell.fromBase64(boc);
  const { now, lt, description } = loadAnyTransaction(cell);
  const input = {
    ...surroundings,
    verbosity,
    now: edits.now ?? now,
    lt,
    seed: Buffer.from(seed, 'hex'),
    ignoreSignatures,
  };
  if (description.type === 'tick-tock') {
    return emulator.runTickTock({ ...input, which: description.isTock ? 'tock' : 'tick' });
  }
  const message = pastMessage(cell);
  if (description.type !== 'generic' || message === undefined) {
    throw replayImpossibleError(
      `The transaction ${cell.hash().toString('hex')} is of the kind ${description.type}, which runs no code.`,
      'Replays are of transactions that a message or a tick or tock caused.',
    );
  }
  return emulator.runTransaction({
    ...input,
    message: editMessage(message, edits).toBoc().toString('base64'),
  });
}

/** A transaction that is in a block was accepted: if the emulator refuses it, something it needs is missing or newer. */
function executed(outcome: TransactionOutcome, isEdited = false): ExecutedOutcome {
  if (outcome.success) {
    return outcome;
  }
  if (isEdited && outcome.engineFailed !== true) {
    throw replayRefusedError(outcome);
  }
  const exit = outcome.vm === undefined ? '' : ` (exit code ${outcome.vm.exitCode})`;
  throw replayImpossibleError(
    `The emulator does not accept what the network accepted: ${outcome.error}${exit}.`,
    'The network may run a newer TVM, or the state that the service gave may be another one.',
  );
}

/**
 * How well a replay reproduces a transaction:
 * `exact` (identical, byte for byte), `exact-state` (the account ends in the same state), `same-computation` (same exit
 * code, gas, and actions; fees differ), `diverged`.
 */
export type ReplayVerdict = 'exact' | 'exact-state' | 'same-computation' | 'diverged';

/** What the text of a field is: digits, nanocoins, an exit code of the compute phase, 64 hex digits, an address, or words. */
export type FieldKind = 'number' | 'coins' | 'exit code' | 'hash' | 'address' | 'words';

/** A field that differs between the transaction and its replay. */
export interface ReplayDifference {
  /** Such as `exit code`. */
  field: string;
  kind: FieldKind;
  /** Undefined if there is no such field. */
  original: string | undefined;
  replayed: string | undefined;
}

/** The verdict, and what differs: in the order of execution, so that the first one is the nearest to the cause. */
interface ReplayComparison {
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
  const computation = computationOf(before).differencesTo(computationOf(after));
  const differences = [
    ...computation,
    ...restOf(before).differencesTo(restOf(after, namesLike(before, after))),
  ];
  const isSameState = before.stateUpdate.newHash.equals(after.stateUpdate.newHash);
  return {
    verdict: isSameState ? 'exact-state' : computation.length === 0 ? 'same-computation' : 'diverged',
    differences,
  };
}

/** The fields of a transaction, in order. */
class Fields {
  readonly #fields = new Map<string, { kind: FieldKind; text: string }>();

  set(field: string, kind: FieldKind, value: unknown): void {
    this.#fields.set(field, { kind, text: String(value) });
  }

  differencesTo(replayed: Fields): ReplayDifference[] {
    const fields = new Map([...this.#fields, ...replayed.#fields]);
    return [...fields].flatMap(([field, { kind }]) => {
      const [one, other] = [this.#fields.get(field)?.text, replayed.#fields.get(field)?.text];
      return one === other ? [] : [{ field, kind, original: one, replayed: other }];
    });
  }
}

/** What the code did. */
function computationOf({ description }: Transaction): Fields {
  const fields = new Fields();
  const compute = computePhaseOf({ description });
  if (compute === undefined) {
    return fields;
  }
  if (compute.type === 'skipped') {
    fields.set('code not run', 'words', compute.reason);
    return fields;
  }
  fields.set('exit code', 'exit code', compute.exitCode);
  fields.set('VM steps', 'number', compute.vmSteps);
  fields.set('gas used', 'number', compute.gasUsed);
  const action = actionPhaseOf({ description });
  if (action !== undefined) {
    fields.set('result code of the actions', 'number', action.resultCode);
    fields.set('number of actions', 'number', action.totalActions);
    fields.set('actions', 'hash', hexOf(action.actionListHash));
  }
  return fields;
}

/** What a message is compared by: its receiver and the first 32 bits of its body. */
function kindOf({ info, body }: Message): string {
  const head = body.isExotic ? '' : body.bits.substring(0, Math.min(32, body.bits.length)).toString();
  return `${String(info.dest)} ${head}`;
}

/**
 * The names of the messages that a replay sent, by index: each has that of the first alike one that the transaction
 * sent and that none before it has; the others are counted behind those.
 */
function namesLike({ outMessages }: Transaction, replayed: Transaction): ReadonlyMap<number, string> {
  const left = new Map([...outMessages].map(([index, message]) => [index, kindOf(message)]));
  let count = outMessages.size;
  return new Map(
    [...replayed.outMessages].map(([index, message]) => {
      const [found] = [...left].find(([, kind]) => kind === kindOf(message)) ?? [];
      if (found !== undefined) {
        left.delete(found);
        return [index, messageName(found)];
      }
      count += 1;
      return [index, messageName(count - 1)];
    }),
  );
}

function messageName(index: number): string {
  return `message ${index + 1}`;
}

/**
 * Everything else: fees, messages, and the state.
 * @param names of the messages, by index
 */
function restOf(transaction: Transaction, names?: ReadonlyMap<number, string>): Fields {
  const { description, outMessages, totalFees, stateUpdate } = transaction;
  const fields = new Fields();
  fields.set('logical time', 'number', transaction.lt);
  fields.set('previous transaction', 'hash', hexOf(transaction.prevTransactionHash));
  fields.set('kind', 'words', description.type);
  if ('storagePhase' in description) {
    fields.set('storage fee', 'coins', description.storagePhase?.storageFeesCollected ?? 0n);
    fields.set('storage due', 'coins', description.storagePhase?.storageFeesDue ?? 0n);
  }
  const compute = vmPhaseOf(transaction);
  if (compute !== undefined) {
    fields.set('gas fee', 'coins', compute.gasFees);
    fields.set('gas limit', 'number', compute.gasLimit);
  }
  const action = actionPhaseOf(transaction);
  if (action !== undefined) {
    fields.set('forward fees', 'coins', action.totalFwdFees ?? 0n);
    fields.set('action fees', 'coins', action.totalActionFees ?? 0n);
  }
  fields.set('total fees', 'coins', totalFees.coins);
  fields.set('messages sent', 'number', outMessages.size);
  for (const [index, { info, body }] of outMessages) {
    const name = names?.get(index) ?? messageName(index);
    const { dest } = info;
    if (Address.isAddress(dest)) {
      fields.set(`${name}: to`, 'address', dest);
    } else {
      fields.set(`${name}: to`, 'words', dest ?? 'nobody');
    }
    if (info.type === 'internal') {
      fields.set(`${name}: value`, 'coins', info.value.coins);
    }
    fields.set(`${name}: body`, 'hash', body.hash().toString('hex'));
  }
  fields.set('account before', 'hash', stateUpdate.oldHash.toString('hex'));
  fields.set('account afterward', 'hash', stateUpdate.newHash.toString('hex'));
  fields.set('status afterward', 'words', transaction.endStatus);
  return fields;
}

function hexOf(hash: bigint): string {
  return hash.toString(16).padStart(64, '0');
}

/**
 * The steps of a replay that ran with the verbosity `full_location_stack_verbose`; undefined if no code ran. With
 * `record` they were read in the emulator's thread, if it has one.
 */
export function replayRecording({ outcome }: Replay): Recording | undefined {
  return outcome.recording ?? recordTransaction(outcome.transaction, outcome.vmLog);
}
