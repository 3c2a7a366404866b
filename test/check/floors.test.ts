import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { toolkitFloors as describedFloors } from '../../scripts/lib/toolkitFloors.mjs';
import { editorFiles } from './editorFiles';
import type { Import } from './sources';
import { nodesOf, sources, src } from './sources';

/** The floors of the design: a file imports from its own area and those in the list. */
const floors: Record<string, string[]> = {
  'extension.ts': [
    'editor',
    'protocol',
    'toolkit',
    'contributions.ts',
    'commandArguments.ts',
    'commandTargets.ts',
  ],
  editor: [
    'protocol',
    'toolkit',
    'contributions.ts',
    'commandArguments.ts',
    'commandTargets.ts',
    'contextKeys.ts',
  ],
  'cli.ts': ['cli', 'toolkit'],
  cli: ['toolkit'],
  library: ['toolkit'],
  webview: ['protocol'],
  protocol: ['toolkit'],
  toolkit: [],
  'contributions.ts': ['commandArguments.ts', 'commandTargets.ts'],
  'commandArguments.ts': ['commandTargets.ts'],
  'commandTargets.ts': [],
  'contextKeys.ts': [],
};

/** The floors inside the toolkit, highest first: a folder imports from its own floor and those below. */
const toolkitFloors = describedFloors.map(([, ...rooms]) => rooms);
/** What a folder must not import even from its own floor or below. */
const strangers: Record<string, string[]> = {
  access: ['execution'],
  trace: ['access', 'localnet', 'webhook'],
  accounts: ['execution'],
  execution: ['accounts', 'access'],
  send: ['localnet'],
  webhook: ['access', 'execution', 'localnet', 'trace'],
};

/**
 * The floors inside a folder whose rooms (its subfolders and its files) must not import their neighbors,
 * highest first: a room imports from those below its own floor, and none beside it.
 */
const rooms: Record<string, string[][]> = {
  editor: [
    ['tests'],
    ['callSheets', 'debug', 'payments', 'wallet'],
    ['contracts'],
    ['coverage', 'send', 'replay', 'agents', 'apiExplorer', 'webhooks'],
    ['getMethods', 'traces', 'localnet'],
    ['cells'],
    ['project'],
    ['networks'],
    ['ui'],
  ],
  'toolkit/localnet': [
    ['folder'],
    ['attachLocalnet.ts', 'networkClock.ts', 'startLocalnet.ts', 'localnetWorker.ts'],
    ['controlOf.ts', 'describeRequests.ts', 'openChain.ts', 'workerProtocol.ts'],
    ['callControl.ts'],
    ['localnet.ts', 'localnetErrors.ts', 'localNetworkWords.ts', 'server'],
    ['localnetHost.ts'],
    ['control', 'emulate', 'streaming', 'v2'],
    ['dump', 'faults', 'v3'],
    ['api', 'tokens'],
    ['dns'],
    ['chain'],
    ['fork', 'storage', 'system'],
    ['records'],
    ['accounts'],
  ],
};

const imports = sources.flatMap((source) => source.imports);

const floor = (file: string): string => file.split('/')[0] ?? file;

const describeImport = ({ file, target }: Import): string => `${file} imports ${target}`;

describe('the layers', () => {
  it('are those of the design', () => {
    assert.ok(imports.length > 4000, `${imports.length} imports were found`);
    assert.deepEqual(
      sources.filter(({ file }) => !(floor(file) in floors)).map(({ file }) => file),
      [],
    );
  });

  it('import only downward', () => {
    const wrong = imports.filter(
      ({ file, target }) =>
        floor(target) in floors &&
        floor(target) !== floor(file) &&
        !(floors[floor(file)] ?? []).includes(floor(target)),
    );
    assert.deepEqual(wrong.map(describeImport), []);
  });

  it('import vscode only in the editor, and only its types in the tables', () => {
    const wrong = imports.filter(
      ({ file, target, typeOnly }) =>
        target === 'vscode' &&
        !['extension.ts', 'editor'].includes(floor(file)) &&
        !(
          ['contributions.ts', 'commandArguments.ts', 'commandTargets.ts', 'contextKeys.ts'].includes(file) &&
          typeOnly
        ),
    );
    assert.deepEqual(wrong.map(describeImport), []);
  });

  it('of the toolkit are in order', () => {
    const level = (folder: string): number => toolkitFloors.findIndex((names) => names.includes(folder));
    const inside = imports.flatMap((one) => {
      const [, from = '', ...fromRest] = one.file.split('/');
      const [top, to = '', ...toRest] = one.target.split('/');
      const isInside =
        one.file.startsWith('toolkit/') && top === 'toolkit' && fromRest.length > 0 && toRest.length > 0;
      return isInside && from !== to ? [{ ...one, from, to }] : [];
    });
    assert.ok(inside.length > 1000, `${inside.length} imports were found`);
    const wrong = inside.filter(
      ({ from, to }) => level(from) > level(to) || level(to) === -1 || (strangers[from] ?? []).includes(to),
    );
    assert.deepEqual(wrong.map(describeImport), []);
  });

  it('of the toolkit read no environment variables', () => {
    // By the syntax tree: a text that only speaks of process.env is none.
    const wrong = sources.filter(
      ({ file, tree }) =>
        file.startsWith('toolkit/') &&
        nodesOf(tree, ts.isPropertyAccessExpression).some((node) => node.getText() === 'process.env'),
    );
    assert.deepEqual(
      wrong.map(({ file }) => file),
      [],
    );
  });
});

for (const [folder, levels] of Object.entries(rooms)) {
  describe(`the rooms of ${folder}`, () => {
    const inside = (file: string): boolean => file.startsWith(`${folder}/`);
    const room = (file: string): string => file.slice(folder.length + 1).split('/')[0] ?? '';
    const files = sources.map(({ file }) => file).filter(inside);

    it('are all on a floor', () => {
      assert.deepEqual([...new Set(files.map(room))].sort(), levels.flat().sort());
    });

    it('import only downward', () => {
      const level = (file: string): number => levels.findIndex((names) => names.includes(room(file)));
      const steps = imports.filter(
        ({ file, target }) => inside(file) && inside(target) && room(file) !== room(target),
      );
      assert.ok(steps.length > 200, `${steps.length} imports were found`);
      const wrong = steps.filter(({ file, target }) => level(target) <= level(file));
      assert.deepEqual(wrong.map(describeImport), []);
    });
  });
}

describe('the editor', () => {
  it('has no logic that belongs in the toolkit: files without vscode are listed with the reason', () => {
    const without = sources
      .filter(({ file, text }) => file.startsWith('editor/') && !/['"]vscode['"]/.test(text))
      .map(({ file }) => file.replace(/^editor\//, ''));
    assert.deepEqual(without.sort(), Object.values(editorFiles).flat().sort());
  });
});

describe('the toolkit', () => {
  const folders = readdirSync(path.join(src, 'toolkit'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

  it('has a README of at most 15 lines in every folder', () => {
    const wrong = folders.filter((folder) => {
      const file = path.join(src, 'toolkit', folder, 'README.md');
      return !existsSync(file) || readFileSync(file, 'utf8').trimEnd().split('\n').length > 15;
    });
    assert.deepEqual(wrong, []);
  });

  it('has a floor for every folder', () => {
    assert.deepEqual(
      folders.filter((folder) => !toolkitFloors.flat().includes(folder)),
      [],
    );
  });
});
