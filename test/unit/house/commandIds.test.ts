import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../../scripts/lib/root.mjs';

const src = path.join(root, 'src');

/** Calls of `executeCommand` with an id of ours, and registrations past the one that reads what a command is given. */
function rawCommands(file: string, text: string): string[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const name = node.expression.name.text;
      const first = node.arguments[0]?.getText(tree) ?? '';
      const isOurs = /^[`'"]tonWorkbench/.test(first);
      const isPast = name === 'registerCommand' && file !== 'editor/ui/registerCommands.ts';
      if ((name === 'executeCommand' && isOurs) || isPast) {
        found.push(`${file}: ${name}(${first})`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

describe('the commands', function () {
  // Every source is read and parsed: slow on a busy machine.
  this.timeout(30_000);

  it('are run by their typed ids, and registered in one place', () => {
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => /\.tsx?$/.test(file));
    assert.ok(files.length > 700, `${files.length} files were found`);
    const found = files.flatMap((file) => rawCommands(file, readFileSync(path.join(src, file), 'utf8')));
    assert.deepEqual(found, []);
  });

  it('are found where they are run by a bare id', () => {
    const text =
      "void vscode.commands.executeCommand('tonWorkbench.openTrace', x); commands.executeCommand(`tonWorkbench.${id}`);";
    assert.equal(rawCommands('a.ts', text).length, 2);
    assert.deepEqual(rawCommands('a.ts', "vscode.commands.executeCommand('vscode.diff', a, b)"), []);
  });
});
