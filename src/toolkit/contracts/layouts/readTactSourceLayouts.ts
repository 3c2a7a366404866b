import { createHash } from 'node:crypto';
import { readTactTexts } from '../abi/readTactSource';
import { SourceReadings } from '../abi/sourceLanguage';
import { numberOf } from '../abi/tokenize';
import type { TactFieldType } from '../abi/tactFieldType';
import type { TactCells, TactReader, TactUnit } from '../abi/tactReader';
import { limits } from '../../base/limits';
import type { LayoutSet } from './layoutSet';
import { initRow, TactAllocator } from './tactAllocator';
import type { TactStruct } from './tactAllocator';

/**
 * How the structs and messages of a Tact source and its contract's data lie in cells, by the compiler's
 * rules. Messages whose opcode is an expression are left out.
 *
 * @param origin the file, as shown to the user
 * @param contract the contract in the file whose data and messages to read; default: its only one
 * @param imported texts that declare types used here
 * @throws WorkbenchError `over-limit` (input)
 */
export function readTactSourceLayouts(
  origin: string,
  contract: string | undefined,
  text: string,
  imported: readonly string[] = [],
): LayoutSet {
  const { own, all } = readTactTexts(text, imported, new SourceReadings());
  const contracts = [...own.units.values()].filter(({ isContract }) => isContract);
  const unit =
    contracts.find(({ name }) => name === contract) ?? (contracts.length === 1 ? contracts[0] : undefined);
  const received = unit === undefined ? new Set<string>() : receivedBy(unit, all);
  const rows = new Source(all).rows(unit, received);
  const allocator = new TactAllocator(rows, received);
  const structs = new Map(
    [...rows].map(([key, row]) => {
      const layout = allocator.layout(row, row.data !== undefined);
      return [key, unit === undefined ? { ...layout, isMessage: layout.prefix !== undefined } : layout];
    }),
  );
  const initial = unit === undefined || unit.hasParameters ? undefined : initRow(unit.name, unit.init ?? []);
  return {
    ...{ origin, contract: contract ?? unit?.name, structs },
    ...(initial === undefined ? {} : { initial: allocator.layout(initial, false) }),
  };
}

/** Its own messages and those of its traits. */
function receivedBy(unit: TactUnit, all: readonly TactReader[]): Set<string> {
  const units = new Set([unit]);
  for (const { traits } of units) {
    for (const trait of traits) {
      const inherited = all.find((one) => one.units.has(trait))?.units.get(trait);
      if (inherited !== undefined) {
        units.add(inherited);
      }
    }
  }
  return new Set([...units].flatMap((one) => one.received));
}

/** Converts the declarations to the rows of an ABI. */
class Source {
  readonly #signatures = new Map<string, string | undefined>();

  constructor(private readonly all: readonly TactReader[]) {}

  /** The declarations, what the contract receives, and the parts of the standard library that these use. */
  rows(unit: TactUnit | undefined, received: ReadonlySet<string>): Map<string, TactStruct> {
    const rows = new Map<string, TactStruct>();
    const declared = this.all.slice(0, -1).flatMap(({ cells }) => [...cells.values()]);
    const names = declared.filter(({ kind }) => kind !== 'contract').map(({ name }) => name);
    const wanted = new Set([...names, ...received]);
    if (unit !== undefined) {
      const { name, fields } = this.#find(unit.name) ?? { name: unit.name, fields: [] };
      rows.set(`${name}$Data`, {
        name: `${name}$Data`,
        fields,
        data: unit.hasParameters ? 'bare' : 'flagged',
      });
      [...fields, ...(unit.init ?? [])].forEach(({ type }) => addTypes(type, wanted));
    }
    for (const wantedName of wanted) {
      const cells = this.#find(wantedName);
      const header = cells && this.#header(cells);
      if (
        cells !== undefined &&
        cells.kind !== 'contract' &&
        (cells.kind === 'struct' || header !== undefined)
      ) {
        rows.set(wantedName, { name: wantedName, header, fields: cells.fields });
        cells.fields.forEach(({ type }) => addTypes(type, wanted));
      }
    }
    return rows;
  }

  #find(name: string): TactCells | undefined {
    return this.all.find(({ cells }) => cells.has(name))?.cells.get(name);
  }

  /** The opcode as written, or as the compiler computes it: the first 32 bits of the signature's hash. */
  #header({ kind, name, opcode }: TactCells): number | undefined {
    if (kind !== 'message') {
      return undefined;
    }
    if (opcode === undefined) {
      const signature = this.#signature(name, 0);
      return signature === undefined
        ? undefined
        : createHash('sha256').update(signature).digest().readUInt32BE();
    }
    const [word = '', ...others] = opcode;
    const constant = this.all.find(({ constants }) => constants.has(word))?.constants.get(word);
    const value = others.length > 0 ? undefined : (numberOf(word) ?? constant);
    return value === undefined || value > 0xffff_ffffn ? undefined : Number(value);
  }

  /**
   * `Mint{queryId:uint64,to:address}`; undefined if a type is not declared, or the text grows without bounds.
   */
  #signature(name: string, depth: number): string | undefined {
    if (!this.#signatures.has(name)) {
      // A struct cannot contain itself.
      this.#signatures.set(name, undefined);
      const fields = depth > limits.sourceNesting.most ? undefined : this.#find(name)?.fields;
      const parts = fields?.map((field) => {
        const type = this.#fieldSignature(field.type, depth);
        return type === undefined ? undefined : `${field.name}:${type}`;
      });
      const isKnown = parts?.every((part) => part !== undefined) === true;
      const signature = isKnown ? `${name}{${parts.join(',')}}` : undefined;
      this.#signatures.set(name, (signature?.length ?? 0) > limits.sourceText.most ? undefined : signature);
    }
    return this.#signatures.get(name);
  }

  #fieldSignature(field: TactFieldType, depth: number): string | undefined {
    const { kind, type = '', format, optional, key = '', keyFormat, value = '', valueFormat } = field;
    if (kind === 'dict') {
      const [of, to] = [
        this.#typeSignature(key, keyFormat, depth),
        this.#typeSignature(value, valueFormat, depth),
      ];
      return of === undefined || to === undefined ? undefined : `dict<${of}, ${to}>`;
    }
    const base = this.#typeSignature(type, format, depth);
    return base === undefined || optional !== true || base === 'address' ? base : `Maybe ${base}`;
  }

  #typeSignature(type: string, format: TactFieldType['format'], depth: number): string | undefined {
    switch (type) {
      case 'int':
      case 'uint':
        return typeof format === 'string' ? format : `${type}${format ?? ''}`;
      case 'bool':
      case 'address':
        return type;
      case 'cell':
      case 'slice':
      case 'builder':
        return format === 'remainder' ? `remainder<${type}>` : `^${type}`;
      case 'string':
        return '^string';
      case 'fixed-bytes':
        return `fixed_bytes${format ?? ''}`;
      default: {
        const struct = this.#signature(type, depth + 1);
        return struct === undefined || format !== 'ref' ? struct : `^${struct}`;
      }
    }
  }
}

/** Adds the type names in a field's type, structs included. */
function addTypes({ type, value }: TactFieldType, to: Set<string>): void {
  for (const name of [type, value]) {
    if (name !== undefined) {
      to.add(name);
    }
  }
}
