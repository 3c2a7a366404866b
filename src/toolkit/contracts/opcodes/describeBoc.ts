import { Address } from '@ton/core';
import { bodyLines } from './bodyLines';
import type { BodyLineOptions } from './bodyLines';
import type { DecodedBody } from './decodedBody';
import type { Boc } from '../../cell/boc';
import { bocStatistics, subtreeSize } from '../../cell/bocStatistics';
import type { BocStatistics } from '../../cell/bocStatistics';
import { bocTree } from '../../cell/boc';
import { readStructure } from '../../cell/structures/readStructure';
import { evidentStructure, likelyStructure } from '../../cell/structures/recognizeStructure';
import type { ReadStructure } from '../../cell/structures/structure';
import { structureLines } from '../../cell/structures/structureText';
import { decodeStructure } from './decodeStructure';
import type { ReadBody } from './decodeStructure';
import { toCoreCell } from '../../cell/toCoreCell';
import { visibleText } from '../../base/text';

/** A read-only document about a BoC. */
export interface BocDocument {
  text: string;
  /** For each line of `text` (zero-based), the cell it shows. */
  cellOfLine: ReadonlyMap<number, number>;
}

/** What is known about cells beyond the built-in tables. */
export interface DecodeRootOptions {
  /** Decodes bodies unknown to the built-in table, wherever they occur. */
  readBody?: ReadBody;
  /** Decodes a root as the type given by the user. */
  readRoot?: ReadBody;
  /** Reads a root as this type of block.tlb (a name in chainSchema), given by the user. */
  readAs?: string;
}

/** What a root is, if it is known: a structure of the blockchain, or a message, body, or state. */
export interface RootContent {
  structure?: ReadStructure;
  /** Of a structure: whether its tag is evidence enough. */
  isCertain: boolean;
  decoded?: DecodedBody;
}

/** What to show and how. */
export interface DescribeBocOptions extends BodyLineOptions, DecodeRootOptions {
  /** Maximum number of tree lines. Default 10,000. */
  treeLimit?: number;
  /** Shows only this cell's subtree. */
  root?: number;
  /** The first line: what the BoC is, if that is known from elsewhere. */
  title?: string;
}

/** Decoding uses cells of @ton/core; a subtree with more cells than this is not a message or body. */
const mostDecodedCells = 5000;

/**
 * The whole content of a BoC as text: its decoded structure if known, its size, and its cells as a tree that folds by
 * indentation.
 */
export function describeBoc(boc: Boc, options: DescribeBocOptions = {}): BocDocument {
  const roots = options.root === undefined ? boc.roots : [options.root];
  const lines = [...(options.title === undefined ? [] : [visibleText(options.title)]), ...headLines(boc), ''];
  const shown = { address: friendly, origins: true, ...options };
  for (const [index, root] of roots.entries()) {
    const name = options.root === undefined ? `root ${index}` : `cell #${root}`;
    lines.push(`${name}  ${boc.hashHex(root)}`);
    lines.push(...contentLines(rootContent(boc, root, options), shown).map((line) => `  ${line}`));
  }
  lines.push(
    '',
    ...(options.root === undefined ? sizeLines(boc, bocStatistics(boc)) : subtreeLines(boc, options.root)),
  );
  lines.push('', 'cells');
  const cellOfLine = new Map<number, number>();
  const tree = bocTree(boc, {
    roots,
    ...(options.treeLimit === undefined ? {} : { limit: options.treeLimit }),
  });
  for (const { cell, indent, text } of tree.lines) {
    cellOfLine.set(lines.length, cell);
    lines.push(`${'  '.repeat(indent + 1)}${text}`);
  }
  if (tree.left > 0) {
    lines.push(
      `  ${counted(tree.left, 'more cell')}; open one of the cells above by itself to see what is below it.`,
    );
  }
  return { text: `${lines.join('\n')}\n`, cellOfLine };
}

/**
 * What a cell is: first what evidently is a structure of the blockchain, then messages, bodies, and states, then
 * structures with a short tag that fit to the last bit.
 */
export function rootContent(boc: Boc, root: number, options: DecodeRootOptions = {}): RootContent {
  if (options.readAs !== undefined) {
    return { structure: readStructure(boc, root, options.readAs), isCertain: true };
  }
  const evident = options.readRoot === undefined ? evidentStructure(boc, root) : undefined;
  if (evident !== undefined) {
    return { structure: evident, isCertain: true };
  }
  const decoded = decodeRoot(boc, root, options);
  const likely = decoded === undefined || decoded.broken ? likelyStructure(boc, root) : undefined;
  if (likely !== undefined) {
    return { structure: likely, isCertain: false };
  }
  return { isCertain: true, ...(decoded === undefined ? {} : { decoded }) };
}

function contentLines({ structure, isCertain, decoded }: RootContent, options: BodyLineOptions): string[] {
  if (structure !== undefined) {
    const type = structure.type ?? 'exotic cell';
    const source = isCertain ? 'block.tlb' : 'block.tlb, likely: it fits to the last bit';
    const where = 'after each field: its cell [first bit..bit after the last]';
    return [`${type}  ${source}; ${where}`, ...structureLines(structure, { ...options, places: true })];
  }
  return decoded === undefined ? [] : bodyLines(decoded, options);
}

/** The decoded subtree, if it is small enough for a message or body and is one. */
function decodeRoot(
  boc: Boc,
  root: number,
  { readBody, readRoot }: DecodeRootOptions,
): DecodedBody | undefined {
  if (boc.kind(root) !== 'ordinary' || subtreeSize(boc, root).cells > mostDecodedCells) {
    return undefined;
  }
  const cell = toCoreCell(boc, root);
  return readRoot?.(cell) ?? decodeStructure(cell, readBody);
}

function headLines(boc: Boc): string[] {
  const { header } = boc;
  const form = {
    generic: 'BoC',
    indexed: 'BoC, older indexed format',
    'indexed-crc': 'BoC, older indexed format',
  }[header.form];
  const extras = [
    ...(header.hasIndex ? ['index'] : []),
    ...(header.hasCrc ? ['checksum'] : []),
    ...(header.hasCacheBits ? ['cache bits'] : []),
  ];
  const size = `${counted(header.totalLength, 'byte')}, ${counted(boc.cellCount, 'cell')}`;
  return [
    `${form}: ${size}, ${boc.roots.length === 1 ? '1 root' : `${boc.roots.length} roots`}` +
      (extras.length === 0 ? '' : `, with ${extras.join(', ')}`),
    ...boc.notes.map((note) => `note  ${note.text}`),
  ];
}

function sizeLines(boc: Boc, statistics: BocStatistics): string[] {
  const { kinds, duplicates } = statistics;
  const exotic = Object.entries(kinds)
    .filter(([kind, number]) => kind !== 'ordinary' && number > 0)
    .map(([kind, number]) => `${count(number)} ${kind}`);
  return [
    'size',
    `  bits     ${count(statistics.bits)}`,
    `  depth    ${statistics.depth}`,
    ...(exotic.length === 0 ? [] : [`  exotic   ${exotic.join(', ')}`]),
    `  shared   ${sharedText(statistics)}`,
    ...(duplicates.length === 0
      ? []
      : [
          `  repeated ${count(statistics.duplicateBytes)} bytes are copies of other cells`,
          ...duplicates.map(
            ({ hash, cells }) => `    ${count(cells.length)} times ${hash}, first #${cells[0]}`,
          ),
        ]),
    ...(boc.roots.length > 1 ? boc.roots.map((root, i) => `  root ${i}   ${subtreeText(boc, root)}`) : []),
  ];
}

function sharedText({ shared, treeCells }: BocStatistics): string {
  return shared === 0
    ? 'no cell has more than one reference'
    : `${counted(shared, 'cell')} ${shared === 1 ? 'has' : 'have'} more than one reference; without sharing ${counted(treeCells, 'cell')}`;
}

function subtreeLines(boc: Boc, root: number): string[] {
  return ['size', `  ${subtreeText(boc, root)}`, `  depth ${boc.depth(root)}`];
}

function subtreeText(boc: Boc, root: number): string {
  const size = subtreeSize(boc, root);
  return [counted(size.cells, 'cell'), counted(size.bits, 'bit'), counted(size.bytes, 'byte')].join(', ');
}

/** `1 cell`, `5 000 cells` */
function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** Groups of three, with a plain space: 1 234 567. */
function count(value: number): string {
  return Number.isSafeInteger(value)
    ? value.toLocaleString('en').replaceAll(',', ' ')
    : value.toExponential(2);
}

function friendly(raw: string): string {
  return /^-?\d+:[0-9a-f]{64}$/i.test(raw) ? Address.parseRaw(raw).toString() : raw;
}
