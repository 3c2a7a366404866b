import { Cell, parseTuple } from '@ton/core';
import type { DeployedCode } from '../contracts/abi/contractDescription';
import { writeLibraries } from '../accounts/libraryShelf';
import type { Emulator } from '../execution/emulator/emulator';
import { everyStep } from '../execution/emulator/emulator';
import { importNetworkConfig } from '../execution/emulator/networkConfig';
import type { GetMethodRun, RecordedGetMethod } from '../execution/emulator/recordGetMethod';
import { recordGetMethod } from '../execution/emulator/recordGetMethod';
import type { WorkerEmulator } from '../execution/emulator/workerEmulator';
import type { Recording } from '../recording/recording';
import { recordExecution } from '../recording/recordExecution';
import type { ReplayInputs } from '../replay/replayInputs';
import { previousBlocksBoc } from '../replay/replayInputs';
import { replayImpossibleError, vmPhaseOf } from '../replay/replayErrors';
import { checkConfig } from '../replay/replayFile';
import { replayedCode } from '../replay/replayedCode';
import type { FieldKind, Replay, ReplayDifference } from '../replay/runReplay';
import { replayRecording, runReplay } from '../replay/runReplay';
import {
  checkedCell,
  codeBefore,
  librariesOf,
  previousBlocksOf,
  readPart,
  recordInputs,
  recordedAccount,
} from './recordInputs';
import type { ExecutionLine, GetMethodLine } from './recordLines';
import type { TestRecord, TestRecording } from './testRecording';

/** Gas that an external message may use before it is accepted, on the public network and in the sandbox's configurations. */
const gasCredit = 10_000;

/** A record that ran again. */
export interface RanRecord {
  /** Undefined if no code ran. */
  recording: Recording | undefined;
  /** Undefined if no code ran. */
  exitCode: number | undefined;
  /** Undefined if no code ran, or for a message that was not accepted: the sandbox does not say what that used. */
  gasUsed: number | undefined;
  /** Whether all that the test saw came out the same. */
  isExact: boolean;
  /** What did not. */
  differences: readonly ReplayDifference[];
  /** The code that ran. */
  deployed: DeployedCode;
  /** The contract's data before: BoC in base64. */
  data: string;
  /** The account: raw. */
  account: string;
  /** A transaction has inputs and a replay as any other. */
  transaction?: { inputs: ReplayInputs; replay: Replay } | undefined;
}

/** What a record needs of an emulator; a worker's will do. */
export type RecordEmulator = Pick<Emulator, 'runTransaction' | 'runTickTock'> &
  (Pick<Emulator, 'runGetMethod'> | Pick<WorkerEmulator, 'recordGetMethod'>);

/**
 * Runs a record again, with all its steps.
 *
 * @throws WorkbenchError `replay-impossible` (failed), `test-recording-invalid` (input), `over-limit`, `emulator-failed`
 */
export async function runRecord(
  recording: TestRecording,
  record: TestRecord,
  emulator: RecordEmulator,
): Promise<RanRecord> {
  if (record.kind === 'get') {
    return runGetMethod(recording, record, emulator);
  }
  return record.transaction === undefined
    ? runRefused(recording, record, emulator)
    : runTransaction(recording, record, emulator);
}

async function runTransaction(
  recording: TestRecording,
  record: ExecutionLine,
  emulator: RecordEmulator,
): Promise<RanRecord> {
  const inputs = recordInputs(recording, record);
  const replay = await runReplay(inputs, emulator, { verbosity: everyStep, record: true });
  const compute = vmPhaseOf(replay.replayed);
  return {
    recording: replayRecording(replay),
    exitCode: compute?.exitCode,
    gasUsed: compute && Number(compute.gasUsed),
    isExact: replay.verdict === 'exact',
    differences: replay.differences,
    deployed: replayedCode(replay),
    data: (codeBefore(record)?.data ?? Cell.EMPTY).toBoc().toString('base64'),
    account: inputs.account,
    transaction: { inputs, replay },
  };
}

async function runGetMethod(
  recording: TestRecording,
  record: GetMethodLine,
  emulator: RecordEmulator,
): Promise<RanRecord> {
  const code = recording.blob(record.code);
  const codeCell = readPart('code', () => checkedCell(code));
  readPart('data', () => checkedCell(record.data));
  readPart('stack', () => parseTuple(checkedCell(record.stack)));
  const {
    exitCode,
    gasUsed,
    stackBoc,
    recording: steps,
  } = await recorded(emulator, {
    ...commonInputs(recording, record),
    code,
    data: record.data,
    address: record.address,
    methodId: record.methodId,
    stack: record.stack,
    balance: BigInt(record.balance),
    seed: record.seed,
    gasLimit: BigInt(record.gasLimit),
    extraCurrencies: record.extra,
  });
  const hash = (boc: string | undefined): string | undefined =>
    boc === undefined ? undefined : readPart('answer', () => checkedCell(boc).hash().toString('hex'));
  const differences = differing([
    ['exit code', 'exit code', record.exit, exitCode],
    ['gas used', 'number', record.gas, gasUsed],
    ['stack', 'hash', hash(record.answer), hash(stackBoc)],
  ]);
  return {
    recording: steps,
    exitCode,
    gasUsed,
    isExact: differences.length === 0,
    differences,
    deployed: { code: codeCell, codeHash: codeCell.hash().toString('hex') },
    data: record.data,
    account: record.address,
  };
}

async function recorded(emulator: RecordEmulator, run: GetMethodRun): Promise<RecordedGetMethod> {
  return 'recordGetMethod' in emulator ? emulator.recordGetMethod(run) : recordGetMethod(emulator, run);
}

/** A message that was not accepted, so that there is no transaction. */
async function runRefused(
  recording: TestRecording,
  record: ExecutionLine,
  emulator: RecordEmulator,
): Promise<RanRecord> {
  const { message, seed, error } = record;
  const state = codeBefore(record);
  if (message === undefined || seed === undefined || state === undefined) {
    throw replayImpossibleError(`No code ran: ${error ?? 'the engine gave no reason'}.`);
  }
  readPart('message', () => checkedCell(message));
  const outcome = await emulator.runTransaction({
    ...commonInputs(recording, record),
    shardAccount: record.state,
    message,
    lt: BigInt(record.lt),
    seed: Buffer.from(seed, 'hex'),
    ignoreSignatures: record.ignoreSignatures ?? false,
    verbosity: everyStep,
  });
  if (outcome.success || outcome.vm === undefined) {
    throw replayImpossibleError(
      outcome.success
        ? 'The emulator accepts the message that was refused in the test.'
        : `No code ran: ${outcome.error}.`,
    );
  }
  const { exitCode, log, steps: vmSteps } = outcome.vm;
  const differences = differing([['exit code', 'exit code', record.exit, exitCode]]);
  const steps = recordExecution(log, { gasAtStart: gasCredit, gasUsed: 0, vmSteps });
  // Nobody says what the step used that ended it.
  steps.gas[steps.steps - 1] = 0;
  return {
    recording: steps,
    exitCode,
    gasUsed: undefined,
    isExact: differences.length === 0,
    differences,
    deployed: { code: state.code, codeHash: state.code.hash().toString('hex') },
    data: state.data.toBoc().toString('base64'),
    account: recordedAccount(record),
  };
}

/** What all runs of a record get, as an emulator takes it. */
export function commonInputs(
  recording: TestRecording,
  record: TestRecord,
): { config: string; libraries: string | null; now: number; previousBlocks: string | undefined } {
  const config = recording.blob(record.config);
  readPart('config', () => checkConfig(config));
  return {
    config: importNetworkConfig(config, recording.header.file).base64,
    libraries: writeLibraries(librariesOf(recording, record).map((boc) => Cell.fromBase64(boc))),
    now: record.now,
    previousBlocks: record.blocks && previousBlocksBoc(previousBlocksOf(record.blocks)),
  };
}

/** The fields that a test saw and that came out otherwise. */
function differing(
  fields: readonly [field: string, kind: FieldKind, original: Value, replayed: Value][],
): ReplayDifference[] {
  return fields.flatMap(([field, kind, ...values]) => {
    const [original, replayed] = values.map((value) => (value === undefined ? undefined : String(value)));
    return original === replayed ? [] : [{ field, kind, original, replayed }];
  });
}

type Value = string | number | undefined;
