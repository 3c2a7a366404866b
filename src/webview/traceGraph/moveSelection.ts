import type { Layout, Placed } from './layout';

/**
 * The target node of an arrow key, by the tree pattern (ARIA practices): right expands or enters, left collapses or
 * leaves, up and down move through visible nodes. Undefined if the key has no effect.
 */
export function moveSelection(
  key: string,
  selected: number,
  layout: Layout,
  toggle: (node: number) => void,
): number | undefined {
  const box = layout.byNode.get(selected);
  if (box === undefined) {
    return layout.placed[0]?.node;
  }
  switch (key) {
    case 'ArrowRight':
      if (box.children.length === 0 && box.hidden > 0) {
        toggle(selected);
        return selected;
      }
      return box.children[0]?.node ?? selected;
    case 'ArrowLeft':
      return box.parent?.node ?? selected;
    case 'ArrowDown':
      return neighbor(layout, box, 1);
    case 'ArrowUp':
      return neighbor(layout, box, -1);
    case 'Home':
      return layout.placed[0]?.node;
    case 'End':
      return layout.placed.at(-1)?.node;
    default:
      return undefined;
  }
}

/** `placed` is in tree order, which is also the order of the table. */
function neighbor(layout: Layout, box: Placed, step: number): number {
  const at = layout.placed.indexOf(box);
  return layout.placed[at + step]?.node ?? box.node;
}
