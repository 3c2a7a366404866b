import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../scripts/lib/root.mjs';

export interface Source {
  /** Relative to src, with `/`. */
  file: string;
  text: string;
  tree: ts.SourceFile;
  /** Every import: of values, of types only, and by `import()`. */
  imports: Import[];
}

export interface Import {
  file: string;
  /**
   * A file relative to src, or the specifier as written: a package's name, or a file that is not a source.
   */
  target: string;
  typeOnly: boolean;
}

export const src = path.join(root, 'src');

const names = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file));
const known: ReadonlySet<string> = new Set(names);

/** All of src, read and parsed once for all suites. */
export const sources: readonly Source[] = names.map((file) => {
  const text = readFileSync(path.join(src, file), 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return { file, text, tree, imports: importsOf(file, tree) };
});

/** The nodes of one kind in a tree, in order. */
export function nodesOf<Node extends ts.Node>(tree: ts.Node, is: (node: ts.Node) => node is Node): Node[] {
  const found: Node[] = [];
  const visit = (node: ts.Node): void => {
    if (is(node)) {
      found.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function importsOf(file: string, tree: ts.SourceFile): Import[] {
  const written = [
    ...nodesOf(tree, ts.isImportDeclaration).map(({ moduleSpecifier, importClause }) => ({
      specifier: moduleSpecifier,
      typeOnly: importClause?.isTypeOnly === true,
    })),
    ...nodesOf(tree, ts.isExportDeclaration).map(({ moduleSpecifier, isTypeOnly }) => ({
      specifier: moduleSpecifier,
      typeOnly: isTypeOnly,
    })),
    ...nodesOf(tree, ts.isCallExpression)
      .filter(({ expression }) => expression.kind === ts.SyntaxKind.ImportKeyword)
      .map(({ arguments: [specifier] }) => ({ specifier, typeOnly: false })),
    ...nodesOf(tree, ts.isImportTypeNode)
      .map(({ argument }) => argument)
      .filter(ts.isLiteralTypeNode)
      .map(({ literal }) => ({ specifier: literal, typeOnly: true })),
  ];
  return written.flatMap(({ specifier, typeOnly }) =>
    specifier !== undefined && ts.isStringLiteral(specifier)
      ? [{ file, target: targetOf(file, specifier.text), typeOnly }]
      : [],
  );
}

function targetOf(file: string, specifier: string): string {
  const at = path.posix.join(path.posix.dirname(file), specifier);
  const source = [`${at}.ts`, `${at}.tsx`, `${at}.d.ts`].find((one) => known.has(one));
  return specifier.startsWith('.') ? (source ?? at) : specifier;
}
