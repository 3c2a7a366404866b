import type { Recording } from '../../src/toolkit/recording/recording';

/** What a recording takes in memory: its log and its columns. */
export function recordingBytes(recording: Recording): number {
  const { log, cell, offset, gas, gasAfter, instruction, stack, writes } = recording;
  const columns = [cell, offset, gas, gasAfter, instruction, stack, writes];
  return columns.reduce((sum, { byteLength }) => sum + byteLength, log.length);
}
