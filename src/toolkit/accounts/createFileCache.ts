import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AccountCache } from './accountSource';

/** A cache of one file per answer in `folder`. A damaged or missing file is only a miss. */
export function createFileCache(folder: string): AccountCache {
  const fileOf = (key: string): string =>
    path.join(folder, `${createHash('sha256').update(key).digest('hex')}.json`);
  return {
    get: async (key) => {
      try {
        const kept = JSON.parse(await readFile(fileOf(key), 'utf8')) as { key: string; value: string };
        return kept.key === key ? kept.value : undefined;
      } catch {
        return undefined;
      }
    },
    set: async (key, value) => {
      await mkdir(folder, { recursive: true });
      const file = fileOf(key);
      // Written aside and renamed: two processes may fill the same cache.
      const aside = `${file}.${process.pid}`;
      await writeFile(aside, JSON.stringify({ key, value }));
      await rename(aside, file);
    },
  };
}
