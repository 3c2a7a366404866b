import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../scripts/lib/root.mjs';
import type { PlantedFault } from './plantedFaults';
import { plantedFaults } from './plantedFaults';

interface Settings {
  rules: Record<string, unknown>;
  overrides: { rules: Record<string, unknown> }[];
}

/** What a rule leaves alone: the exceptions of the settings, and nothing more. */
const allowed: readonly PlantedFault[] = [
  { rule: 'eqeqeq', code: 'export const isAbsent = (a: string | null): boolean => a == null;' },
  { rule: 'no-unused-vars', code: 'const _unused = 1;\nexport const f = (_a: number): void => undefined;' },
  { rule: 'no-console', file: 'test/planted.ts', code: "console.log('one');" },
  { rule: 'no-console', file: 'scripts/planted.mjs', code: "console.log('one');" },
  {
    rule: 'no-unused-expressions',
    file: 'test/planted.ts',
    code: 'export const f = (a: number): void => { a; };',
  },
  {
    rule: 'no-restricted-properties',
    file: 'src/toolkit/base/time.ts',
    code: 'export const now = Date.now;',
  },
  {
    rule: 'no-restricted-globals',
    file: 'src/toolkit/base/time.ts',
    code: 'export const wait = setTimeout;',
  },
  {
    rule: 'no-restricted-properties',
    file: 'src/cli/outputStreams.ts',
    code: 'export const out = process.stdout;',
  },
  { rule: 'no-restricted-globals', file: 'src/editor/planted.ts', code: 'export const wait = setTimeout;' },
  {
    rule: 'typescript/no-require-imports',
    file: 'src/planted.cjs',
    code: "module.exports = require('node:fs');",
  },
  {
    rule: 'typescript/restrict-template-expressions',
    code: 'export const f = (a: number, b: boolean): string => `${a} ${b}`;',
  },
  {
    rule: 'typescript/switch-exhaustiveness-check',
    code: 'export const f = (a: 1 | 2): number => { switch (a) { case 1: return 1; default: return 2; } };',
  },
];

/** `typescript/unbound-method` as the linter prints it: `typescript(unbound-method)`. */
const printed = (rule: string): string =>
  rule.includes('/') ? rule.replace(/^(.*)\/(.*)$/, '$1($2)') : `eslint(${rule})`;

describe('the linter', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tonwb-lint-'));
  const found = new Map<string, string[]>();

  /** Each in a file of its own, with the given file's folder and ending; an exception of one file keeps its name. */
  const place = ({ file = 'src/planted.ts' }: PlantedFault, index: number): string =>
    file.replace('planted', `planted${index}`);
  const all = [...plantedFaults, ...allowed];

  before(async () => {
    for (const file of ['.oxlintrc.json', 'tsconfig.json', 'package.json']) {
      copyFileSync(path.join(root, file), path.join(folder, file));
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    for (const name of [
      'src',
      'test',
      'scripts',
      'src/toolkit/base',
      'src/cli',
      'src/editor',
      'src/webview',
    ]) {
      mkdirSync(path.join(folder, name), { recursive: true });
    }
    writeFileSync(path.join(folder, 'src/other.ts'), 'export const other = 1;\n');
    all.forEach((fault, index) => {
      // Two exceptions of src/toolkit/base/time.ts stand in it together.
      writeFileSync(path.join(folder, place(fault, index)), `${fault.code}\n`, { flag: 'a' });
    });
    const linter = path.join(root, 'node_modules/oxlint/bin/oxlint');
    const output = await new Promise<string>((resolve) => {
      execFile(
        process.execPath,
        [linter, '--format', 'json', 'src', 'test', 'scripts'],
        { cwd: folder, maxBuffer: 2 ** 26 },
        (_, stdout) => resolve(stdout),
      );
    });
    const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] };
    for (const { code, filename } of diagnostics) {
      const file = filename.replaceAll('\\', '/');
      found.set(file, [...(found.get(file) ?? []), code]);
    }
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('reports each planted violation', () => {
    const missed = plantedFaults.filter(
      (fault, index) => !(found.get(place(fault, index)) ?? []).includes(printed(fault.rule)),
    );
    assert.deepEqual(missed, []);
  });

  it('leaves alone what the settings allow', () => {
    const wrong = all.filter(
      (fault, index) =>
        index >= plantedFaults.length && (found.get(place(fault, index)) ?? []).includes(printed(fault.rule)),
    );
    assert.deepEqual(wrong, []);
  });

  it('has a planted violation for each rule that is on', () => {
    const { config } = ts.readConfigFile(path.join(root, '.oxlintrc.json'), (file) =>
      ts.sys.readFile(file),
    ) as {
      config: Settings;
    };
    const rules = [config, ...config.overrides].flatMap((part) => Object.keys(part.rules));
    assert.ok(rules.length > 50, `${rules.length} rules were found`);
    const planted = new Set(plantedFaults.map(({ rule }) => rule));
    assert.deepEqual([...new Set(rules)].sort(), [...planted].sort());
  });
});
