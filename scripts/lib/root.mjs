import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. Avoids import.meta.dirname so that an outdated Node.js gets far enough to be told so. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Everything fetched or unpacked on demand; safe to delete. */
export const cacheFolder = path.join(root, '.cache');
