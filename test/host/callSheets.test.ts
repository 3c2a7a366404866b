import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { pace } from '../../scripts/lib/pace.mjs';

const { commands, languages, workspace } = vscode;

const text = `@network local
@owner = addr alice

### her messages
alice seqno()
expect exit 0

### broken
alice add(40,
`;

async function until<Value>(ask: () => Value | undefined | Promise<Value | undefined>): Promise<Value> {
  for (const end = Date.now() + 30_000 * pace; ;) {
    const value = await ask();
    if (value !== undefined) {
      return value;
    }
    assert.ok(Date.now() < end, 'it takes too long');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a call sheet in the editor', () => {
  let document: vscode.TextDocument;
  const at = (words: string, after = 0): vscode.Position =>
    document.positionAt(document.getText().indexOf(words) + after);

  /** The lenses: an answer whose commands the editor has let go of, because newer lenses came, is asked for anew. */
  const sheetLenses = (): Promise<vscode.CodeLens[]> =>
    until(async () => {
      const lenses = await commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        20,
      );
      const isWhole = lenses.every(({ command }) => (command?.title ?? '') !== '');
      return lenses.length > 0 && isWhole ? lenses : undefined;
    });

  before(async () => {
    document = await workspace.openTextDocument({ language: 'toncall', content: text });
    await vscode.window.showTextDocument(document);
  });
  after(() => commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

  it('shows where it is wrong', async () => {
    const found = await until(() => {
      const problems = languages.getDiagnostics(document.uri);
      return problems.length > 0 ? problems : undefined;
    });
    const problem = found.find(({ range }) => range.start.line === at('alice add').line);
    assert.match(problem?.message ?? '', /bracket/);
    assert.equal(problem?.severity, vscode.DiagnosticSeverity.Error);
  });

  it('has lenses above each call, and one for all', async () => {
    const titles = (await sheetLenses()).map(
      ({ command, range }) => `${range.start.line} ${command?.title ?? ''}`,
    );
    assert.ok(titles.some((title) => /Run all/.test(title)));
    const above = titles.filter((title) => title.startsWith(`${at('### her').line} `)).join(' ');
    assert.match(above, /Run.*Watch.*Copy as TypeScript/, titles.join('\n'));
  });

  it('completes accounts at the beginning of a call, and variables where they fit', async () => {
    const complete = async (position: vscode.Position): Promise<string[]> => {
      const { items } = await commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        position,
      );
      return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    };
    assert.ok((await complete(at('expect exit'))).includes('expect'), 'the keyword');
    assert.ok((await complete(at('add(40', 4))).includes('@owner'), 'the variable');
    assert.ok(!(await complete(at('add(40', 6))).includes('1.5ton'), 'a number is whole as it is');
  });

  it("shows a variable's value on hover, and goes to its definition", async () => {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, document.lineAt(at('alice add').line).range, 'alice same(@owner)');
    assert.ok(await workspace.applyEdit(edit));
    const hovers = await until(async () => {
      const found = await commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        at('(@owner', 2),
      );
      return found.length > 0 ? found : undefined;
    });
    const words = hovers.flatMap(({ contents }) =>
      contents.map((one) => (typeof one === 'string' ? one : one.value)),
    );
    assert.match(words.join('\n'), /addr alice/);
    const [target] = await commands.executeCommand<vscode.Location[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      at('(@owner', 2),
    );
    assert.equal(target?.range.start.line, 1);
    await until(() => (languages.getDiagnostics(document.uri).length === 0 ? true : undefined));
  });

  it('copies a call as TypeScript', async () => {
    const copy = (await sheetLenses()).find(({ command }) =>
      /Copy as TypeScript/.test(command?.title ?? ''),
    )?.command;
    assert.ok(copy);
    await commands.executeCommand(copy.command, ...((copy.arguments ?? []) as unknown[]));
    assert.match(await vscode.env.clipboard.readText(), /from '@ton\/ton'[^]*'seqno'/);
  });
});
