import type { AbiType } from '../abi/abiType';
import { withParts } from '../abi/abiType';
import type { LayoutSet, LayoutType, StructLayout } from '../layouts/cellLayout';
import { fieldLayout, TactAllocator } from '../layouts/tactAllocator';
import type { TactStruct } from '../layouts/tactAllocator';
import { TolkLayouts } from '../layouts/tolkLayouts';

/** How values of a type lie in a cell. */
export interface TypeLayout {
  type: LayoutType;
  /** The structs in it. */
  set: LayoutSet;
}

const known = new WeakMap<AbiType, TypeLayout>();

/**
 * How values of a declared type lie in a cell, by the rules of its language.
 * @throws WorkbenchError `over-limit` (input)
 */
export function typeLayout(type: AbiType): TypeLayout {
  const found = known.get(type) ?? (isTactMap(type) ? tactMapLayout(type) : tolkLayout(type));
  known.set(type, found);
  return found;
}

function tolkLayout(type: AbiType): TypeLayout {
  const layouts = new TolkLayouts();
  return withStructs(layouts.layoutOf(type), layouts.structs);
}

type TactMap = Extract<AbiType, { kind: 'map' }> & { stored: NonNullable<unknown> };

/** Only maps hold cells of known types in Tact. */
function isTactMap(type: AbiType): type is TactMap {
  return type.kind === 'map' && type.stored !== undefined;
}

function tactMapLayout(type: TactMap): TypeLayout {
  const rows = new Map<string, TactStruct>();
  collectStructs(type.value, rows);
  const allocator = new TactAllocator(rows, new Set());
  const structs = [...rows].map(([name, row]) => [name, allocator.layout(row, false)] as const);
  return withStructs(fieldLayout(type.stored), new Map(structs));
}

function collectStructs(type: AbiType, rows: Map<string, TactStruct>): AbiType {
  if (type.kind === 'struct' && type.customName === undefined && !rows.has(type.name)) {
    const fields = type.fields.flatMap(({ name, stored }) =>
      stored === undefined ? [] : [{ name, type: stored }],
    );
    rows.set(type.name, { name: type.name, header: type.prefix && Number(type.prefix.value), fields });
  }
  return withParts(type, (part) => collectStructs(part, rows));
}

function withStructs(type: LayoutType, structs: ReadonlyMap<string, StructLayout>): TypeLayout {
  return { type, set: { origin: '', contract: undefined, structs } };
}
