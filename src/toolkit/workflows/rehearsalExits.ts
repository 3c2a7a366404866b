import { exitSources } from '../abi/exitSources';
import type { Rehearsal } from '../send/rehearsal';
import type { TraceKnowledge } from '../trace/traceKnowledge';
import type { TraceWordSources } from './describeTrace';

/**
 * The project's name and place for the exit code with which a rehearsal fails, with or without a predicted
 * trace.
 */
export async function rehearsalExits(
  { reason }: Rehearsal,
  { contracts, chosen }: Pick<TraceWordSources, 'contracts' | 'chosen'>,
): Promise<TraceKnowledge['exitSource']> {
  const { account, codeHash } = reason?.exit ?? {};
  return account === undefined || codeHash === undefined
    ? undefined
    : exitSources(new Map([[account, codeHash]]), (await contracts?.(new Set([codeHash]))) ?? [], chosen);
}
