import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { TracePage } from '../../protocol/tracePage';
import { formatInteger } from '../../protocol/tracePage';
import type { ItemTree } from './foldNodes';
import type { Measure, PictureName } from './pageText';
import { isCompared, itemCoins, itemFee, measureOf } from './pageText';

/** What a legend is of. */
export interface LegendProperties {
  page: TracePage;
  tree: ItemTree;
  picture: Exclude<PictureName, 'table'>;
  measure: Measure;
}

const signs = 'red failed, dashed bounced or emulated, ×n are n alike.';
const comparedSigns = '≠ changed, + and − are in one trace only, = is alike.';

/** What a picture's widths, colors, and signs mean: each sentence for itself. */
export function legendOf({ page, tree, picture, measure }: LegendProperties): string[] {
  switch (picture) {
    case 'flow':
      return [
        measureText(page, tree, measure),
        `Boxes are transactions, arrows messages; ${signs}`,
        ...(isCompared(page) ? [comparedSigns] : []),
      ];
    case 'sequence':
      return [
        'Lifelines are accounts, time goes down, bands are blocks.',
        `Arrows are messages, and bars go down to the last that was sent; ${signs}`,
        ...(isCompared(page) ? [comparedSigns] : []),
      ];
    case 'money':
      return ['From payers on the left to receivers and fees on the right; round trips are canceled.'];
  }
}

/** What stands for a measure, and the most that it stands for. */
function measureText(page: TracePage, tree: ItemTree, measure: Measure): string {
  const amounts = tree.items.map((item) => measureOf(page, item, measure));
  const most = amounts.reduce((largest, amount) => Math.max(largest, amount), 0);
  const item = tree.items[amounts.indexOf(most)];
  if (item === undefined || most === 0) {
    return measure === 'value' ? 'No message carries coins.' : `No ${measure} is known.`;
  }
  switch (measure) {
    case 'value':
      return `Wider arrows carry more coins: at most ${itemCoins(page, item)} ${page.coin}.`;
    case 'gas':
      return `The more orange a box, the more gas it took: at most ${formatInteger(most)}.`;
    case 'fee':
      return `The more orange a box, the more fees it took: at most ${itemFee(page, item)} ${page.coin}.`;
  }
}

/** Samples of a measure, from least to most: arrows that get wider, or boxes that get more orange. */
export function MeasureSample({ measure }: { measure: Measure }): JSX.Element {
  return (
    <g class="sample" aria-hidden="true">
      {[0.2, 0.6, 1].map((share, index) =>
        measure === 'value' ? (
          <g key={share} class="edge">
            <path d={`M${index * 18},6h14`} stroke-width={arrowWidth(share)} />
          </g>
        ) : (
          <g key={share} class="box">
            <rect class="frame" x={index * 18} y={1} width="14" height="10" rx="2" />
            <rect class="heat" x={index * 18} y={1} width="14" height="10" rx="2" opacity={heat(share)} />
          </g>
        ),
      )}
    </g>
  );
}

/** The width of the arrow of a message with this share (root) of the largest amount. */
export function arrowWidth(share: number): number {
  return 1 + 4 * share;
}

/** The opacity of the color over a box with this share (root) of the largest amount. */
export function heat(share: number): number {
  return 0.6 * share;
}

/** Below a picture. */
export function Legend({ page, tree, picture, measure }: LegendProperties): JSX.Element {
  const sentences = useMemo(() => legendOf({ page, tree, picture, measure }), [page, tree, picture, measure]);
  return (
    <p class="legend">
      {picture === 'flow' ? (
        <svg class="key" width="54" height="12" aria-hidden="true">
          <MeasureSample measure={measure} />
        </svg>
      ) : null}
      {sentences.map((sentence) => (
        <span key={sentence}>{sentence} </span>
      ))}
    </p>
  );
}
