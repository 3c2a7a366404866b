import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. Not by import.meta.dirname: an old Node.js has to get as far as being told so. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Everything that is fetched or unpacked on demand lives here; safe to delete. */
export const cacheFolder = path.join(root, '.cache');
