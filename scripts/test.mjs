// npm test: every tier, or the named ones (unit, host, …).
//   --long        property and fault tests whole
//   --pictures    the ui tier leaves pictures of what it showed in test-results/ui
//   --grep TEXT   only tests whose title holds the text
import { say } from './lib/say.mjs';
import { setUp } from './setup.mjs';

/** @returns {Promise<number>} */
const run = async () => {
  try {
    await setUp();
    const { runTiers } = await import('./lib/runTiers.mjs');
    return await runTiers(process.argv.slice(2));
  } catch (error) {
    // A failure to start the tiers counts, and the closing line says so.
    say(error instanceof Error ? error.message : String(error));
    process.stdout.write('0 passed, 1 failed\n');
    return 1;
  }
};

const code = await run();
const { endProcess } = await import('./lib/cleanUp.mjs');
await endProcess(code);
