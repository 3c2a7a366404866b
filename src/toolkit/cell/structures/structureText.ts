import { fromNano } from '@ton/core';
import { padRight, widestOf } from '../../base/formatTable';
import { isoTime } from '../../base/text';
import { hexOfBits } from './cellCursor';
import { configParameters } from './configParameters';
import type {
  StructurePlace,
  ReadStructure,
  StructureField,
  StructureMap,
  StructureValue,
} from './structure';
import { flatFields, cellPathText } from './structure';

/** How a structure is shown to people. */
export interface StructureTextOptions {
  /** An account's name or friendly address. Default: unchanged. */
  address?: (raw: string) => string;
  /** The coin's label. Default `TON`. */
  coin?: string;
  /** Shows the place of each field: the cell's number, and its bits. Default false. */
  places?: boolean;
  /** Maximum number of lines; default 2,000. */
  most?: number;
  /** Entries of one dictionary that are shown, default 100; further ones are counted. */
  entries?: number;
}

/**
 * A structure as lines for people: its form, then its fields indented by two, aligned, nested ones deeper, then what does
 * not fit. A cell that occurs again is not repeated.
 */
export function structureLines(read: ReadStructure, options: StructureTextOptions = {}): string[] {
  const text = new StructureText(read, options);
  const most = options.most ?? 2_000;
  const lines = text.value('', read.root);
  const more = lines.length - most;
  return [
    ...lines.slice(0, most),
    ...(more > 0 ? [`… and ${more} more lines`] : []),
    ...read.problems.slice(0, 20).map(({ place, reason }) => `✗ ${placeText(place)}: ${reason}`),
    ...(read.problems.length > 20 ? [`✗ and ${read.problems.length - 20} more places that do not fit`] : []),
    ...(read.pruned > 0
      ? [
          `${read.pruned} pruned ${read.pruned === 1 ? 'branch' : 'branches'}: what is below is not in this BoC`,
        ]
      : []),
  ];
}

/** One field of a structure, as in {@link structureLines}. */
export function structureFieldLines(
  read: ReadStructure,
  field: StructureField,
  options: StructureTextOptions = {},
): string[] {
  const lines = new StructureText(read, options).value('', field);
  const most = options.most ?? 2_000;
  return lines.length > most ? [...lines.slice(0, most), `  … and ${lines.length - most} more lines`] : lines;
}

/** `#12 at 0.1, bits 32 to 63` */
function placeText({ at, from, to }: StructurePlace): string {
  const bits = to > from ? `, bits ${from} to ${to - 1}` : `, bit ${from}`;
  return `#${at.cell} at ${cellPathText(at)}${bits}`;
}

class StructureText {
  readonly #mostEntries: number;
  readonly #shown = new Map<StructureValue, number>();

  constructor(
    readonly read: ReadStructure,
    readonly options: StructureTextOptions,
  ) {
    this.#mostEntries = options.entries ?? 100;
  }

  /** A value after its name: a line of its own, and deeper ones for what is in it. */
  value(name: string, field: StructureField): string[] {
    const { value } = field;
    const place = this.options.places === true ? `  ${shortPlace(field)}` : '';
    const title = (words: string): string => `${name}${words}${place}`;
    switch (value.kind) {
      case 'record': {
        const form = value.name === '_' ? '' : value.name;
        const code = value.tagText === '' ? form : `${form} ${value.tagText}`;
        const before = this.#shown.get(value);
        if (before !== undefined && value.fields.length > 0) {
          return [title(`${code}  as above, #${before}`)];
        }
        this.#shown.set(value, field.place.at.cell);
        return [title(code), ...this.#indented(flatFields(value.fields))];
      }
      case 'group':
        return [title(''), ...this.#indented(flatFields(value.fields))];
      case 'map':
        return [
          title(mapTitle(value)),
          ...this.#indented(this.#mapFields(value)),
          ...this.#moreEntries(value),
        ];
      default:
        return [title(leafText(value, this.options, (cell) => this.read.boc.hashHex(cell)))];
    }
  }

  #mapFields(map: StructureMap): StructureField[] {
    return [
      ...(map.extra === undefined ? [] : [{ ...map.extra, name: 'sum' }]),
      ...map.entries
        .slice(0, this.#mostEntries)
        .map(({ key, field }) => ({ ...field, name: entryName(map, key) })),
      ...map.branches
        .slice(0, this.#mostEntries)
        .map(({ prefix, field }) => ({ ...field, name: prefix === '' ? 'all' : `keys ${prefix}…` })),
    ];
  }

  #moreEntries({ entries, branches }: StructureMap): string[] {
    const most = this.#mostEntries;
    const more = Math.max(0, entries.length - most) + Math.max(0, branches.length - most);
    return more > 0 ? [`  … and ${more} more entries`] : [];
  }

  #indented(fields: readonly StructureField[]): string[] {
    const width = Math.min(70, widestOf(fields.map(({ name }) => name)));
    return fields
      .flatMap((one) => this.value(`${padRight(one.name, width)}  `, one))
      .map((line) => `  ${line}`);
  }
}

/** Its key; of a parameter of the configuration also its title. */
function entryName({ key: { isSigned }, isConfiguration }: StructureMap, key: string): string {
  const text = keyText(key, isSigned);
  const title = isConfiguration ? configParameters.get(Number(text))?.title : undefined;
  return title === undefined ? text : `${text} ${title}`;
}

/** `#12` for a whole cell, `#12[32..64]` for a part: the first bit and the one after the last. */
function shortPlace({ place: { at, from, to }, isReferred }: StructureField): string {
  return isReferred ? `#${at.cell}` : `#${at.cell}[${from}..${to}]`;
}

function mapTitle({ entries, branches }: StructureMap): string {
  const count = entries.length === 1 ? '1 entry' : `${entries.length} entries`;
  return branches.length === 0
    ? count
    : `${count} here, ${branches.length} ${branches.length === 1 ? 'branch' : 'branches'} not here`;
}

/** A key: a number up to 64 bits, an account (`0:hex`) of 288, else hex. */
export function keyText(key: string, isSigned: boolean): string {
  if (key.length <= 64) {
    const number = BigInt(`0b${key || '0'}`);
    return (isSigned ? BigInt.asIntN(key.length, number) : number).toString();
  }
  return key.length === 288
    ? `${BigInt.asIntN(32, BigInt(`0b${key.slice(0, 32)}`))}:${hexOfBits(key.slice(32))}`
    : hexOfBits(key);
}

/** A value without fields, on one line. */
export function leafText(
  value: Exclude<StructureValue, { kind: 'record' | 'group' | 'map' }>,
  { address, coin }: StructureTextOptions,
  hash: (cell: number) => string,
): string {
  switch (value.kind) {
    case 'number':
      return numberText(value, coin ?? 'TON');
    case 'variable':
      return value.isCoins ? `${fromNano(value.value)} ${coin ?? 'TON'}` : value.value.toString();
    case 'bits':
      return value.bits === 0 ? 'empty' : value.value;
    case 'flag':
      return value.value ? 'yes' : 'no';
    case 'address':
      return value.value === undefined ? 'none' : (address?.(value.value) ?? value.value);
    case 'none':
      return 'none';
    case 'present':
      return 'yes';
    case 'cell':
      return `cell #${value.cell}, ${hash(value.cell)}`;
    case 'rest':
      return [
        value.bits === 0 ? 'no bits' : `${value.bits} bits ${value.value}`,
        ...value.cells.map((cell) => `#${cell}`),
      ].join(', ');
    case 'misfit':
      return `✗ ${value.reason}`;
  }
}

function numberText(
  { value, unit, bits }: Extract<StructureValue, { kind: 'number' }>,
  coin: string,
): string {
  switch (unit) {
    case undefined:
      return value.toString();
    case 'time':
      return value === 0n ? '0' : `${value} (${isoTime(Number(value)).replace('.000Z', 'Z')})`;
    case 'seconds':
      return `${value} s${value < 120n ? '' : ` (${durationText(Number(value))})`}`;
    case 'milliseconds':
      return `${value} ms`;
    case 'nanocoins':
      return `${fromNano(value)} ${coin}`;
    case 'price':
      return `${value} (${ratio(value, 65_536)} nanocoins)`;
    case 'fraction16':
      return `${value} (${ratio(value, 65_536)})`;
    case 'fraction32':
      return `${value} (${ratio(value, 2 ** 32)})`;
    case 'hex':
      return `0x${value.toString(16).padStart(bits / 4, '0')}`;
  }
}

function ratio(value: bigint, whole: number): string {
  return String(Number((Number(value) / whole).toPrecision(6)));
}

/** `18 h 12 min 16 s`, `30 d` */
function durationText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
