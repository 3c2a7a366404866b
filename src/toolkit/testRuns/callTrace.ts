import { asHappened, encodeRun } from '../execution/encodeRun';
import type { ExecutedTransaction } from '../execution/encodeRun';
import type { ReplayInputs } from '../replay/replayInputs';
import { runReplay } from '../replay/runReplay';
import { replayImpossibleError } from '../replay/replayErrors';
import { buildTrace } from '../trace/buildTrace';
import type { TraceModel } from '../trace/traceModel';
import { recordInputs } from './recordInputs';
import type { RecordEmulator } from './runRecord';
import type { TestCall } from './testCalls';
import type { TestRecording } from './testRecording';

/** What a call of a test ran, as a trace. */
export interface CallTrace {
  model: TraceModel;
  /** What a transaction depended on, by its hash (lowercase hex). */
  inputsOf: (hash: string) => ReplayInputs | undefined;
}

/**
 * The transactions of a call as a trace, like that of a rehearsal. They run again, because a recording has no states after
 * them.
 *
 * @throws WorkbenchError `replay-impossible` (failed) if the call has no transaction; those of `runReplay`
 */
export async function callTrace(
  recording: TestRecording,
  { records }: Pick<TestCall, 'records'>,
  emulator: Pick<RecordEmulator, 'runTransaction' | 'runTickTock'>,
  signal?: AbortSignal,
): Promise<CallTrace> {
  const executed: ExecutedTransaction[] = [];
  const before = new Map<string, string>();
  const inputsBy = new Map<string, ReplayInputs>();
  for (const record of records) {
    if (record.kind === 'get' || record.transaction === undefined) {
      continue;
    }
    const inputs = recordInputs(recording, record);
    const { outcome, original } = await runReplay(inputs, emulator, { signal });
    const address = inputs.account;
    before.set(address, before.get(address) ?? record.state);
    executed.push({
      ...{ address, boc: Buffer.from(record.transaction, 'base64') },
      shardAccount: Buffer.from(outcome.shardAccount, 'base64'),
      debugOutput: outcome.debugOutput,
      ...(record.ignoreSignatures === true ? { ignoreSignatures: true } : {}),
    });
    inputsBy.set(original.hash().toString('hex'), inputs);
  }
  if (executed.length === 0) {
    throw replayImpossibleError('This call has no transaction, so there is no trace.', 'Debug it instead.');
  }
  return {
    model: buildTrace(asHappened(encodeRun(executed, before))),
    inputsOf: (hash) => inputsBy.get(hash),
  };
}
