import type { LayoutSet, LayoutType, StructLayout } from './cellLayout';

/**
 * Text of a struct with a harmless placeholder for each field: numbers are 0, maps are empty, optional values
 * are null.
 * @param address the text for addresses
 */
export function exampleOfLayout(layout: StructLayout, set: LayoutSet, address: string): string {
  return structText(layout, set, address, 0);
}

/** The same for a value of one type; for a union, its first variant. */
export function exampleOfType(type: LayoutType, set: LayoutSet, address: string): string {
  return valueText(type, set, address, 0);
}

/** Maximum nesting; deeper structs are left for the user to fill in. */
const deepest = 8;

function structText(layout: StructLayout, set: LayoutSet, address: string, depth: number): string {
  const fields = layout.cells
    .flat()
    .map(
      ({ name, type, defaultText }) => `${name}: ${defaultText ?? valueText(type, set, address, depth + 1)}`,
    );
  return `{${fields.join(', ')}}`;
}

function valueText(type: LayoutType, set: LayoutSet, address: string, depth: number): string {
  const inner = (part: LayoutType): string => valueText(part, set, address, depth + 1);
  if (depth > deepest) {
    return '…';
  }
  switch (type.kind) {
    case 'int':
    case 'uint':
    case 'varint':
    case 'varuint':
      return '0';
    case 'coins':
      return '0ton';
    case 'bool':
      return 'false';
    case 'address':
      return address;
    case 'text':
      return '""';
    case 'bits':
      return type.bits % 4 === 0 && type.bits <= 256 ? `x{${'0'.repeat(type.bits / 4)}}` : '…';
    case 'cell':
      return type.inner === undefined ? 'b()' : inner(type.inner);
    case 'either':
      return inner(type.inner);
    case 'map':
      return type.key === undefined || type.value === undefined ? 'null' : '{}';
    case 'sequence':
      return `(${type.items.map((item) => inner(item.type)).join(', ')})`;
    case 'struct': {
      const layout = set.structs.get(type.key);
      return layout === undefined ? '…' : structText(layout, set, address, depth);
    }
    case 'enum':
      return [...type.members.values()][0] ?? '0';
    case 'union': {
      const [first] = type.variants;
      const layout = first?.type.kind === 'struct' ? set.structs.get(first.type.key) : undefined;
      return first === undefined ? '…' : (layout === undefined ? '' : `${layout.name} `) + inner(first.type);
    }
    default:
      return type.kind === 'unknown' ? '…' : 'null';
  }
}
