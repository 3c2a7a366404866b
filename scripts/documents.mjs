// npm run docs: writes docs/api.md from the endpoint tables, docs/limits.md from the table of limits, the list of
// control commands in docs/local-network.md, the picture of the house in docs/architecture.md, and the tools for agents
// in package.json.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setUp } from './setup.mjs';
import { renderHouse } from './lib/renderHouse.mjs';
import { cacheFolder, root } from './lib/root.mjs';

await setUp();
const { build } = await import('esbuild');
const outfile = path.join(cacheFolder, 'documents.mjs');
/** @param {string} contents what is imported, in one file; what a part loads later is a copy of its own */
const load = async (contents) => {
  await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  return import(`${pathToFileURL(outfile).href}?${contents.length}`);
};
/**
 * @typedef {{ method: string, purpose: string, parameters?: Record<string, string> }} CommandRow
 * @type {{ renderApiDocument(): string, renderLimitsDocument(): string, controlApi: Record<string, CommandRow> }}
 */
const { renderApiDocument, renderLimitsDocument, controlApi } = await load(
  `export { renderApiDocument } from './scripts/lib/renderApiDocument';
   export { renderLimitsDocument } from './scripts/lib/renderLimitsDocument';
   export { controlApi } from './src/toolkit/localnet/control/controlApi';`,
);
/** @type {{ declaredTools(): import('./lib/renderAgentTools').DeclaredTools }} */
const { declaredTools } = await load(`export { declaredTools } from './scripts/lib/renderAgentTools';`);
await mkdir(path.join(root, 'docs'), { recursive: true });
await writeFile(path.join(root, 'docs/api.md'), renderApiDocument());
await writeFile(path.join(root, 'docs/limits.md'), renderLimitsDocument());
const { format } = await import('prettier');
const localNetwork = path.join(root, 'docs/local-network.md');
const commands = Object.entries(controlApi).map(([name, { method, purpose, parameters = {} }]) => {
  const names = Object.entries(parameters).map(([one, presence]) =>
    presence === 'optional' ? `${one}?` : one,
  );
  return `- \`${method} ${name}\`${names.length === 0 ? '' : ` (${names.join(', ')})`}: ${purpose}`;
});
const text = (await readFile(localNetwork, 'utf8')).replace(/- `GET status`[\s\S]*?(?=\n\n)/, () =>
  commands.join('\n'),
);
await writeFile(localNetwork, await format(text, { parser: 'markdown', printWidth: 110 }));
const architecture = path.join(root, 'docs/architecture.md');
const house = (await readFile(architecture, 'utf8')).replace(/```mermaid[\s\S]*?```/, renderHouse);
await writeFile(architecture, house);
const { languageModelTools, titles } = declaredTools();
const manifestFile = path.join(root, 'package.json');
const manifest = JSON.parse(await readFile(manifestFile, 'utf8'));
manifest.contributes.languageModelTools = languageModelTools;
await writeFile(manifestFile, await format(JSON.stringify(manifest), { parser: 'json-stringify' }));
const textsFile = path.join(root, 'package.nls.json');
const texts = Object.entries(JSON.parse(await readFile(textsFile, 'utf8')));
const others = texts.filter(([key]) => !key.startsWith('tool.'));
const all = Object.fromEntries([...others, ...Object.entries(titles)]);
await writeFile(textsFile, await format(JSON.stringify(all), { parser: 'json-stringify' }));
await rm(outfile);
