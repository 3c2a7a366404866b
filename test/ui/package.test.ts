// Takes more than 20 s: the extension is packed and installed into an editor of its own.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installExtension } from '../../scripts/lib/installExtension.mjs';
import { packExtension } from '../../scripts/lib/packExtension.mjs';
import { root } from '../../scripts/lib/root.mjs';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

describe('the package', () => {
  let scratch: string;
  let files: string[];
  let workbench: Workbench | undefined;

  before(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), 'ton-workbench-package-'));
    files = await packExtension(path.join(scratch, 'packed.vsix'));
  });
  after(async () => {
    await workbench?.close();
    await rm(scratch, { recursive: true, force: true });
  });

  it('contains what the extension needs', () => {
    const needed = [
      'LICENSE',
      'README.md',
      'dist/extension.js',
      'dist/main.cjs',
      'dist/cli.js',
      'dist/record.cjs',
      'dist/localnetWorker.js',
      'dist/THIRD-PARTY-NOTICES.txt',
      'dist/sbom.cdx.json',
    ];
    assert.deepEqual(
      needed.filter((file) => !files.includes(file)),
      [],
    );
  });

  it('contains nothing else', () => {
    const allowed = [
      /^(package|package\.nls)\.json$/,
      /^(README|CHANGELOG)\.md$/,
      /^LICENSE$/,
      /^dist\/([A-Za-z]+\.js|(main|record)\.cjs)$/,
      /^dist\/chunks\/[\w.-]+\.js$/,
      /^dist\/webview\/\w+\.(js|css)$/,
      /^dist\/.*\.LEGAL\.txt$/,
      /^dist\/(THIRD-PARTY-NOTICES\.txt|sbom\.cdx\.json)$/,
      /^media\/[\w/.-]+\.(svg|png|md|schema\.json)$/,
      /^syntaxes\/[\w.-]+\.json$/,
    ];
    assert.deepEqual(
      files.filter((file) => !allowed.some((form) => form.test(file))),
      [],
    );
  });

  it('installs into the editor and runs there', async () => {
    const extensions = path.join(scratch, 'extensions');
    await installExtension(path.join(scratch, 'packed.vsix'), extensions);
    workbench = await openWorkbench({ extension: null, extensionsFolder: extensions });
    const texts = JSON.parse(await readFile(path.join(root, 'package.nls.json'), 'utf8')) as Record<
      string,
      string
    >;
    await workbench.runCommand(`${texts['category']}: ${texts['command.switchNetwork']}`);
    const labels = (await workbench.quickInput.readItems()).map(({ label }) => label);
    assert.ok(
      labels.some((label) => label.includes('Mainnet')),
      labels.join(', '),
    );
  });
});
