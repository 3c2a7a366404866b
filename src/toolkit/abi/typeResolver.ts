import { limits } from '../limits';
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
        return resolved.inner.kind === 'nullable' ? resolved.inner : resolved;
      case 'named':
        return this.#named(resolved, bound, depth);
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
    const resolved = this.resolve(declaration.type, own, depth + 1);
    this.#known.set(key, resolved);
    return resolved;
  }
}
