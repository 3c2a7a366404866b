import { MalformedCellError, walkDictionary } from '../../cell/light/bitCursor';
import type { LightCell } from '../../cell/light/lightCell';
import { WorkbenchError } from '../../base/errors';

const known = new WeakMap<LightCell, number[] | null>();

/** Compilers' prefix of the method dictionary: SETCP0, then a DICTPUSHCONST with 19-bit keys. */
const prologue = Buffer.from('ff00f4a413', 'hex');

/** Method ids in a contract's code, or null if it has no method dictionary. */
export function contractMethods(code: LightCell): number[] | null {
  let found = known.get(code);
  if (found === undefined) {
    found = read(code);
    known.set(code, found);
  }
  return found;
}

function read(code: LightCell): number[] | null {
  const dictionary = code.refs[0];
  if (dictionary === undefined || !code.data.subarray(0, prologue.length).equals(prologue)) {
    return null;
  }
  const ids: number[] = [];
  try {
    walkDictionary(dictionary, 19, (key) => {
      // Keys are signed; the entry points (0 and below) are not get-methods.
      if (key > 0n && key < 1n << 18n) {
        ids.push(Number(key));
      }
    });
  } catch (error) {
    if (error instanceof MalformedCellError || WorkbenchError.is(error, 'over-limit')) {
      return null;
    }
    throw error;
  }
  return ids;
}
