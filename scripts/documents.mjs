// npm run docs: writes docs/api.md from the endpoint tables, and docs/limits.md from the table of limits.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setUp } from './setup.mjs';
import { cacheFolder, root } from './lib/root.mjs';

await setUp();
const { build } = await import('esbuild');
const outfile = path.join(cacheFolder, 'documents.mjs');
await build({
  absWorkingDir: root,
  stdin: {
    contents: `export { renderApiDocument } from './src/toolkit/access/renderApiDocument';
      export { renderLimitsDocument } from './src/toolkit/renderLimitsDocument';`,
    resolveDir: root,
  },
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'warning',
});
/** @type {{ renderApiDocument(): string, renderLimitsDocument(): string }} */
const { renderApiDocument, renderLimitsDocument } = await import(pathToFileURL(outfile).href);
await mkdir(path.join(root, 'docs'), { recursive: true });
await writeFile(path.join(root, 'docs/api.md'), renderApiDocument());
await writeFile(path.join(root, 'docs/limits.md'), renderLimitsDocument());
await rm(outfile);
