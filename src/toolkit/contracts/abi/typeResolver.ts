import { limits } from '../../base/limits';
import type { AbiType } from './abiType';
import { boundedType, largeType, typeText, unknownType, withParts } from './abiType';

/** The declaration of a name in a text. */
export interface TypeDeclaration {
  /** Names of its type parameters. */
  parameters: readonly string[];
  /** The type that the name refers to; a struct without its own name resolved. */
  type: AbiType;
}

/** Deeper types are assumed to be recursive. */
const maximumDepth = 24;

/**
 * Replaces every declared name in a type with its definition. Undeclared names stay names. Each name is resolved
 * once; a type that expands beyond the limits is reported as too large.
 */
export class TypeResolver {
  readonly #known = new Map<string, AbiType>();
  #steps = 0;

  /** @param find the declaration of a name, if there is one */
  constructor(private readonly find: (name: string) => TypeDeclaration | undefined) {}

  resolve(type: AbiType, bound: ReadonlyMap<string, AbiType> = new Map(), depth = 0): AbiType {
    if (depth > maximumDepth) {
      return unknownType;
    }
    this.#steps++;
    return this.#steps > limits.typeSteps.most ? largeType : boundedType(this.#parts(type, bound, depth));
  }

  #parts(type: AbiType, bound: ReadonlyMap<string, AbiType>, depth: number): AbiType {
    const resolved = withParts(type, (part) => this.resolve(part, bound, depth + 1));
    switch (resolved.kind) {
      case 'nullable':
        return nullable(resolved);
      case 'union':
        return unionOf(resolved.variants);
      case 'named': {
        const found = this.#named(resolved, bound, depth);
        return resolved.customName === undefined ? found : { ...found, customName: resolved.customName };
      }
      default:
        return resolved;
    }
  }

  #named(
    type: Extract<AbiType, { kind: 'named' }>,
    bound: ReadonlyMap<string, AbiType>,
    depth: number,
  ): AbiType {
    const parameter = bound.get(type.name);
    if (parameter !== undefined) {
      return parameter;
    }
    const declaration = this.find(type.name);
    if (declaration === undefined) {
      return type;
    }
    const key = typeText(type);
    const known = this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    // A type that contains itself, directly or not, stays a name there.
    this.#known.set(key, type);
    const own = new Map(
      declaration.parameters.map((name, index) => [name, type.arguments[index] ?? unknownType]),
    );
    const found = this.resolve(declaration.type, own, depth + 1);
    const resolved: AbiType =
      found.kind === 'struct' && declaration.type.kind === 'struct' && type.arguments.length > 0
        ? { ...found, arguments: type.arguments }
        : found;
    this.#known.set(key, resolved);
    return resolved;
  }
}

type Nullable = Extract<AbiType, { kind: 'nullable' }>;

function nullable(type: Nullable): AbiType {
  switch (type.inner.kind) {
    // A dictionary is null if it is empty, and a type that is nullable twice is so once.
    case 'nullable':
    case 'null':
    case 'dictionary':
      return type.inner;
    case 'union':
      return unionOf([...type.inner.variants, { kind: 'null' }]);
    default:
      return type;
  }
}

/** A union within a union is part of it, `T | null` is the same as `T?`, and a type counts once. */
function unionOf(variants: readonly AbiType[]): AbiType {
  const flat = variants.flatMap((variant) =>
    variant.kind === 'union'
      ? variant.variants
      : variant.kind === 'nullable'
        ? [variant.inner, nullType]
        : [variant],
  );
  const hasNull = flat.some(({ kind }) => kind === 'null');
  const byText = new Map(flat.map((variant) => [typeText(variant), variant]));
  const rest = [...byText.values()].filter(({ kind }) => kind !== 'null');
  const [only] = rest;
  if (only !== undefined && rest.length === 1) {
    return hasNull ? nullable({ kind: 'nullable', inner: only }) : only;
  }
  return { kind: 'union', variants: hasNull ? [...rest, nullType] : rest };
}

const nullType: AbiType = { kind: 'null' };
