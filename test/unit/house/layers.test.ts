import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../../scripts/lib/root.mjs';

/** The floors of the design: a file imports from its own place and from what stands in the list. */
const floors: Record<string, string[]> = {
  'extension.ts': ['editor', 'protocol', 'toolkit', 'contributions.ts', 'commandArguments.ts'],
  editor: ['protocol', 'toolkit', 'contributions.ts', 'commandArguments.ts', 'contextKeys.ts'],
  'cli.ts': ['cli', 'toolkit'],
  cli: ['toolkit'],
  library: ['toolkit'],
  webview: ['protocol'],
  protocol: ['toolkit'],
  toolkit: [],
  'contributions.ts': ['commandArguments.ts'],
  'commandArguments.ts': [],
  'contextKeys.ts': [],
};

/** The floors inside the toolkit, highest first; what a folder may not know even on its own floor or below. */
const toolkitFloors = [
  ['workflows'],
  ['callSheet', 'compose'],
  ['send', 'getMethods', 'accountReport'],
  ['localnet', 'webhook', 'trace'],
  ['accounts', 'execution'],
  ['access', 'emulator', 'abi', 'layouts', 'build'],
  ['journal', 'threads'],
  ['api'],
  ['structure'],
  ['opcodes'],
  ['stack', 'cell'],
  ['address'],
];
const strangers: Record<string, string[]> = {
  access: ['emulator'],
  emulator: ['access'],
  trace: ['access', 'localnet', 'webhook'],
  accounts: ['emulator', 'execution'],
  execution: ['accounts', 'access'],
  send: ['localnet'],
  webhook: ['access', 'emulator', 'localnet', 'trace'],
};

interface Import {
  file: string;
  /** Relative to src, or the package. */
  target: string;
  typeOnly: boolean;
}

const src = path.join(root, 'src');
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file));

const importForm =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g;

const imports: Import[] = sources.flatMap((file) =>
  [...readFileSync(path.join(src, file), 'utf8').matchAll(importForm)].map((match) => {
    const specifier = match[2] ?? match[3] ?? match[4] ?? '';
    const target = specifier.startsWith('.')
      ? path.posix.join(path.posix.dirname(file), specifier)
      : specifier;
    return {
      file,
      target: specifier.startsWith('.') ? target : `package:${target}`,
      typeOnly: match[1] !== undefined,
    };
  }),
);

const floor = (file: string): string => {
  const [first = ''] = file.split('/');
  return first in floors || !(`${first}.ts` in floors) ? first : `${first}.ts`;
};

/** By the syntax tree: a text that only speaks of process.env is none. */
const readsEnvironment = (file: string): boolean => {
  const tree = ts.createSourceFile(file, readFileSync(path.join(src, file), 'utf8'), ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): boolean =>
    (ts.isPropertyAccessExpression(node) && node.getText(tree) === 'process.env') ||
    ts.forEachChild(node, (child) => visit(child) || undefined) === true;
  return visit(tree);
};

const describeImport = ({ file, target }: Import): string => `${file} imports ${target}`;

describe('the layers', function () {
  // Every source is read: slow on a busy machine.
  this.timeout(20_000);
  it('are those of the design', () => {
    assert.ok(imports.length > 100, `${imports.length} imports were found`);
    assert.deepEqual(
      sources.filter((file) => !(floor(file) in floors)),
      [],
    );
  });

  it('import only downwards', () => {
    const wrong = imports.filter(({ file, target }) => {
      if (target.startsWith('package:') || target === '../package.json') {
        return false;
      }
      const to = floor(target);
      return to !== floor(file) && !(floors[floor(file)] ?? []).includes(to);
    });
    assert.deepEqual(wrong.map(describeImport), []);
  });

  it('import vscode in the editor only, and nothing but its types in the tables', () => {
    const wrong = imports.filter(
      ({ file, target, typeOnly }) =>
        target === 'package:vscode' &&
        !['extension.ts', 'editor'].includes(floor(file)) &&
        !(['contributions.ts', 'commandArguments.ts', 'contextKeys.ts'].includes(file) && typeOnly),
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
    const wrong = inside.filter(
      ({ from, to }) => level(from) > level(to) || level(to) === -1 || (strangers[from] ?? []).includes(to),
    );
    assert.deepEqual(wrong.map(describeImport), []);
  });

  it('of the toolkit read no environment variable', () => {
    assert.deepEqual(
      sources.filter((file) => file.startsWith('toolkit/') && readsEnvironment(file)),
      [],
    );
  });
});

describe('the toolkit', function () {
  // Every source is read: slow on a busy machine.
  this.timeout(20_000);
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

describe('the files', function () {
  // Every source is read: slow on a busy machine.
  this.timeout(20_000);
  it('are short enough to read', () => {
    const lines = (file: string): number => readFileSync(path.join(src, file), 'utf8').split('\n').length;
    assert.deepEqual(
      sources.filter((file) => lines(file) > 400),
      [],
    );
    assert.ok(lines('extension.ts') <= 121, 'extension.ts has at most 120 lines');
  });
});
