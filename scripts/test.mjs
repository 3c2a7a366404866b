// npm test: every tier, or what is named: tiers, folders and files below test (unit, unit/stack, ui/gas).
//   --changed       only suites that a change can reach: what differs from HEAD, or the last commit
//   --since REV     only suites that what differs from REV can reach
//   --grep TEXT     only tests whose title holds the text
//   --long          property and fault tests whole
//   --pictures      the ui tier leaves pictures of what it showed in test-results/ui
//   --shard I/N     a part of the suites, for machines that share a run
//   --cores N       how many cores the suites may keep busy; by default those of the machine, four at most
//   --record        also keeps what runs in each suite, for a closer --changed; takes longer
//   --durations     also keeps what each file took in test/durations.json, for the order of the next run
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
