// npm start: an editor with the extension running and the example workspace open.
//   --web      the VS Code that runs in a browser, even where there is a desktop VS Code
//   --no-open  prints the address (alone on stdout) and leaves opening it to you
import { setUp } from './setup.mjs';

await setUp();
const [{ start }, { endProcess }, { say }] = await Promise.all([
  import('./lib/start.mjs'),
  import('./lib/cleanUp.mjs'),
  import('./lib/say.mjs'),
]);
try {
  await endProcess(await start(process.argv.slice(2)));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  await endProcess(1);
}
