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
}

let made: ProductionBuild | undefined;

/** The product as it is shipped, built once for all suites of this process and removed when it ends. */
export function productionBuild(): ProductionBuild {
  made ??= build();
  return made;
}

function build(): ProductionBuild {
  mkdirSync(cacheFolder, { recursive: true });
  const folder = mkdtempSync(path.join(cacheFolder, 'production-'));
  onEnd(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, [path.join(root, 'esbuild.mjs'), '--production', `--outdir=${folder}`]);
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
  };
}
