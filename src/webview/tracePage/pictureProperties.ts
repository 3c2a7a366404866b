import type { RefObject } from 'preact';
import type { TracePage } from '../../protocol/tracePage';
import type { Camera } from './camera';
import type { Item, ItemTree } from './foldNodes';
import type { Measure } from './pageText';
import type { StageHandle } from './stage';

/** The pictures of a trace, in the order of the toolbar. */
export const pictures = ['flow', 'sequence', 'money', 'table'] as const;
export type PictureName = (typeof pictures)[number];

/** What every picture of transactions is given. Nodes are indexes of {@link TracePage.nodes}. */
export interface PictureProperties {
  page: TracePage;
  tree: ItemTree;
  selected: number;
  collapsed: ReadonlySet<number>;
  /** Found by the search. */
  hits: ReadonlySet<number>;
  measure: Measure;
  /** Where the user left this picture. */
  camera: Camera | undefined;
  onCamera: (camera: Camera) => void;
  onSelect: (node: number) => void;
  onOpen: (node: number) => void;
  /** Opens or closes a fold, or what is below an item. */
  onToggle: (node: number) => void;
  /** Closes the fold that an item was one of before it was opened. */
  onRefold: (item: Item) => void;
  handle: RefObject<StageHandle | null>;
}

/** What drawing transactions takes; in an exported file, nothing can be clicked. */
export type DrawnProperties = Pick<
  PictureProperties,
  'page' | 'tree' | 'selected' | 'collapsed' | 'hits' | 'measure'
> &
  Partial<Pick<PictureProperties, 'onSelect' | 'onOpen' | 'onToggle' | 'onRefold'>>;
