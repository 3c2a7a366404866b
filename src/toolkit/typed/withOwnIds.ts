import type { AbiType } from '../abi/abiType';
import { withParts } from '../abi/abiType';

/** The type with ids of its own where only the compiler knows them: for values that are read and compared here. */
export function withOwnIds(type: AbiType): AbiType {
  const own = withParts(type, withOwnIds);
  switch (own.kind) {
    case 'nullable':
      return { ...own, typeId: own.typeId ?? 1 };
    case 'union':
      return {
        ...own,
        typeIds: own.typeIds ?? own.variants.map(({ kind }, place) => (kind === 'null' ? 0 : place + 1)),
      };
    default:
      return own;
  }
}
