import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Frees unreferenced memory, so that memory use can be measured. */
export function collectGarbage(): void {
  collect();
}
