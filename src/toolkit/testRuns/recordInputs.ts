import { Address, Cell, Dictionary, loadShardAccount } from '@ton/core';
import { loadAnyMessage, loadAnyTransaction, loadFolded } from '../cell/loadFolded';
import { readBoc } from '../cell/readBoc';
import { WorkbenchError } from '../base/errors';
import { limits, overLimitError } from '../base/limits';
import type { PreviousBlocks, ReplayInputs } from '../replay/replayInputs';
import { replayImpossibleError } from '../replay/replayErrors';
import { checkReplayInputs } from '../replay/replayFile';
import type { ExecutionLine, RecordedBlock, RecordedBlocks } from './recordLines';
import type { TestRecord, TestRecording } from './testRecording';
import { invalidError } from './testRecording';

/**
 * What a recorded transaction depended on, in the form of every other replay.
 *
 * @throws WorkbenchError `replay-impossible` (failed), `test-recording-invalid` (input), `over-limit`
 */
export function recordInputs(recording: TestRecording, record: ExecutionLine): ReplayInputs {
  const { transaction, seed, ignoreSignatures } = record;
  if (transaction === undefined || seed === undefined) {
    throw replayImpossibleError(
      transaction === undefined
        ? `There is no transaction: ${record.error ?? 'the engine gave no reason'}.`
        : 'The seed of the engine is unknown, so code that uses random numbers may run otherwise.',
    );
  }
  const inputs: ReplayInputs = {
    network: `a test of ${recording.header.file}`,
    account: recordedAccount(record),
    target: { boc: transaction, seed },
    state: { shardAccount: record.state, fidelity: 'exact' },
    earlier: [],
    config: recording.blob(record.config),
    libraries: librariesOf(recording, record),
    missingLibraries: [],
    isOurs: true,
    ...(record.blocks === undefined ? {} : { previousBlocks: previousBlocksOf(record.blocks) }),
    ...(ignoreSignatures === undefined ? {} : { ignoreSignatures }),
    ...(recording.header.versions.engine === undefined ? {} : { engine: recording.header.versions.engine }),
  };
  checkReplayInputs(inputs);
  return inputs;
}

/**
 * The account that a record ran on: raw.
 * @throws WorkbenchError `test-recording-invalid` (input)
 */
export function recordedAccount(record: TestRecord): string {
  if (record.kind === 'get') {
    return record.address;
  }
  const { transaction, message, state } = record;
  return readPart('account', () => {
    const sent =
      transaction === undefined
        ? message === undefined
          ? undefined
          : loadAnyMessage(checkedCell(message))
        : loadAnyTransaction(checkedCell(transaction)).inMessage;
    const known = sent?.info.dest ?? loadFolded(checkedCell(state), loadShardAccount).account?.addr;
    if (!Address.isAddress(known)) {
      throw new Error('nothing says whose it is');
    }
    return known.toRawString();
  });
}

/** The account's code and data before the run; undefined if it had none. */
export function codeBefore(record: ExecutionLine): { code: Cell; data: Cell } | undefined {
  const { account } = readPart('state', () => loadFolded(checkedCell(record.state), loadShardAccount));
  const state = account?.storage.state;
  return state?.type === 'active' && state.state.code != null
    ? { code: state.state.code, data: state.state.data ?? Cell.EMPTY }
    : undefined;
}

/** Previous blocks as the engine takes them. */
export function previousBlocksOf({ last, key, hundreds }: RecordedBlocks): PreviousBlocks {
  const block = ([workchain, shard, seqno, rootHash, fileHash]: RecordedBlock): PreviousBlocks['key'] => {
    if (workchain !== -1 || BigInt.asIntN(64, BigInt(shard)) !== -(1n << 63n)) {
      throw replayImpossibleError('Its previous blocks are not of the masterchain.');
    }
    return { seqno, rootHash, fileHash };
  };
  return {
    last: last.map(block),
    key: block(key),
    ...(hundreds === undefined ? {} : { hundreds: hundreds.map(block) }),
  };
}

/** The library cells that were given: BoCs in base64. */
export function librariesOf(recording: TestRecording, { libs }: TestRecord): string[] {
  if (libs === undefined) {
    return [];
  }
  return readPart('libraries', () => {
    const cells = loadFolded(checkedCell(recording.blob(libs)), (slice) =>
      slice.loadDictDirect(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell()),
    );
    if (cells.size > limits.dumpLibraries.most) {
      throw overLimitError('dumpLibraries');
    }
    return cells.values().map((cell) => cell.toBoc().toString('base64'));
  });
}

/** A cell of a recording, whose BoC is read completely first. */
export function checkedCell(boc: string): Cell {
  const bytes = Buffer.from(boc, 'base64');
  readBoc(bytes);
  return Cell.fromBoc(bytes)[0] ?? Cell.EMPTY;
}

/** @throws WorkbenchError `test-recording-invalid` (input), `over-limit` */
export function readPart<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (WorkbenchError.is(cause, 'over-limit')) {
      throw cause;
    }
    throw invalidError(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
}
