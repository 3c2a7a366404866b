import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Frees what nothing refers to any more, so that memory can be measured. */
export function collectGarbage(): void {
  collect();
}
