import { countEmulated, isEmulated } from './emulated';
import type { TraceModel, TraceNode } from './traceModel';

/** The status of a transaction or trace, as shown in every view. */
export type ShownStatus = 'success' | 'failed' | 'pending' | 'emulated' | 'bounced' | 'notRun' | 'unknown';

/**
 * Each symbol has one meaning: success, failure, in no block (yet), a handled bounce, code not run, not in the
 * answer.
 */
export const statusSymbols: Readonly<Record<ShownStatus, string>> = {
  success: '✓',
  failed: '✗',
  pending: '◌',
  emulated: '◌',
  bounced: '↩',
  notRun: '·',
  unknown: '?',
};

/** The status of a whole trace: failed if any of its transactions is. */
export function traceStatus(model: TraceModel): ShownStatus {
  const bad = ['failed', 'partial'];
  if (model.nodes.some((node) => node.failure !== undefined || bad.includes(node.outcome))) {
    return 'failed';
  }
  if (model.state === 'pending') {
    return 'pending';
  }
  if (countEmulated(model) > 0) {
    return 'emulated';
  }
  return model.incomplete || model.nodes.some((node) => node.outcome === 'unknown') ? 'unknown' : 'success';
}

/** The status of one transaction. */
export function nodeStatus(node: TraceNode, model: TraceModel): ShownStatus {
  if (node.failure !== undefined) {
    return 'failed';
  }
  switch (node.outcome) {
    case 'failed':
    case 'partial':
      return 'failed';
    case 'unknown':
      return model.state === 'pending' ? 'pending' : 'unknown';
    case 'notRun':
      return node.message?.bounced === true ? 'bounced' : 'notRun';
    case 'ok':
      if (node.message?.bounced === true) {
        return 'bounced';
      }
      return isEmulated(node) ? 'emulated' : 'success';
  }
}
