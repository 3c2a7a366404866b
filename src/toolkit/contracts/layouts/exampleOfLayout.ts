import { plainName } from '../abi/projectContract';
import { WorkbenchError } from '../../base/errors';
import { countsJettons } from '../opcodes/countsJettons';
import { fileName } from '../../base/text';
import type { LayoutField, LayoutSet, LayoutType, StructLayout } from './layoutSet';
import { encodeField } from './encodeByLayout';

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
      (field) =>
        `${field.name}: ${plainDefault(field, set) ?? codeText(field, set) ?? jettonPlaceholder(field, layout, set) ?? valueText(field.type, set, address, depth + 1)}`,
    );
  return `{${fields.join(', ')}}`;
}

/** The default in the source, if it is a plain value and not an expression. */
export function plainDefault(field: LayoutField, set: LayoutSet): string | undefined {
  try {
    return field.defaultText !== undefined && encodeField(field.defaultText, field, set)
      ? field.defaultText
      : undefined;
  } catch (error) {
    if (WorkbenchError.is(error, 'stack-text-invalid')) {
      return undefined;
    }
    throw error;
  }
}

/** `code JettonWallet`, for a field that holds the code of a contract of the project. */
export function codeText(field: LayoutField, set: LayoutSet): string | undefined {
  const code = codeOfField(field, set);
  return code === undefined ? undefined : `code ${code}`;
}

/** The placeholder for an amount of jettons, which has no unit; undefined for any other field. */
export function jettonPlaceholder(
  { name, type }: LayoutField,
  layout: StructLayout,
  set: LayoutSet,
): string | undefined {
  if (type.kind !== 'coins') {
    return undefined;
  }
  const { prefix, cells } = layout;
  const opcode = prefix?.bits === 32 ? Number(prefix.value) : undefined;
  const fields = cells.find((cell) => cell.some((one) => one.name === name)) ?? [];
  const order = fields.filter((one) => one.type.kind === 'coins').map((one) => one.name);
  return countsJettons({ name, opcode, order, ofJetton: set.ofJetton }) ? '0' : undefined;
}

/** So many zero bits: a number of bits that is no multiple of four ends with a one that does not count. */
function zeroBits(bits: number): string {
  const rest = ['', '4_', '2_', '1_'][bits % 4] ?? '';
  return `x{${'0'.repeat(Math.floor(bits / 4))}${rest}}`;
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
      return zeroBits(type.bits);
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

/** Whether a field is a code, by its name and type: `walletCode: cell`. */
export function isCodeField({ name, type }: LayoutField): boolean {
  return type.kind === 'cell' && type.inner === undefined && /code$/i.test(name);
}

/**
 * The contract of the project whose code a field named like it holds, as a text names it: `JettonWallet` for
 * `walletCode` or `jetton_wallet_code`; undefined if none or several are called so.
 */
export function codeOfField(field: LayoutField, { codes = [] }: LayoutSet): string | undefined {
  const word = plainName(field.name.replace(/_?code$/i, ''));
  if (!isCodeField(field) || word === '') {
    return undefined;
  }
  const named = codes.map((code) => ({ code, plain: plainName(fileName(code).replace(/\.[a-z]+$/i, '')) }));
  const exact = named.filter(({ plain }) => plain === word);
  const ending = named.filter(({ plain }) => plain.endsWith(word));
  // Nearest first: of contracts of one name in several folders, the one beside it is meant.
  const found = exact.length > 0 ? exact : ending;
  return new Set(found.map(({ plain }) => plain)).size === 1 ? found[0]?.code : undefined;
}
