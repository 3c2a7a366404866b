import assert from 'node:assert/strict';
import ts from 'typescript';
import { nodesOf, sources } from './sources';

/** Calls of `executeCommand` with an id of ours, and registrations past the one that reads what a command is given. */
const rawCommands = (file: string, tree: ts.SourceFile): string[] =>
  nodesOf(tree, ts.isCallExpression).flatMap(({ expression, arguments: [first] }) => {
    const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : '';
    const given = first?.getText(tree) ?? '';
    const isOurs = /^[`'"]tonWorkbench/.test(given);
    const isPast = name === 'registerCommand' && file !== 'editor/ui/registerCommands.ts';
    return (name === 'executeCommand' && isOurs) || isPast ? [`${file}: ${name}(${given})`] : [];
  });

describe('the commands', () => {
  it('are run by typed ids, and registered in one place', () => {
    assert.deepEqual(
      sources.flatMap(({ file, tree }) => rawCommands(file, tree)),
      [],
    );
  });

  it('are found if they are run by a bare id', () => {
    const read = (text: string): string[] =>
      rawCommands('a.ts', ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest));
    const text =
      "void vscode.commands.executeCommand('tonWorkbench.openTrace', x); commands.executeCommand(`tonWorkbench.${id}`);";
    assert.equal(read(text).length, 2);
    assert.deepEqual(read("vscode.commands.executeCommand('vscode.diff', a, b)"), []);
  });
});
