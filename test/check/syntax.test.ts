import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../scripts/lib/root.mjs';
import { nodesOf } from './sources';

/* Syntax that the linter has no rule for. */

/** Files without any of these need no syntax tree. */
const suspicious = /\benum\b|export\s*(?:type\s*)?\*|new Date\b|['"]zod['"]/;

/** It exports what the project's own @ton/sandbox does, whatever that is. */
const dropIn = 'src/library/sandbox.ts';

const toolkitTakesTime = (file: string): boolean =>
  file.startsWith('src/toolkit/') && file !== 'src/toolkit/base/time.ts';

/** @returns what must not be written, as `file: why`. */
function faultsOf(file: string, text: string): string[] {
  if (!suspicious.test(text)) {
    return [];
  }
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const zodByName = nodesOf(tree, ts.isImportDeclaration).some(
    ({ moduleSpecifier, importClause }) =>
      ts.isStringLiteral(moduleSpecifier) &&
      moduleSpecifier.text === 'zod' &&
      importClause !== undefined &&
      (importClause.name !== undefined ||
        (importClause.namedBindings !== undefined &&
          ts.isNamedImports(importClause.namedBindings) &&
          importClause.namedBindings.elements.length > 0)),
  );
  const found: [boolean, string][] = [
    [zodByName, "import * as z from 'zod': the named form bundles every locale (360 KiB more)"],
    [nodesOf(tree, ts.isEnumDeclaration).length > 0, 'no enums: use a union of strings'],
    [
      file !== dropIn &&
        nodesOf(tree, ts.isExportDeclaration).some(
          ({ exportClause }) => exportClause === undefined || ts.isNamespaceExport(exportClause),
        ),
      'no barrels: import from the file that owns the name',
    ],
    [
      toolkitTakesTime(file) &&
        nodesOf(tree, ts.isNewExpression).some(
          (node) => node.expression.getText() === 'Date' && (node.arguments ?? []).length === 0,
        ),
      'the toolkit takes time as a parameter: a Clock of time.ts',
    ],
  ];
  return found.flatMap(([isFault, why]) => (isFault ? [`${file}: ${why}`] : []));
}

describe('the syntax', () => {
  it('has no forms that the house forbids', () => {
    const files = ['src', 'test', 'bench'].flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .map((file) => path.posix.join(folder, file.replaceAll('\\', '/'))),
    );
    assert.ok(files.length > 1200, `${files.length} files were found`);
    assert.deepEqual(
      files.flatMap((file) => faultsOf(file, readFileSync(path.join(root, file), 'utf8'))),
      [],
    );
  });

  const toolkit = 'src/toolkit/planted.ts';
  const forbidden: [file: string, code: string][] = [
    ['src/planted.ts', "import { z } from 'zod';"],
    ['src/planted.ts', "import z from 'zod';"],
    ['src/planted.ts', "import type { ZodType } from 'zod';"],
    ['test/planted.ts', 'enum E { A }'],
    ['src/planted.ts', 'export const enum E { A }'],
    ['src/planted.ts', "export * from './other';"],
    ['bench/planted.ts', "export type * from './other';"],
    ['src/planted.ts', "export * as other from './other';"],
    [toolkit, 'export const now = new Date();'],
    [toolkit, 'export const now = new Date;'],
  ];
  for (const [file, code] of forbidden) {
    it(`does not allow ${code} in ${file}`, () => {
      assert.equal(faultsOf(file, code).length, 1);
    });
  }

  it('allows the other forms', () => {
    assert.deepEqual(faultsOf(toolkit, "import * as z from 'zod';\nexport const day = new Date(0);"), []);
    assert.deepEqual(faultsOf('src/toolkit/base/time.ts', 'export const now = new Date();'), []);
    assert.deepEqual(faultsOf('src/editor/planted.ts', 'export const now = new Date();'), []);
    assert.deepEqual(faultsOf('src/planted.ts', "export { other } from './other';"), []);
  });
});
