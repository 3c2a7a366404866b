// The host tier: the suite inside a real extension host, by default the web host; with VSCODE_TEST=desktop, a desktop
// VS Code downloaded by @vscode/test-electron.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { endProcess, onEnd } from './cleanUp.mjs';
import { cacheFolder, root } from './root.mjs';
import { say } from './say.mjs';

const desktop = process.env['VSCODE_TEST'] === 'desktop';
if (process.platform === 'win32' && !desktop) {
  say('On Windows the host tier needs a desktop VS Code: set VSCODE_TEST=desktop.');
  process.exit(1);
}
// Short, because socket paths inside it have a length limit.
const scratch = await mkdtemp(path.join(tmpdir(), 'tonwb-'));
onEnd(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }));
const workspace = path.join(scratch, 'examples');
await cp(path.join(root, 'examples'), workspace, { recursive: true });
/**
 * One run of the editor.
 * @param {string} name
 * @param {Record<string, string>} env
 */
const runEditor = (name, env) =>
  runTests({
    ...(desktop
      ? {
          version: process.env['VSCODE_TEST_VERSION'] ?? 'stable',
          cachePath: path.join(cacheFolder, 'vscode-test'),
        }
      : { vscodeExecutablePath: path.join(root, 'scripts/editorLauncher.mjs') }),
    extensionDevelopmentPath: root,
    extensionTestsPath: path.join(root, 'dist/test/test/host/index.cjs'),
    extensionTestsEnv: env,
    launchArgs: [
      workspace,
      `--user-data-dir=${path.join(scratch, name)}`,
      `--extensions-dir=${path.join(scratch, 'extensions')}`,
    ],
  });

/** @typedef {import('./countingReporter.mjs').Counts} Counts */

/** @param {string} file */
const readCounts = async (file) => /** @type {Counts} */ (JSON.parse(await readFile(file, 'utf8')));

/**
 * Runs in Restricted Mode, then in a trusted workspace, and adds up the counts. Only the web host can be restricted:
 * a desktop VS Code that runs tests trusts every folder.
 */
const runBoth = async () => {
  const result = process.env['TONWB_RESULT'];
  if (desktop || result === undefined) {
    await runEditor('user', {});
    return;
  }
  const restricted = path.join(scratch, 'restricted.json');
  /** @type {unknown} */
  let failure;
  try {
    await runEditor('restricted', { TONWB_RESTRICTED: '1', TONWB_RESULT: restricted });
  } catch (error) {
    failure = error;
  }
  await runEditor('user', {}).catch((/** @type {unknown} */ error) => (failure ??= error));
  const [first, second] = await Promise.all([readCounts(restricted), readCounts(result)]);
  await writeFile(
    result,
    JSON.stringify({
      passed: first.passed + second.passed,
      failed: first.failed + second.failed,
      failures: [...first.failures, ...second.failures],
      files: [...new Set([...first.files, ...second.files])],
    }),
  );
  if (failure !== undefined) {
    throw failure;
  }
};

try {
  await runBoth();
  await endProcess(0);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  await endProcess(1);
}
