import type { JSX } from 'preact';
import type { Item } from './foldNodes';

/** What a badge says about an item, and whether it closes the fold that the item was one of; undefined if it has none. */
export function moreOf(item: Item): { count: string; isOpened: boolean } | undefined {
  if (item.members.length > 1) {
    return { count: `×${item.members.length}`, isOpened: false };
  }
  if (item.hidden > 0) {
    return { count: `+${item.hidden}`, isOpened: false };
  }
  return item.opened?.members[0] === item.node
    ? { count: `fold ${item.opened.members.length}`, isOpened: true }
    : undefined;
}

/** The width of a badge with this text. */
export function moreWidth(text: string): number {
  return Math.max(48, text.length * 7 + 14);
}

/** How many there are, as a badge that opens them, or closes their fold again; `y` is its middle. */
export function More({
  x,
  y,
  text,
  scale = 1,
  onPress,
}: {
  x: number;
  y: number;
  text: string;
  scale?: number;
  onPress: () => void;
}): JSX.Element {
  const width = moreWidth(text);
  return (
    <g
      class="more"
      aria-hidden="true"
      transform={`translate(${x} ${y}) scale(${scale})`}
      onClick={(event) => (event.stopPropagation(), onPress())}
    >
      <rect y={-9} width={width} height="18" rx="9" />
      <text x={width / 2} y={4}>
        {text}
      </text>
    </g>
  );
}
