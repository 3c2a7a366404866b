import { groupBy } from '../../base/collections';
import type { AbiType } from './abiType';
import { slotsOf, typeText, withParts } from './abiType';
import type { TolkHead, TolkHeads } from './tolkHeads';
import { neverType } from './tolkHeads';
import { tolkLibraryHeads } from './tolkLibrary';
import type { TypeDeclaration } from './typeResolver';
import { TypeResolver } from './typeResolver';

/** A function that is called, and what its type parameters stand for there. */
export interface CalledTolkFunction {
  head: TolkHead;
  bound: Map<string, AbiType>;
}

/** What the texts of a Tolk contract and the standard library declare, for finding out the types of values. */
export class TolkTypes {
  readonly #resolver: TypeResolver;
  readonly #functions: ReadonlyMap<string, readonly TolkHead[]>;
  readonly #values: readonly TolkHeads['values'][];
  /** The first words of the types that functions are methods of. */
  readonly #receivers: ReadonlySet<string>;

  /**
   * @param find the declaration of a type of the texts or of the standard library
   * @param heads what the texts declare otherwise
   */
  constructor(
    readonly find: (name: string) => TypeDeclaration | undefined,
    heads: readonly TolkHeads[],
  ) {
    const all = [...heads, tolkLibraryHeads()];
    this.#resolver = new TypeResolver(find);
    this.#functions = groupBy(
      all.flatMap(({ functions }) => functions),
      ({ name }) => name,
    );
    this.#values = all.map(({ values }) => values);
    this.#receivers = new Set(
      [...this.#functions.values()]
        .flat()
        .flatMap(({ receiver }) => (receiver?.kind === 'named' ? receiver.name : [])),
    );
  }

  /** The type with all declared names replaced. */
  resolve(type: AbiType): AbiType {
    return this.#resolver.resolve(type);
  }

  /** Whether a word that could be a type is one; `contract` in `contract.getCode()` counts, too. */
  isType(type: AbiType): boolean {
    return (
      type.kind !== 'named' ||
      this.find(type.name) !== undefined ||
      this.#receivers.has(type.name) ||
      this.#parameter(type) !== undefined
    );
  }

  /** A constant or a global. */
  valueNamed(name: string): ReturnType<TolkHeads['values']['get']> {
    return this.#values.find((values) => values.has(name))?.get(name);
  }

  functionNamed(name: string): CalledTolkFunction | undefined {
    const head = this.#functions.get(name)?.find(({ receiver }) => receiver === undefined);
    return head && { head, bound: new Map() };
  }

  /** The method of a value, or of a type itself; the most specific one, as the compiler chooses it. */
  methodNamed(name: string, on: AbiType): CalledTolkFunction | undefined {
    const methods = (this.#functions.get(name) ?? []).filter(({ receiver }) => receiver !== undefined);
    const resolved = this.resolve(on);
    const fits: ((receiver: AbiType) => boolean)[] = [
      (receiver) => typeText(receiver) === typeText(on),
      (receiver) => typeText(this.resolve(receiver)) === typeText(resolved),
      // A value of a narrower type has the methods of the wider one.
      (receiver) => receiver.kind === 'int' && receiver.bits === undefined && isNumber(resolved),
      (receiver) => receiver.kind === 'nullable' && typeText(receiver.inner) === typeText(resolved),
    ];
    for (const fit of fits) {
      const head = methods.find(({ receiver }) => receiver !== undefined && fit(receiver));
      if (head !== undefined) {
        return { head, bound: new Map() };
      }
    }
    const generic = methods.flatMap((head) => {
      const bound = new Map<string, AbiType>();
      const isFitting = head.receiver !== undefined && this.bind(head.receiver, on, bound);
      return isFitting ? [{ head, bound }] : [];
    });
    return generic.find(({ head }) => this.#parameter(head.receiver) === undefined) ?? generic[0];
  }

  /**
   * Finds out what type parameters stand for.
   * @param pattern a type with parameters
   * @param bound what is found is added to it
   * @returns whether the type is one of the pattern
   */
  bind(pattern: AbiType, type: AbiType, bound: Map<string, AbiType>): boolean {
    const parameter = this.#parameter(pattern);
    if (parameter !== undefined) {
      const before = bound.get(parameter);
      bound.set(parameter, before ?? type);
      return before === undefined || typeText(before) === typeText(type);
    }
    if (pattern.kind === 'named' && pattern.arguments.length > 0) {
      const [name, given] =
        type.kind === 'struct'
          ? [type.name, type.arguments]
          : type.kind === 'named'
            ? [type.name, type.arguments]
            : [];
      return name === pattern.name && given !== undefined && this.#bindAll(pattern.arguments, given, bound);
    }
    if (pattern.kind !== type.kind) {
      const resolved = this.resolve(type);
      return resolved.kind === type.kind ? false : this.bind(pattern, resolved, bound);
    }
    switch (pattern.kind) {
      case 'nullable':
      case 'list':
      case 'array':
      case 'cellOf':
        return 'inner' in type && this.bind(pattern.inner, type.inner, bound);
      case 'map':
        return (
          type.kind === 'map' && this.#bindAll([pattern.key, pattern.value], [type.key, type.value], bound)
        );
      case 'tensor':
      case 'typedTuple':
        return 'items' in type && this.#bindAll(pattern.items, type.items, bound);
      default:
        return typeText(pattern) === typeText(type);
    }
  }

  #bindAll(patterns: readonly AbiType[], types: readonly AbiType[], bound: Map<string, AbiType>): boolean {
    return (
      patterns.length === types.length &&
      patterns.every(
        (pattern, place) => types[place] !== undefined && this.bind(pattern, types[place], bound),
      )
    );
  }

  /** The name of a type parameter; undefined for other types. */
  #parameter(type: AbiType | undefined): string | undefined {
    return type?.kind === 'named' &&
      type.arguments.length === 0 &&
      /^(?:[A-Z]\d?|T[A-Z]\w{0,40})$/.test(type.name) &&
      this.find(type.name) === undefined
      ? type.name
      : undefined;
  }

  /** The type of a field, or of an item by its number; undefined if it is not known. */
  partOf(type: AbiType, name: string): AbiType | undefined {
    const resolved = this.resolve(type);
    switch (resolved.kind) {
      case 'struct':
        return resolved.fields.find((field) => field.name === name)?.type;
      case 'tensor':
      case 'typedTuple':
        return /^\d{1,3}$/.test(name) ? resolved.items[Number(name)] : undefined;
      case 'array':
        return /^\d{1,3}$/.test(name) ? resolved.inner : undefined;
      default:
        return undefined;
    }
  }

  /** The type of a value that has one of two types; undefined where the compiler asks for a declared one. */
  joined(a: AbiType | undefined, b: AbiType | undefined): AbiType | undefined {
    if (a === undefined || b === undefined) {
      return undefined;
    }
    if (a === neverType || b === neverType) {
      return a === neverType ? b : a;
    }
    if (typeText(a) === typeText(b)) {
      return a;
    }
    const [one, other] = [this.resolve(a), this.resolve(b)];
    if (typeText(one) === typeText(other)) {
      return one;
    }
    if (one.kind === 'null' || other.kind === 'null') {
      return this.resolve({ kind: 'nullable', inner: one.kind === 'null' ? b : a });
    }
    if (one.kind === 'nullable' || other.kind === 'nullable') {
      const inner = this.joined(withoutNull(one), withoutNull(other));
      return inner && { kind: 'nullable', inner };
    }
    if ((one.kind === 'tensor' || one.kind === 'typedTuple') && one.kind === other.kind) {
      const items = one.items.map((item, place) => this.joined(item, other.items[place]));
      const known = items.filter((item) => item !== undefined);
      return known.length === one.items.length && known.length === other.items.length
        ? { ...one, items: known }
        : undefined;
    }
    return undefined;
  }

  /** The type of what remains of a value that is not of a type, such as null. */
  without(type: AbiType, excluded: AbiType): AbiType | undefined {
    const resolved = this.resolve(type);
    if (excluded.kind === 'null' && resolved.kind === 'nullable') {
      return resolved.inner;
    }
    if (resolved.kind === 'nullable') {
      return typeText(this.resolve(excluded)) === typeText(resolved.inner) ? { kind: 'null' } : resolved;
    }
    if (resolved.kind !== 'union') {
      return resolved;
    }
    const text = typeText(this.resolve(excluded));
    const variants = resolved.variants.filter((variant) => typeText(variant) !== text);
    return variants.length === 0 ? undefined : this.resolve({ kind: 'union', variants });
  }

  /** A result as it is told: undefined if a part of it is declared nowhere, so that its place on the stack is unknown. */
  told(type: AbiType, find: (name: string) => TypeDeclaration | undefined): AbiType | undefined {
    const resolved = type === neverType ? ({ kind: 'void' } as const) : new TypeResolver(find).resolve(type);
    return slotsOf(resolved) === undefined ? undefined : resolved;
  }
}

/** The type with what its parameters stand for. */
export function withBound(type: AbiType, bound: ReadonlyMap<string, AbiType>): AbiType {
  const own = type.kind === 'named' && type.arguments.length === 0 ? bound.get(type.name) : undefined;
  return own ?? (bound.size === 0 ? type : withParts(type, (part) => withBound(part, bound)));
}

function withoutNull(type: AbiType): AbiType {
  return type.kind === 'nullable' ? type.inner : type;
}

function isNumber({ kind }: AbiType): boolean {
  return kind === 'int' || kind === 'coins';
}
