import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../../scripts/lib/root.mjs';
import { caseChanges } from './caseChanges';

/* What all sources have in common. */

interface Source {
  file: string;
  text: string;
  tree: ts.SourceFile;
  /** Files of src, types and `import()` included. */
  imports: string[];
  /** Names, and whether they are values. */
  exports: Map<string, boolean>;
}

const src = path.join(root, 'src');
const names = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));
const known: ReadonlySet<string> = new Set(names);

function read(file: string): Source {
  const text = readFileSync(path.join(src, file), 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const imports = ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .flatMap(({ fileName }) => {
      const target = path.posix.join(path.posix.dirname(file), fileName);
      return [`${target}.ts`, `${target}.tsx`].filter((one) => known.has(one));
    });
  return { file, text, tree, imports, exports: exportsOf(tree) };
}

function exportsOf(tree: ts.SourceFile): Map<string, boolean> {
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

/** Names of other files that a file exports as they are. */
const passedOn = (tree: ts.SourceFile): string[] =>
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
  // The one place where the toolkit tells the time and waits; its export is the clock that does it.
  'toolkit/time.ts',
]);

/** Groups of files that lead to one another, each as its sorted names. */
function circles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (at: string): void => {
    order.set(at, order.size);
    lowest.set(at, order.get(at)!);
    stack.push(at);
    for (const to of edges.get(at) ?? []) {
      if (!order.has(to)) {
        visit(to);
      }
      if (stack.includes(to)) {
        lowest.set(at, Math.min(lowest.get(at)!, lowest.get(to)!));
      }
    }
    if (lowest.get(at) === order.get(at)) {
      const group = stack.splice(stack.indexOf(at));
      if (group.length > 1) {
        found.push(group.sort());
      }
    }
  };
  [...edges.keys()].forEach((file) => order.has(file) || visit(file));
  return found;
}

/** Where numbers of eight hex digits that programs tell things by are given their names. */
const homesOfTags = ['toolkit/opcodes/', 'toolkit/cell/bocMagics.ts', 'toolkit/cell/crc32c.ts'];

describe('the sources', function () {
  // Every source is read and parsed: slow on a busy machine.
  this.timeout(30_000);
  let sources: Source[] = [];
  before(() => {
    sources = names.map(read);
    assert.ok(sources.length > 700, `${sources.length} sources were found`);
  });

  it('import one another in no circle, types and later imports included', () => {
    const found = circles(new Map(sources.map(({ file, imports }) => [file, imports])));
    assert.deepEqual(found, []);
  });

  it('finds a circle where there is one', () => {
    const edges = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ]);
    assert.deepEqual(circles(edges), [['b', 'c']]);
  });

  it('of the toolkit lie in folders that import one another in no circle', () => {
    const edges = new Map<string, string[]>();
    for (const { file, imports } of sources.filter((one) => one.file.startsWith('toolkit/'))) {
      const from = path.posix.dirname(file);
      const others = imports.map((one) => path.posix.dirname(one)).filter((to) => to !== from);
      edges.set(from, [...(edges.get(from) ?? []), ...others]);
    }
    assert.deepEqual(circles(edges), []);
  });

  it('give a name to one thing; only the library repeats names of the toolkit', () => {
    const places = new Map<string, string[]>();
    for (const { file, exports } of sources.filter((one) => !one.file.startsWith('library/'))) {
      [...exports.keys()].forEach((name) => places.set(name, [...(places.get(name) ?? []), file]));
    }
    const twice = [...places].filter(([, files]) => files.length > 1).map(([name]) => name);
    assert.deepEqual(twice, []);
  });

  it('are named after the one value that they export, or after the type that it makes or reads', () => {
    const wrong = sources.flatMap(({ file, tree, exports }) => {
      const values = [...exports].filter(([, isValue]) => isValue).map(([name]) => name);
      const stem = path.posix
        .basename(file)
        .replace(/\.tsx?$/, '')
        .toLowerCase();
      const names = [...exports.keys(), ...passedOn(tree)].map((name) => name.toLowerCase());
      // A file of the command line has the name of its command, and registers it.
      const isCommand = file.startsWith('cli/') && names.includes(`register${stem}command`);
      return values.length !== 1 || names.includes(stem) || isCommand || otherwiseNamed.has(file)
        ? []
        : [file];
    });
    assert.deepEqual(wrong, []);
  });

  it('tell messages and formats by name: their numbers are written where they are named, and nowhere else', () => {
    const literals = sources
      .filter(({ file }) => !homesOfTags.some((home) => file.startsWith(home)))
      .flatMap(({ file, tree, text }) => {
        const found: string[] = [];
        const visit = (node: ts.Node): void => {
          if (ts.isNumericLiteral(node)) {
            const written = text.slice(node.getStart(tree), node.getEnd());
            if (/^0x[0-9a-f]{8}$/i.test(written)) {
              found.push(`${file} ${written}`);
            }
          }
          ts.forEachChild(node, visit);
        };
        visit(tree);
        return found;
      });
    assert.deepEqual(literals, []);
  });

  it('have one form for hashes and addresses: the case of text changes only in listed files, for other reasons', () => {
    const found = sources
      .filter(({ file }) => !/^toolkit\/(?:api|address)\//.test(file))
      .filter(({ text }) => /\.to(?:Locale)?(?:Upper|Lower)Case\b/.test(text))
      .map(({ file }) => file);
    assert.deepEqual(found.sort(), Object.values(caseChanges).flat().sort());
  });
});

describe('the codes of errors', () => {
  it('are each used by a source', () => {
    const all = names
      .filter((file) => file !== 'toolkit/errorCodes.ts')
      .map((file) => readFileSync(path.join(src, file), 'utf8'))
      .join('\n');
    const codes = [
      ...readFileSync(path.join(src, 'toolkit/errorCodes.ts'), 'utf8').matchAll(/'([a-z0-9-]+)'/g),
    ].map(([, code = '']) => code);
    assert.ok(codes.length > 100);
    assert.deepEqual(
      codes.filter((code) => !all.includes(code)),
      [],
    );
  });
});
