import path from 'node:path';
import { root } from '../../scripts/lib/root.mjs';

/** What the public APIs are like: their described facts and answers that they gave. See the README there. */
export const referenceFolder = path.join(root, 'test/reference');
