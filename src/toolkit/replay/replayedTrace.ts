import { encodeRun } from '../execution/encodeRun';
import { buildTrace } from '../trace/buildTrace';
import type { TraceModel } from '../trace/traceModel';
import type { ReplayReport } from './replayText';

/** A replayed transaction as a trace of its own, emulated and in no block: what it sent has gone nowhere. */
export function replayedTrace({ replay, inputs }: Pick<ReplayReport, 'replay' | 'inputs'>): TraceModel {
  const { outcome, stateBefore } = replay;
  const address = inputs.account;
  const executed = {
    address,
    boc: Buffer.from(outcome.transaction, 'base64'),
    shardAccount: Buffer.from(outcome.shardAccount, 'base64'),
    debugOutput: outcome.debugOutput,
  };
  return buildTrace(encodeRun([executed], new Map([[address, stateBefore]])));
}
