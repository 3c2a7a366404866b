import type { TypePrefix } from '../abi/abiType';
import type { TlbDeclaration, TlbField, TlbType } from '../abi/readTlbComments';
import { tlbName } from '../abi/readTlbComments';
import { WorkBudget } from '../../base/limits';
import type { LayoutField, LayoutType, StructLayout } from './layoutSet';
import { boundedLayout } from './layoutSet';

/** A constructor as a struct. */
interface TlbLayout {
  key: string;
  layout: StructLayout;
  /** undefined for fields that are grouped in a cell: `^[ … ]`. */
  declaration: TlbDeclaration | undefined;
}

/** Converts TL-B constructors to layouts. The first of several with the same name and type wins. */
export class TlbLayouts {
  readonly #declared = new Map<string, { declaration: TlbDeclaration; prefix: TypePrefix | undefined }>();
  readonly #groups = new Map<string, StructLayout>();
  readonly #steps = new WorkBudget('typeSteps');

  add(declaration: TlbDeclaration, prefix: TypePrefix | undefined): void {
    const key = keyOf(declaration);
    if (!this.#declared.has(key)) {
      this.#declared.set(key, { declaration, prefix });
    }
  }

  /** @throws WorkbenchError `over-limit` (input) */
  all(): TlbLayout[] {
    const laid = [...this.#declared].map(([key, { declaration, prefix }]) => ({
      key,
      declaration,
      layout: this.#struct(tlbName(declaration), prefix, declaration.fields, key),
    }));
    return [...laid, ...[...this.#groups].map(([key, layout]) => ({ key, layout, declaration: undefined }))];
  }

  #struct(
    name: string,
    prefix: TypePrefix | undefined,
    fields: readonly TlbField[],
    key: string,
  ): StructLayout {
    const last = fields.at(-1);
    // Fields of a cell without a name are the struct's own, continued; that is only possible at the end.
    const isContinued =
      last?.name === undefined && last?.type.kind === 'reference' && last.type.inner.kind === 'fields';
    const inner = isContinued && last.type.kind === 'reference' ? last.type.inner : undefined;
    const cells =
      inner?.kind === 'fields' && isFlat(inner.fields)
        ? [this.#fields(fields.slice(0, -1), key), this.#fields(inner.fields, key)]
        : [this.#fields(fields, key)];
    return { name, prefix, cells, isStorage: false, isMessage: false };
  }

  #fields(fields: readonly TlbField[], key: string): LayoutField[] {
    return fields.map(({ name, type }, place) => {
      const called = name ?? `ref${place}`;
      const laid = this.#type(type, `${key}.${called}`);
      // The standards count jettons and coins in the same type; where it is coins, the name says so.
      const isCoins =
        laid.kind === 'varuint' && laid.lengthBits === 4 && /(?:^|_)(?:ton|grams)/i.test(called);
      return { name: called, type: isCoins ? { kind: 'coins' } : laid };
    });
  }

  #type(type: TlbType, key: string): LayoutType {
    this.#steps.spend();
    switch (type.kind) {
      case 'number':
        return unknown(type.value.toString());
      case 'reference':
        return this.#reference(type.inner, key);
      case 'fields':
        return this.#group(type.fields, key);
      case 'named':
        return boundedLayout(this.#named(type, key));
    }
  }

  /** What nothing describes is still a cell. */
  #reference(inner: TlbType, key: string): LayoutType {
    const laid = this.#type(inner, key);
    return laid.kind === 'unknown' || laid.kind === 'rest'
      ? { kind: 'cell' }
      : boundedLayout({ kind: 'cell', inner: laid });
  }

  #group(fields: readonly TlbField[], key: string): LayoutType {
    const name = key.slice(key.lastIndexOf('.') + 1);
    this.#groups.set(key, this.#struct(name, undefined, fields, key));
    return { kind: 'struct', key };
  }

  #named({ name, arguments: given }: Extract<TlbType, { kind: 'named' }>, key: string): LayoutType {
    const [first, second] = given;
    const inner = (part: TlbType | undefined): LayoutType =>
      part === undefined ? unknown(name) : this.#type(part, key);
    switch (name) {
      case 'Maybe':
        return { kind: 'maybe', inner: inner(first) };
      case 'Either':
        // The same value, in place or in a reference.
        return first !== undefined &&
          second?.kind === 'reference' &&
          tlbTypeText(second.inner) === tlbTypeText(first)
          ? { kind: 'either', inner: inner(first) }
          : either(inner(first), inner(second));
      case 'HashmapE':
      // As comments of several contracts spell it.
      case 'HashMapE':
        return { kind: 'map', key: keyType(first), value: inner(second) };
      case 'VarUInteger':
      case 'VarInteger': {
        const size = first?.kind === 'number' ? first.value : 0;
        const kind = name === 'VarUInteger' ? 'varuint' : 'varint';
        return size === 16 || size === 32
          ? { kind, lengthBits: size === 16 ? 4 : 5 }
          : unknown(`${name} ${size}`);
      }
      default:
        return numberType(name, first) ?? plainType(name) ?? this.#declaredType(name);
    }
  }

  /** A type of the comments: its only constructor, or the union of several by their tags. */
  #declaredType(name: string): LayoutType {
    const found = [...this.#declared].filter(([, { declaration }]) => declaration.type === name);
    const [only] = found;
    if (only === undefined) {
      return unknown(`${name}, which no comment describes`);
    }
    if (found.length === 1) {
      return { kind: 'struct', key: only[0] };
    }
    const variants = found.flatMap(([key, { prefix }]) =>
      prefix === undefined ? [] : [{ prefix, own: false, type: { kind: 'struct', key } as const }],
    );
    return variants.length === found.length
      ? { kind: 'union', variants }
      : unknown(`${name}, whose constructors have no tags`);
  }
}

function keyOf(declaration: TlbDeclaration): string {
  return `${declaration.type}.${tlbName(declaration)}`;
}

/** Whether all fields have names, so that they can stand among those of another struct. */
function isFlat(fields: readonly TlbField[]): boolean {
  return fields.every(({ name }) => name !== undefined);
}

function either(left: LayoutType, right: LayoutType): LayoutType {
  return {
    kind: 'union',
    variants: [
      { prefix: { value: 0n, bits: 1 }, own: true, type: left },
      { prefix: { value: 1n, bits: 1 }, own: true, type: right },
    ],
  };
}

/** Keys of 267 bits are addresses without anycast. */
function keyType(size: TlbType | undefined): LayoutType | undefined {
  const bits = size?.kind === 'number' ? size.value : 0;
  return bits === 267 ? { kind: 'address', isRequired: true } : inRange('uint', bits, 256);
}

/** `uint64`, `int8`, `bits256`, `#`, `(## 8)`, `(#<= 60)`, `(bits 256)`. */
function numberType(name: string, argument: TlbType | undefined): LayoutType | undefined {
  const value = argument?.kind === 'number' ? argument.value : undefined;
  switch (name) {
    case '#':
      return { kind: 'uint', bits: 32 };
    case '##':
      return value === undefined ? undefined : inRange('uint', value, 256);
    case '#<':
      return value === undefined ? undefined : inRange('uint', (value - 1).toString(2).length, 32);
    case '#<=':
      return value === undefined ? undefined : inRange('uint', value.toString(2).length, 32);
  }
  const [, word, digits] = /^(uint|int|bits)(\d{1,4})?$/.exec(name) ?? [];
  const bits = digits === undefined ? value : Number(digits);
  if (word === undefined || bits === undefined) {
    return undefined;
  }
  return word === 'uint'
    ? inRange('uint', bits, 256)
    : word === 'int'
      ? inRange('int', bits, 257)
      : inRange('bits', bits, 1023);
}

function inRange(kind: 'int' | 'uint' | 'bits', bits: number, most: number): LayoutType | undefined {
  return bits >= 1 && bits <= most ? { kind, bits } : undefined;
}

function plainType(name: string): LayoutType | undefined {
  switch (name) {
    case 'Coins':
    case 'Grams':
      return { kind: 'coins' };
    case 'Bool':
      return { kind: 'bool' };
    case 'Bit':
      return { kind: 'uint', bits: 1 };
    case 'Unit':
    case 'True':
      return { kind: 'none' };
    case 'MsgAddress':
      return { kind: 'address' };
    case 'MsgAddressInt':
      return { kind: 'address', isRequired: true };
    case 'Cell':
    case 'Any':
      return { kind: 'rest' };
    default:
      return undefined;
  }
}

function unknown(what: string): LayoutType {
  return { kind: 'unknown', what };
}

/**
 * A constructor without its tag as TEP standards take the checksum of: without parentheses and semicolon, one space
 * between words (`ping query_id:uint64 payload:Maybe ^Cell = InternalMsgBody`).
 */
export function tlbText({ name, fields, type }: TlbDeclaration): string {
  return [name, ...fields.map(fieldText), '=', type].join(' ');
}

function fieldText({ name, type }: TlbField): string {
  return name === undefined ? tlbTypeText(type) : `${name}:${tlbTypeText(type)}`;
}

/** `Maybe ^Cell` */
function tlbTypeText(type: TlbType): string {
  switch (type.kind) {
    case 'number':
      return type.value.toString();
    case 'reference':
      return `^${tlbTypeText(type.inner)}`;
    case 'fields':
      return `[ ${type.fields.map(fieldText).join(' ')} ]`;
    case 'named':
      return [type.name, ...type.arguments.map(tlbTypeText)].join(' ');
  }
}
