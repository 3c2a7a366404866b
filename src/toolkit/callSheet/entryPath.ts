import { slotsOf } from '../abi/abiType';
import type { AbiType } from '../abi/abiType';
import type { PathPart } from './callSheet';
import { partNames, partType } from './typeParts';

/**
 * The path by names to an entry of the stack; undefined if the types do not say which part of the answer it
 * is, so that only the entry itself can be used.
 */
export function entryPath(result: AbiType | undefined, path: readonly number[]): PathPart[] | undefined {
  if (result === undefined || result.kind === 'unknown') {
    return undefined;
  }
  const isSpread = result.kind === 'tensor' || (result.kind === 'struct' && result.asTuple !== true);
  // An answer with a single value has only entry 0.
  const steps = isSpread ? path : path.slice(1);
  if (!isSpread && path[0] !== 0) {
    return undefined;
  }
  const parts: PathPart[] = [];
  let type: AbiType = result;
  for (const index of steps) {
    const names = partNames(type);
    const isEven = names?.every((name) => slotsOf(partType(type, name) ?? { kind: 'void' }) === 1);
    const name = names?.[index];
    const next: AbiType | undefined = name === undefined ? undefined : partType(type, name);
    if (isEven !== true || name === undefined || next === undefined) {
      return undefined;
    }
    parts.push({ kind: 'name', at: { text: name, offset: 0, length: 0 } });
    type = next;
  }
  return parts;
}
