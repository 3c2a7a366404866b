import { Cell } from '@ton/core';
import type { Transaction } from '@ton/core';
import { writeLibraries } from '../accounts/writeLibraries';
import { loadAnyTransaction } from '../cell/loadAnyTransaction';
import type { Emulator, ExecutedOutcome, TransactionOutcome, Verbosity } from '../emulator/emulator';
import { importNetworkConfig } from '../emulator/networkConfig';
import type { NetworkConfig } from '../emulator/networkConfig';
import { abortedError } from '../errors';
import { compareReplay } from './compareReplay';
import type { ReplayComparison } from './compareReplay';
import { editAccount, editConfig, editMessage } from './editReplay';
import type { ReplayEdits } from './editReplay';
import { pastMessage } from './pastMessage';
import { previousBlocksBoc } from './previousBlocks';
import { replayImpossibleError, replayRefusedError } from './replayErrors';
import type { PastTransaction, ReplayInputs } from './replayInputs';

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
