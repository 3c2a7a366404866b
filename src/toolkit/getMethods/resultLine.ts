import type { Cell } from '@ton/core';
import { Address, CellType } from '@ton/core';
import { shortAddress } from '../address/shortAddress';
import type { TokenContent } from '../cell/tokenContent';
import { padRight, widestOf } from '../base/formatTable';
import { printBits } from '../stack/stackValue';
import { shortenMiddle, visibleText } from '../base/text';
import type { Decoded, ResultEntry } from './getMethodResult';
import { numberNote, plainNumberText } from './coinsText';

/** How values are displayed. */
export interface ShowOptions {
  /** The name of a raw address, if it has one. */
  accountName?: ((address: string) => string | undefined) | undefined;
  /** The coin's label; default TON. */
  coinLabel?: string | undefined;
  /** The method is of a jetton master or wallet: its amounts are jettons. */
  ofJetton?: boolean | undefined;
}

/** One row of the table; `lines` follow below it, indented. */
export interface Row {
  section: string;
  /** Position in the stack; empty inside a value with named parts. */
  index: string;
  /** Name of a field or parameter in the source; absent if there is none. */
  name?: string | undefined;
  type: string;
  value: string;
  note: string;
  lines: string[];
  /** The value for a whole answer on one line, if different: `{bob: 5}`, an account's name. */
  brief?: string | undefined;
  /** The difference from the previous answer; absent if there is none. */
  changed?: { lines: ReadonlySet<number> } | undefined;
}

/** One line of a result's document. */
export interface ResultLine {
  text: string;
  /**
   * Identifies the line independently of its content: `out 0`. Absent where a change means nothing, as for a call's
   * duration.
   */
  key?: string | undefined;
  /** The parts whose change is worth marking, by their start column (UTF-16 code units). */
  fields?: readonly { column: number; text: string }[] | undefined;
  /** Marked as changed since the previous answer. */
  isChanged?: boolean | undefined;
}

/** The row of an entry, by its recognized meaning. */
export function entryRow(section: string, index: number, entry: ResultEntry, options: ShowOptions): Row {
  const { text, note, lines, brief } = describeEntry(entry, options);
  const readAs = entry.readAs === undefined ? '' : `read as ${entry.readAs}`;
  return {
    section,
    index: index.toString(),
    type: typeWord(entry),
    value: text,
    note: [note, readAs].filter((part) => part !== '').join('; '),
    lines,
    brief,
  };
}

function typeWord({ type, decoded }: ResultEntry): string {
  if (decoded.kind === 'address' || decoded.kind === 'text') {
    return decoded.kind;
  }
  return type === 'int' ? 'number' : type;
}

/** A value as text. */
export interface Description {
  text: string;
  note: string;
  lines: string[];
  /** See `Row`. */
  brief?: string | undefined;
}

/** A value by its recognized meaning. */
export function describeEntry({ decoded, type }: ResultEntry, options: ShowOptions): Description {
  switch (decoded.kind) {
    case 'number':
      return plain(
        plainNumberText(decoded.value),
        numberNote(decoded.value, options.ofJetton === true ? undefined : (options.coinLabel ?? 'TON')),
      );
    case 'nan':
    case 'null':
      return plain(decoded.kind, decoded.kind === 'null' ? 'null, or an empty list' : undefined);
    case 'address':
      return describeAddress(decoded.address, options);
    case 'text':
      return plain(`"${visibleText(decoded.text)}"`, decoded.form === 'plain' ? undefined : decoded.form);
    case 'cell':
      return { text: cellSummary(decoded.cell), note: '', lines: cellTree(decoded.cell) };
    case 'content':
      return describeContent(decoded.content);
    case 'items':
      return describeItems(type, decoded, options);
    case 'unsupported':
      return plain(visibleText(decoded.description));
  }
}

/** `on-chain content: Test Token (TST)`, and the attributes below it. */
function describeContent({ attributes, isCut }: TokenContent): Description {
  const entries = Object.entries(attributes);
  const width = widestOf(entries.map(([key]) => visibleText(key, 20)));
  const { name, symbol } = attributes;
  const titles = [name, symbol === undefined || name === undefined ? symbol : `(${symbol})`];
  const title = visibleText(titles.filter((one) => one !== undefined).join(' '), 40);
  return {
    text: `on-chain content${title === '' ? '' : `: ${title}`}`,
    note: isCut === true ? 'too large to be read completely' : '',
    lines: entries.map(
      ([key, text]) => `${padRight(visibleText(key, 20), width)}  "${visibleText(text, 200)}"`,
    ),
    brief: title === '' ? 'on-chain content' : title,
  };
}

/** A value on one line. */
export function plain(text: string, note = ''): Description {
  return { text, note, lines: [] };
}

/** An address with its name. */
export function describeAddress(address: string | null, options: ShowOptions): Description {
  if (address === null) {
    return plain('addr none', 'the empty address');
  }
  const name = visibleText(options.accountName?.(address) ?? '');
  return { ...plain(`addr ${friendly(address)}`, name), brief: name || shortAddress(address) };
}

function describeItems(
  type: string,
  decoded: Decoded & { kind: 'items' },
  options: ShowOptions,
): Description {
  const { items } = decoded;
  const rows = items.map((item, index) => entryRow('', index, item, options));
  return {
    text: `${type} of ${items.length} ${items.length === 1 ? 'value' : 'values'}`,
    note: '',
    lines: nestedRows(rows),
  };
}

/** The rows inside a value, without space for a section name. */
export function nestedRows(rows: readonly Row[]): string[] {
  return alignRows(rows, '').map(({ text }) => text);
}

/** A row's label: its index, its name, or both. */
function labelOf({ index, name }: Row): string {
  return name === undefined || name === index ? index : index === '' ? name : `${index} ${name}`;
}

const heads: Row = { section: '', index: '', type: 'type', value: 'value', note: '', lines: [] };

/** The aligned rows with column headings; empty if there are none. */
export function headedRows(rows: readonly Row[]): ResultLine[] {
  const [head, ...rest] = rows.length === 0 ? [] : alignRows([heads, ...rows]);
  return head === undefined ? [] : [{ text: head.text }, ...rest];
}

/** The rows with aligned columns, each followed by its own lines. */
function alignRows(rows: readonly Row[], margin = '     '): ResultLine[] {
  const width = (pick: (row: Row) => string): number => widestOf(rows.map(pick));
  const indexWidth = width(labelOf);
  const typeWidth = width((row) => row.type);
  // Long values (whole texts) must not push every note to the right.
  const valueWidth = Math.min(
    56,
    width((row) => row.value),
  );
  return rows.flatMap((row): ResultLine[] => {
    const { section, type, value, note, lines, changed } = row;
    const key = `${section} ${row.index}`;
    const lead = margin === '' ? '' : `  ${section}`.padEnd(margin.length);
    const head = `${lead}  ${padRight(labelOf(row), indexWidth)}  `;
    const [shownType, shownValue] = [padRight(type, typeWidth), padRight(value, valueWidth)];
    // Columns count characters, like the editor, not display width.
    const valueColumn = head.length + shownType.length + 2;
    const noteColumn = valueColumn + shownValue.length + 2;
    const indent = margin.length + indexWidth + 4;
    return [
      {
        text: `${head}${shownType}  ${shownValue}  ${note}`,
        key,
        fields: [
          { column: head.length, text: type },
          { column: valueColumn, text: value },
          { column: noteColumn, text: note },
        ],
        isChanged: changed !== undefined,
      },
      ...lines.map((line, index) => ({
        text: `${' '.repeat(indent)}${line}`,
        key: `${key} ${index}`,
        fields: [{ column: indent, text: line }],
        isChanged: changed?.lines.has(index) === true,
      })),
    ];
  });
}

/** The user-friendly form, bounceable. */
export function friendly(address: string): string {
  return Address.parse(address).toString();
}

/** Further lines are counted instead of shown: the raw value has the rest. */
const maximumLines = 48;
/** Maximum characters of a line's bits. */
const maximumBits = 64;

/** A cell and its references, one line each, indented by depth, in order. */
function cellTree(cell: Cell): string[] {
  const lines: string[] = [];
  const waiting: { cell: Cell; depth: number }[] = [{ cell, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (lines.length === maximumLines) {
      lines.push('…');
      return lines;
    }
    lines.push('  '.repeat(next.depth) + cellLine(next.cell));
    for (const ref of [...next.cell.refs].reverse()) {
      waiting.push({ cell: ref, depth: next.depth + 1 });
    }
  }
  return lines;
}

/** Bits, references, and hash as short text. */
function cellSummary(cell: Cell): string {
  const { bits, refs } = cell;
  const counts = `${bits.length} ${bits.length === 1 ? 'bit' : 'bits'}, ${refs.length} ${refs.length === 1 ? 'ref' : 'refs'}`;
  const hash = cell.hash().toString('hex');
  return `${cell.isExotic ? 'exotic, ' : ''}${counts}, hash ${shortenMiddle(hash)}`;
}

function cellLine(cell: Cell): string {
  const bits = printBits(cell.bits);
  const kind = cell.isExotic ? 'exotic ' : '';
  return bits.length > maximumBits && !isLibrary(cell)
    ? `${kind}${bits.slice(0, maximumBits - 2)}…}  ${cell.bits.length} bits`
    : `${kind}${bits}`;
}

/** A reference to a library is nothing but the library's hash, so it is never cut. */
function isLibrary({ isExotic, type }: Cell): boolean {
  return isExotic && type === CellType.Library;
}
