// npm run package: a production build in a .vsix file.
//   --out FILE   by default ton-workbench-VERSION.vsix in the project's folder
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { setUp } from './setup.mjs';

await setUp();
const { packExtension } = await import('./lib/packExtension.mjs');
const { values } = parseArgs({ options: { out: { type: 'string' } } });
const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const file = path.resolve(values.out ?? path.join(root, `${name}-${version}.vsix`));
const files = await packExtension(file);
say(`${file}: ${files.length} files.`);
