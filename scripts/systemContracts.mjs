// npm run contracts: compiles the local network's own contracts into src/toolkit/localnet/system/systemCodes.ts.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setUp } from './setup.mjs';
import { root } from './lib/root.mjs';

await setUp();
const { runTolkCompiler } = await import('@ton/tolk-js');
const folder = path.join(root, 'src/toolkit/localnet/system');
const names = ['config', 'elector', 'dnsResolver', 'domainItem'];

/** @param {string} name */
const compile = async (name) => {
  const file = `${name}.tolk`;
  const source = await readFile(path.join(folder, 'contracts', file), 'utf8');
  const result = await runTolkCompiler({ entrypointFileName: file, fsReadCallback: () => source });
  if (result.status === 'error') {
    throw new Error(result.message);
  }
  return `  ${name}: Cell.fromBase64(\n    '${result.codeBoc64}',\n  ),`;
};

const rows = await Promise.all(names.map(compile));
await writeFile(
  path.join(folder, 'systemCodes.ts'),
  `import { Cell } from '@ton/core';

/** The code of the system's contracts: what \`npm run contracts\` makes of contracts/*.tolk (a test compares). */
export const systemCodes = {
${rows.join('\n')}
};
`,
);
