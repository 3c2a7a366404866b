import type { Item, ItemTree } from './foldNodes';

/**
 * The item that an arrow key leads to, by the tree pattern (ARIA practices): right enters or expands, left leaves or
 * collapses, up and down go through what is visible. Undefined if the key has no effect.
 *
 * @param toggle opens or closes an item
 */
export function moveSelection(
  key: string,
  selected: number,
  { items, itemOf }: ItemTree,
  toggle: (item: Item) => void,
): Item | undefined {
  const item = itemOf[selected];
  if (item === undefined) {
    return items[0];
  }
  switch (key) {
    case 'ArrowRight':
      if (item.children.length === 0 && (item.hidden > 0 || item.members.length > 1)) {
        toggle(item);
        return item;
      }
      return item.children[0] ?? item;
    case 'ArrowLeft':
      return item.parent ?? item;
    case 'ArrowDown':
      return items[items.indexOf(item) + 1] ?? item;
    case 'ArrowUp':
      return items[items.indexOf(item) - 1] ?? item;
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    default:
      return undefined;
  }
}
