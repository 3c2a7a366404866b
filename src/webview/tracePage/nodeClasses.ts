import type { PageNode } from '../../protocol/tracePage';

/** The classes of a transaction in every picture. */
export function nodeClasses(node: PageNode, isSelected: boolean, isFound: boolean): string {
  return [
    node.outcome,
    node.isEmulated ? 'emulated' : '',
    node.isBounced ? 'bounced' : '',
    node.difference === undefined ? '' : `compared-${node.difference.kind}`,
    isSelected ? 'selected' : '',
    isFound ? 'found' : '',
  ]
    .filter((name) => name !== '')
    .join(' ');
}
