import { groupBy } from '../groupBy';
import type { TraceContext } from './traceContext';
import type { TraceNode } from './traceModel';
import { nodeMessage } from './traceText';

/** A transaction and its partner in another trace. Either may be missing. */
export interface MatchedNodes {
  left: TraceNode | undefined;
  right: TraceNode | undefined;
}

type KeyOf = (node: TraceNode, context: TraceContext) => string;

/**
 * Pairs siblings of two traces by what is alike, each time in order: the same account, opcode, value, and body; then
 * the same account and opcode; then the same opcode. An account that each side sent one other message to had the same
 * message changed. What is left has no partner, unless they are the roots: those are what is compared.
 *
 * @returns pairs in the left trace's order, then what only the right one has
 */
export function matchNodes(
  a: readonly TraceNode[],
  b: readonly TraceNode[],
  left: TraceContext,
  right: TraceContext,
): MatchedNodes[] {
  const partners = new Map<TraceNode, TraceNode>();
  let [ofLeft, ofRight] = [a, b];
  const pairBy = (keyOf: KeyOf, isOnlyOne = false): void => {
    if (ofLeft.length === 0 || ofRight.length === 0) {
      return;
    }
    const others = groupBy(ofRight, (node) => keyOf(node, right));
    const taken = new Set<TraceNode>();
    for (const [key, group] of groupBy(ofLeft, (node) => keyOf(node, left))) {
      const alike = others.get(key) ?? [];
      if (isOnlyOne && Math.max(group.length, alike.length) > 1) {
        continue;
      }
      alike.slice(0, group.length).forEach((other, index) => {
        partners.set(group[index] as TraceNode, other);
        taken.add(other);
      });
    }
    ofLeft = ofLeft.filter((node) => !partners.has(node));
    ofRight = ofRight.filter((node) => !taken.has(node));
  };
  pairBy((node, context) => `${accountAndKind(node, context)} ${contentOf(node)}`);
  pairBy(accountAndKind);
  pairBy(kindOf);
  pairBy((node) => `${node.account ?? ''} ${node.message?.bounced === true}`, true);
  if (a[0]?.depth === 0) {
    pairBy(() => 'root');
  }
  return [
    ...a.map((node) => ({ left: node, right: partners.get(node) })),
    ...ofRight.map((node) => ({ left: undefined, right: node })),
  ];
}

const accountAndKind: KeyOf = (node, context) => `${node.account ?? ''} ${kindOf(node, context)}`;

/** By opcode, because names depend on what is known; the first bits of an external message are a signature's. */
function kindOf(node: TraceNode, context: TraceContext): string {
  const { message } = node;
  const opcode = message?.source == null || message.destination == null ? undefined : context.opcode(message);
  return opcode === undefined
    ? nodeMessage(node, context)
    : `${message?.bounced === true ? 'bounced ' : ''}${opcode}`;
}

function contentOf({ message }: TraceNode): string {
  return `${message?.value ?? ''} ${message?.message_content?.body ?? ''}`;
}
