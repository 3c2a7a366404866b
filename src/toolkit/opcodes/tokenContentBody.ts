import { Cell } from '@ton/core';
import { evidentTokenContent } from '../cell/tokenContent';
import type { BodyValue, DecodedBody } from './decodedBody';

/** Larger cells are code or data, and reading them again for every row would cost more than it tells. */
const longestBoc = 100_000;

/** What TEP-64 content says, as named fields; undefined for a cell that is not evidently content. */
export function tokenContentBody(cell: Cell): DecodedBody | undefined {
  const content = evidentTokenContent(cell);
  if (content === undefined) {
    return undefined;
  }
  return {
    name: content.layout === 'onchain' ? 'on-chain token content' : 'off-chain token content',
    opcode: undefined,
    source: 'TEP-64',
    fields: Object.entries(content.attributes).map(([name, value]) => ({
      name,
      value: { type: 'text', value },
    })),
    broken: content.isCut === true,
    left: { bits: 0, refs: 0 },
    bounced: false,
  };
}

/** The value as it is shown: a cell with token content is a body, anything else stays what it is. */
export function withTokenContent(value: BodyValue): BodyValue {
  if (value.type !== 'cell' || value.isMessage === true || value.value.length > longestBoc) {
    return value;
  }
  const content = tokenContentBody(Cell.fromBase64(value.value));
  return content === undefined ? value : { type: 'body', value: content };
}
