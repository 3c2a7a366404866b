import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { caseChanges } from './caseChanges';
import { circles } from './circles';
import { fileOpeners } from './fileOpeners';
import type { Source } from './sources';
import { nodesOf, sources as all, src } from './sources';

/* What all sources have in common. */

const sources = all.filter(({ file }) => !file.endsWith('.d.ts'));
const imports = sources
  .flatMap((source) => source.imports)
  .filter(({ target }) => sources.some(({ file }) => file === target));

/** The exported names, and whether they are values. */
function exportsOf({ tree }: Source): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const statement of tree.statements) {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (isExported !== true) {
      continue;
    }
    if (ts.isVariableStatement(statement)) {
      statement.declarationList.declarations.forEach(
        ({ name }) => ts.isIdentifier(name) && found.set(name.text, true),
      );
    } else if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      found.set(statement.name?.text ?? '', true);
    } else if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
      found.set(statement.name.text, found.get(statement.name.text) ?? false);
    }
  }
  return found;
}

/** The names that a file uses of node:fs, imported by themselves or as members of the module. */
function openedNames({ tree }: Source): Set<string> {
  const modules = nodesOf(tree, ts.isImportDeclaration).filter(({ moduleSpecifier }) =>
    /^'(?:node:)?fs(?:\/promises)?'$/.test(moduleSpecifier.getText()),
  );
  const bindings = modules.map(({ importClause }) => importClause?.namedBindings);
  const named = bindings.flatMap((one) =>
    one !== undefined && ts.isNamedImports(one)
      ? one.elements.map(({ name, propertyName = name }) => propertyName.getText())
      : [],
  );
  const wholes = bindings.flatMap((one) =>
    one !== undefined && ts.isNamespaceImport(one) ? [one.name.text] : [],
  );
  const members = nodesOf(tree, ts.isPropertyAccessExpression)
    .filter(({ expression }) => wholes.includes(expression.getText()))
    .map(({ name }) => name.text);
  const destructured = nodesOf(tree, ts.isVariableDeclaration)
    .filter(({ initializer }) => /import\('(?:node:)?fs/.test(initializer?.getText() ?? ''))
    .flatMap(({ name }) => nodesOf(name, ts.isBindingElement).map((one) => one.name.getText()));
  return new Set([...named, ...members, ...destructured]);
}

/** Names of other files that a file exports as they are. */
const passedOn = ({ tree }: Source): string[] =>
  tree.statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : [],
  );

/** Files whose name has another reason. */
const otherwiseNamed: ReadonlySet<string> = new Set([
  // The subpaths of the npm package: `ton-workbench/errors`, `ton-workbench/getMethod`.
  'library/errors.ts',
  'library/getMethod.ts',
  'library/record.ts',
  'library/sandbox.ts',
  'library/streaming.ts',
  // The one place where the toolkit tells the time and waits; its export is the clock that does it.
  'toolkit/base/time.ts',
]);

/**
 * The folder of a file; files directly in src and src/editor, which tie others together, count as folders.
 */
const folderOf = (file: string): string =>
  /^(?:editor\/)?[^/]*$/.test(file) ? file : path.posix.dirname(file);

/** Where numbers of eight hex digits that programs tell things by are given their names. */
const homesOfTags = [
  'toolkit/contracts/opcodes/',
  'toolkit/actions/',
  'toolkit/cell/bocMagics.ts',
  'toolkit/base/crc32c.ts',
];

describe('the sources', () => {
  it('have no import circles, including types and dynamic imports', () => {
    assert.ok(sources.length > 700, `${sources.length} sources were found`);
    assert.ok(imports.length > 3000, `${imports.length} imports were found`);
    assert.deepEqual(circles(imports.map(({ file, target }) => ({ from: file, to: target }))), []);
  });

  it('finds a circle where there is one', () => {
    const steps = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'b' },
    ];
    assert.deepEqual(circles(steps), [['b', 'c']]);
  });

  it('are in folders without import circles', () => {
    const steps = imports.map(({ file, target }) => ({ from: folderOf(file), to: folderOf(target) }));
    assert.deepEqual(circles(steps), []);
  });

  it('use each exported name once; only the library repeats names of the toolkit', () => {
    const places = new Map<string, string[]>();
    for (const source of sources.filter(({ file }) => !file.startsWith('library/'))) {
      for (const name of exportsOf(source).keys()) {
        places.set(name, [...(places.get(name) ?? []), source.file]);
      }
    }
    const twice = [...places].filter(([, files]) => files.length > 1).map(([name]) => name);
    assert.deepEqual(twice, []);
  });

  it('are named after the only value that they export, or the type that it makes or reads', () => {
    const wrong = sources.flatMap((source) => {
      const { file } = source;
      const exports = exportsOf(source);
      const values = [...exports].filter(([, isValue]) => isValue).map(([name]) => name);
      const stem = path.posix
        .basename(file)
        .replace(/\.tsx?$/, '')
        .toLowerCase();
      const names = [...exports.keys(), ...passedOn(source)].map((name) => name.toLowerCase());
      // A file of the command line has the name of its command, and registers it.
      const isCommand = file.startsWith('cli/') && names.includes(`register${stem}command`);
      return values.length !== 1 || names.includes(stem) || isCommand || otherwiseNamed.has(file)
        ? []
        : [file];
    });
    assert.deepEqual(wrong, []);
  });

  it('refer to messages and formats by name: their numbers are written only where they are named', () => {
    const literals = sources
      .filter(({ file }) => !homesOfTags.some((home) => file.startsWith(home)))
      .flatMap(({ file, tree }) =>
        nodesOf(tree, ts.isNumericLiteral)
          .map((node) => node.getText())
          .filter((written) => /^0x[0-9a-f]{8}$/i.test(written))
          .map((written) => `${file} ${written}`),
      );
    assert.deepEqual(literals, []);
  });

  it('have one form for hashes and addresses: the case of text changes only in listed files, for other reasons', () => {
    const found = sources
      .filter(({ file }) => !/^toolkit\/(?:api|address)\//.test(file))
      .filter(({ text }) => /\.to(?:Locale)?(?:Upper|Lower)Case\b/.test(text))
      .map(({ file }) => file);
    assert.deepEqual(found.sort(), Object.values(caseChanges).flat().sort());
  });

  it("open files only in listed files: users' paths are read and written by the helpers", () => {
    const opens = new Set(
      ['readFile', 'writeFile', 'appendFile', 'open', 'createReadStream', 'createWriteStream', 'copyFile']
        .flatMap((name) => [name, `${name}Sync`])
        .concat('cp', 'cpSync', 'openAsBlob', 'truncate', 'truncateSync'),
    );
    const found = sources
      .filter((source) => {
        const calls = nodesOf(source.tree, ts.isCallExpression).map(({ expression }) => expression);
        const isWorkspace = calls.some((call) => /\bworkspace\.fs\.readFile$/.test(call.getText()));
        const usesDisk = source.imports.some(({ target }) => /^(?:node:)?fs(?:\/promises)?$/.test(target));
        return isWorkspace || (usesDisk && [...openedNames(source)].some((name) => opens.has(name)));
      })
      .map(({ file }) => file);
    assert.deepEqual(found.sort(), Object.values(fileOpeners).flat().sort());
  });

  it('are short enough to read', () => {
    const lines = ({ text }: Source): number => text.split('\n').length;
    assert.deepEqual(
      sources.filter((source) => lines(source) > 400).map(({ file }) => file),
      [],
    );
    const start = sources.find(({ file }) => file === 'extension.ts');
    assert.ok(start !== undefined && lines(start) <= 121, 'extension.ts has at most 120 lines');
  });
});

describe('the codes of errors', () => {
  it('are all used by sources', () => {
    const home = 'toolkit/base/errorCodes.ts';
    const others = sources
      .filter(({ file }) => file !== home)
      .map(({ text }) => text)
      .join('\n');
    const codes = [...readFileSync(path.join(src, home), 'utf8').matchAll(/'([a-z0-9-]+)'/g)].map(
      ([, code = '']) => code,
    );
    assert.ok(codes.length > 100);
    assert.deepEqual(
      codes.filter((code) => !others.includes(code)),
      [],
    );
  });
});
