import type { Metafile } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { onEnd } from '../../scripts/lib/cleanUp.mjs';
import { cacheFolder, root } from '../../scripts/lib/root.mjs';

/** What `npm run package` packs, built into a folder of its own. */
export interface ProductionBuild {
  folder: string;
  /** Names relative to the folder: `extension.js`, `chunks/…`. */
  outputs: Record<string, Metafile['outputs'][string]>;
  remove: () => void;
}

/** Builds the product as it is shipped. */
export function productionBuild(): ProductionBuild {
  mkdirSync(cacheFolder, { recursive: true });
  const folder = mkdtempSync(path.join(cacheFolder, 'production-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  onEnd(remove);
  execFileSync(process.execPath, [
    path.join(root, 'esbuild.mjs'),
    '--production',
    '--extension',
    `--outdir=${folder}`,
  ]);
  const { outputs } = JSON.parse(readFileSync(path.join(folder, 'meta.json'), 'utf8')) as Metafile;
  const relative = (name: string): string =>
    path.relative(folder, path.join(root, name)).replaceAll('\\', '/');
  return {
    folder,
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([name, output]) => [
        relative(name),
        { ...output, imports: output.imports.map((one) => ({ ...one, path: relative(one.path) })) },
      ]),
    ),
    remove,
  };
}
