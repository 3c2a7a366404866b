/** A field's type in the notation of Tact's ABI; types in sources are converted to it. */
export interface TactFieldType {
  /** `simple` or `dict`. */
  kind: string;
  /** int, uint, bool, address, cell, slice, builder, string, fixed-bytes, or the name of a struct. */
  type?: string | undefined;
  optional?: boolean | null | undefined;
  /** A number of bits or bytes, `coins`, `varint32`, `remainder`, `ref`. */
  format?: string | number | null | undefined;
  /** For a map. */
  key?: string | undefined;
  keyFormat?: string | number | null | undefined;
  value?: string | undefined;
  valueFormat?: string | number | null | undefined;
}

const simpleNames: ReadonlySet<string> = new Set(['Bool', 'Address', 'Cell', 'Slice', 'Builder', 'String']);

/**
 * The type from a source's tokens: `Int as uint32`, `Address?`, `map<Int as uint8, Point>`, `Point as
 * reference`.
 */
export function tactFieldType(words: readonly string[]): TactFieldType {
  if (words[0] !== 'map') {
    return { kind: 'simple', optional: words.includes('?'), ...simpleType(words) };
  }
  const isOptional = words.at(-1) === '?';
  const comma = words.indexOf(',');
  const key = simpleType(words.slice(2, comma));
  const value = simpleType(words.slice(comma + 1, isOptional ? -2 : -1));
  // Without a width, the compiler's ABI has no format; cells and structs each get a cell to themselves.
  const hasOwnCell = value.type === 'cell' || isStruct(words[comma + 1] ?? '');
  return {
    kind: 'dict',
    ...(isOptional ? { optional: true } : {}),
    key: key.type,
    ...(words.slice(2, comma).includes('as') ? { keyFormat: key.format } : {}),
    value: value.type,
    ...(hasOwnCell
      ? { valueFormat: 'ref' }
      : words.slice(comma + 1).includes('as')
        ? { valueFormat: value.format }
        : {}),
  };
}

function isStruct(name: string): boolean {
  return name !== 'Int' && !simpleNames.has(name);
}

function simpleType(words: readonly string[]): Pick<TactFieldType, 'type' | 'format'> {
  const [name = ''] = words;
  const as = words.includes('as') ? words[words.indexOf('as') + 1] : undefined;
  if (name === 'Int') {
    return integerType(as);
  }
  if (name === 'Slice' && (as === 'bytes32' || as === 'bytes64')) {
    return { type: 'fixed-bytes', format: Number(as.slice('bytes'.length)) };
  }
  const format = as === 'remaining' ? 'remainder' : as === 'reference' ? 'ref' : undefined;
  return {
    type: simpleNames.has(name) ? name.toLowerCase() : name,
    ...(format === undefined ? {} : { format }),
  };
}

function integerType(as: string | undefined): Pick<TactFieldType, 'type' | 'format'> {
  const sized = /^(u?int)(\d+)$/.exec(as ?? 'int257');
  if (sized !== null) {
    return { type: sized[1], format: Number(sized[2]) };
  }
  return { type: as?.startsWith('varint') === true ? 'int' : 'uint', format: as };
}
