import type { AbiField, AbiType } from './abiType';
import { unknownType } from './abiType';

/** What a text declares under a name. */
export interface TypeDeclaration {
  /** Names of its type parameters. */
  parameters: readonly string[];
  /** The type that the name stands for; a struct without its own name resolved. */
  type: AbiType;
}

/** Deeper types are taken for recursive ones. */
const maximumDepth = 24;

/** `type` with every declared name replaced by what it stands for. Names that nobody declares stay names. */
export function resolveType(
  type: AbiType,
  declarations: ReadonlyMap<string, TypeDeclaration>,
  bound: ReadonlyMap<string, AbiType> = new Map(),
  depth = 0,
): AbiType {
  if (depth > maximumDepth) {
    return unknownType;
  }
  const inner = (part: AbiType): AbiType => resolveType(part, declarations, bound, depth + 1);
  switch (type.kind) {
    case 'nullable': {
      const resolved = inner(type.inner);
      return resolved.kind === 'nullable' ? resolved : { ...type, inner: resolved };
    }
    case 'list':
    case 'cellOf':
    case 'enum':
      return { ...type, inner: inner(type.inner) };
    case 'tensor':
    case 'typedTuple':
      return { ...type, items: type.items.map(inner) };
    case 'map':
      return { ...type, key: inner(type.key), value: inner(type.value) };
    case 'struct':
      return {
        ...type,
        fields: type.fields.map((field): AbiField => ({ ...field, type: inner(field.type) })),
      };
    case 'union':
      return { ...type, variants: type.variants.map(inner) };
    case 'named':
      return resolveName({ ...type, arguments: type.arguments.map(inner) }, declarations, bound, depth);
    default:
      return type;
  }
}

function resolveName(
  type: Extract<AbiType, { kind: 'named' }>,
  declarations: ReadonlyMap<string, TypeDeclaration>,
  bound: ReadonlyMap<string, AbiType>,
  depth: number,
): AbiType {
  const parameter = bound.get(type.name);
  if (parameter !== undefined) {
    return parameter;
  }
  const declaration = declarations.get(type.name);
  if (declaration === undefined) {
    return type;
  }
  const own = new Map(
    declaration.parameters.map((name, index) => [name, type.arguments[index] ?? unknownType]),
  );
  return resolveType(declaration.type, declarations, own, depth + 1);
}
