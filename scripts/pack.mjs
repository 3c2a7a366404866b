// npm run pack: the command line and the library as an npm package.
//   --out FOLDER  by default the project's folder
import { parseArgs } from 'node:util';
import { root } from './lib/root.mjs';
import { say } from './lib/say.mjs';
import { setUp } from './setup.mjs';

await setUp();
const { packLibrary } = await import('./lib/packLibrary.mjs');
const { values } = parseArgs({ options: { out: { type: 'string' } } });
const { file, files } = await packLibrary(values.out ?? root);
say(`${file}: ${files.length} files.`);
