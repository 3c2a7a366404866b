import type { JSX } from 'preact';
import type { TracePage } from '../../protocol/tracePage';
import type { Layout } from './placed';

/**
 * All boxes and lines as a few paths: what is left of a picture that is far away, and its minimap. A path with ten
 * thousand parts is drawn at once, where ten thousand elements would not be.
 */
export function Silhouette({ page, layout }: { page: TracePage; layout: Layout }): JSX.Element {
  const { boxWidth, boxHeight } = layout;
  const paths = new Map<string, string[]>();
  const lines: string[] = [];
  for (const { item, x, y } of layout.placed) {
    const node = page.nodes[item.node];
    const kind = node?.isEmulated === true ? 'emulated' : (node?.outcome ?? 'unknown');
    let parts = paths.get(kind);
    if (parts === undefined) {
      parts = [];
      paths.set(kind, parts);
    }
    parts.push(`M${x},${y}h${boxWidth}v${boxHeight}h${-boxWidth}Z`);
    const parent = item.parent === undefined ? undefined : layout.byItem.get(item.parent);
    if (parent !== undefined) {
      lines.push(`M${parent.x},${parent.y + boxHeight}V${y - boxHeight / 2}L${x},${y}`);
    }
  }
  return (
    <g class="silhouette" aria-hidden="true">
      <path class="lines" d={lines.join('')} />
      {[...paths].map(([kind, parts]) => (
        <path key={kind} class={`boxes ${kind}`} d={parts.join('')} />
      ))}
    </g>
  );
}
