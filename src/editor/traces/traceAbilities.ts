import { isEmulation } from '../../toolkit/trace/emulated';
import { hasThrown } from '../../toolkit/trace/outcomeOf';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import type { Services } from '../services';
import type { OpenTrace } from './openTraces';

/** Only the local network can go back to before a trace. */
export function isOfLocalNetwork(networks: Services['networks'], { origin }: OpenTrace): boolean {
  return 'network' in origin && origin.network === networks.local().name;
}

/** Whether there is something to replay. */
export function hasHappened({ status, model }: OpenTrace): boolean {
  return status !== 'rehearsal' && !isEmulation(model);
}

/** Whether its transactions can run again: everything that a rehearsed one depended on is known in its session. */
export function canRun(trace: OpenTrace): boolean {
  return hasHappened(trace) || trace.inputsOf !== undefined;
}

/** Whether a transaction's code threw, so that there is a line to find. */
export function canFindLine(trace: OpenTrace, node: TraceNode | undefined): node is TraceNode {
  return node?.hash !== undefined && hasThrown(node.transaction) && canRun(trace);
}
