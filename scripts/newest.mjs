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
  const { buildProject } = await import('./lib/build.mjs');
  const { endWithParent } = await import('./lib/endWithParent.mjs');
  const { installExtension } = await import('./lib/installExtension.mjs');
  const { installNewestHost } = await import('./lib/installNewestHost.mjs');
  const { packExtension } = await import('./lib/packExtension.mjs');
  const { runTier } = await import('./lib/runTier.mjs');
  const { tiers } = await import('./lib/tiers.mjs');
  const { values } = parseArgs({ options: { grep: { type: 'string' } } });
  const tier = tiers.find(({ name }) => name === 'ui');
  if (tier === undefined) {
    throw new Error('There is no tier ui.');
  }
  await endWithParent();
  const { description, ...editor } = await installNewestHost();
  say(description);
  const scratch = await mkdtemp(path.join(tmpdir(), 'ton-workbench-newest-'));
  try {
    const vsix = path.join(scratch, 'packed.vsix');
    await packExtension(vsix);
    const extensionsFolder = path.join(scratch, 'extensions');
    await installExtension(vsix, extensionsFolder, editor);
    await buildProject('--tests');
    const env = {
      ...process.env,
      FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
      TONWB_PACKED: JSON.stringify({ ...editor, extensionsFolder }),
      TONWB_GREP: values.grep ?? `^(${journeys.join('|')})`,
    };
    const { counts } = await runTier(
      { ...tier, limitS: 1200 },
      {
        env,
        long: false,
        onOutput: (text) => void process.stdout.write(text),
      },
    );
    const failed = counts.failed + (counts.passed === 0 ? 1 : 0);
    process.stdout.write(`\n${description}\n${counts.passed} passed, ${failed} failed\n`);
    return failed === 0 ? 0 : 1;
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
