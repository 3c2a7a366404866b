// npm run test:newest: the packed extension in the newest VS Code that npm has, on its own Node.js: the main journeys
// of test/ui. Needs a compiler once, so it is not part of npm test. --grep TEXT only the suites whose title matches
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { say } from './lib/say.mjs';
import { setUp } from './setup.mjs';

/** Get-method, rehearsal and send, trace, webhook, call sheet, Restricted Mode: titles of suites in test/ui. */
const journeys = [
  'TON: Run Get-Method…',
  'sending a BoC after a rehearsal',
  'sending, following and opening',
  'payment webhooks',
  'a call sheet',
  'webhooks in Restricted Mode',
];

/** @returns {Promise<number>} the exit code */
const run = async () => {
  await setUp();
  const { installExtension } = await import('./lib/installExtension.mjs');
  const { installNewestHost } = await import('./lib/installNewestHost.mjs');
  const { packExtension } = await import('./lib/packExtension.mjs');
  const { runTiers } = await import('./lib/runTiers.mjs');
  const { values } = parseArgs({ options: { grep: { type: 'string' } } });
  const { description, ...editor } = await installNewestHost();
  say(description);
  const scratch = await mkdtemp(path.join(tmpdir(), 'ton-workbench-newest-'));
  try {
    const vsix = path.join(scratch, 'packed.vsix');
    await packExtension(vsix);
    const extensionsFolder = path.join(scratch, 'extensions');
    await installExtension(vsix, extensionsFolder, editor);
    process.env['TONWB_PACKED'] = JSON.stringify({ ...editor, extensionsFolder });
    const code = await runTiers(['ui', '--grep', values.grep ?? `^(${journeys.join('|')})`]);
    say(description);
    return code;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};

const code = await run().catch((error) => {
  say(error instanceof Error ? error.message : String(error));
  return 1;
});
const { endProcess } = await import('./lib/cleanUp.mjs');
await endProcess(code);
