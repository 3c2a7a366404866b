// npm run bench: every benchmark under bench/, one after the other, and a table of what they measured.
//   --json FILE   writes the rows to a file too
//   NAME…         only the benchmarks whose path holds one of the names
import { setUp } from './setup.mjs';

await setUp();
const [{ runBenchmarks }, { endProcess }, { say }] = await Promise.all([
  import('./lib/runBenchmarks.mjs'),
  import('./lib/cleanUp.mjs'),
  import('./lib/say.mjs'),
]);
try {
  await endProcess(await runBenchmarks(process.argv.slice(2)));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  await endProcess(1);
}
