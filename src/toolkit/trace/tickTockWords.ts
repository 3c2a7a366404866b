import { visibleText } from '../base/text';
import type { TraceNode } from './traceModel';
import type { TraceContext } from './traceContext';

/** `tock of elector`: the call that a special masterchain account gets in every block. */
export function tickTockWords(node: TraceNode, context: TraceContext): string {
  const kind = node.transaction?.description?.is_tock === true ? 'tock' : 'tick';
  return `${kind} of ${node.account === undefined ? 'nobody' : context.name(node.account)}`;
}

/** Amounts with their units, accounts by name. */
interface ToldSwap {
  given: string;
  got: string;
  by: string;
  /** Who was paid, if not the one who gave. */
  to: string | undefined;
  dex: string | undefined;
}

/** `swap 100 TKA for 246.787559 TKB by alice on stonfi`, whoever says that it was one. */
export function swapText({ given, got, by, to, dex }: ToldSwap): string {
  const where = dex === undefined ? '' : ` on ${visibleText(dex, 24)}`;
  return `swap ${given} for ${got} by ${by}${to === undefined ? '' : `, paid to ${to}`}${where}`;
}
