import type { TraceGraph } from '../../protocol/traceGraph';
import { boxHeight, boxWidth, edgePath } from './layout';
import type { Layout } from './layout';
import { shorten } from './shorten';

/** Colors of the exported file: fixed, so that it is readable on any page. */
const colors = { ink: '#1f2328', quiet: '#59636e', line: '#8c959f', failed: '#b3261e', paper: '#ffffff' };
const margin = 24;

/** The whole graph as an SVG file with every box, without scripts or links. */
export function graphSvg(graph: TraceGraph, layout: Layout): string {
  const width = layout.width + 2 * margin;
  const height = layout.height + 2 * margin + 28;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${escaped(graph.headline)}</title>`,
    `<rect width="100%" height="100%" fill="${colors.paper}"/>`,
    `<text x="${margin}" y="${margin}" font-size="14" fill="${colors.ink}">${escaped(graph.headline)}</text>`,
    `<g transform="translate(${margin} ${margin + 20})">`,
  ];
  for (const box of layout.placed) {
    const node = graph.nodes[box.node];
    if (node === undefined) {
      continue;
    }
    const failed = node.outcome === 'failed' || node.outcome === 'partial';
    const stroke = failed ? colors.failed : colors.line;
    if (box.parent !== undefined) {
      const dash = node.isBounced ? ' stroke-dasharray="5 4"' : '';
      parts.push(
        `<path d="${edgePath(box.parent, box)}" fill="none" stroke="${stroke}"${dash}/>`,
        label(box.x - 8, box.y - 4, node.message, colors.ink, 'end'),
        label(box.x - 8, box.y + 13, node.value, colors.quiet, 'end'),
      );
    }
    parts.push(
      `<rect x="${box.x}" y="${box.y - boxHeight / 2}" width="${boxWidth}" height="${boxHeight}" rx="4" fill="${colors.paper}" stroke="${stroke}"${node.isEmulated ? ' stroke-dasharray="6 4"' : ''}/>`,
      label(box.x + 10, box.y - 3, `${node.letter} ${shorten(node.name, 24)}`, colors.ink, 'start'),
      label(
        box.x + 10,
        box.y + 13,
        `${node.symbol} ${shorten(node.result, 28)}`,
        failed ? colors.failed : colors.quiet,
        'start',
      ),
    );
  }
  parts.push('</g>', '</svg>', '');
  return parts.join('\n');
}

function label(x: number, y: number, text: string, fill: string, anchor: 'start' | 'end'): string {
  return text === ''
    ? ''
    : `<text x="${x}" y="${y}" fill="${fill}" text-anchor="${anchor}">${escaped(shorten(text, 30))}</text>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
