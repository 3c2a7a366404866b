// The host tier: the suite inside a real extension host, by default the web host, with VSCODE_TEST=desktop a desktop
// VS Code that @vscode/test-electron downloads.
import { cp, mkdtemp, rm } from 'node:fs/promises';
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
// Short, because sockets lie in it and their paths have a limit.
const scratch = await mkdtemp(path.join(tmpdir(), 'tonwb-'));
onEnd(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }));
const workspace = path.join(scratch, 'examples');
await cp(path.join(root, 'examples'), workspace, { recursive: true });
try {
  await runTests({
    ...(desktop
      ? {
          version: process.env['VSCODE_TEST_VERSION'] ?? 'stable',
          cachePath: path.join(cacheFolder, 'vscode-test'),
        }
      : { vscodeExecutablePath: path.join(root, 'scripts/editorLauncher.mjs') }),
    extensionDevelopmentPath: root,
    extensionTestsPath: path.join(root, 'dist/test/test/host/index.cjs'),
    launchArgs: [
      workspace,
      `--user-data-dir=${path.join(scratch, 'user')}`,
      `--extensions-dir=${path.join(scratch, 'extensions')}`,
    ],
  });
  await endProcess(0);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  await endProcess(1);
}
