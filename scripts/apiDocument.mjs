// npm run docs: writes docs/api.md from the endpoint tables.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setUp } from './setup.mjs';
import { cacheFolder, root } from './lib/root.mjs';

await setUp();
const { build } = await import('esbuild');
const outfile = path.join(cacheFolder, 'apiDocument.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['src/toolkit/access/apiDocument.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'warning',
});
/** @type {{ renderApiDocument(): string }} */
const { renderApiDocument } = await import(pathToFileURL(outfile).href);
await mkdir(path.join(root, 'docs'), { recursive: true });
await writeFile(path.join(root, 'docs/api.md'), renderApiDocument());
await rm(outfile);
