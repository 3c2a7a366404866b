import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { chosenTests, isBelow } from '../../../src/editor/tests/chosenTests';

/** As much of a row of the Test Explorer as is looked at. */
class Row {
  readonly children = new Map<string, Row>();
  parent: Row | undefined;

  constructor(
    readonly id: string,
    children: readonly Row[] = [],
  ) {
    for (const child of children) {
      child.parent = this;
      this.children.set(child.id, child);
    }
  }
}

describe('the tests that a request asks for', () => {
  const pays = new Row('pays');
  const refuses = new Row('refuses');
  const opens = new Row('opens');
  const closes = new Row('closes');
  const suite = new Row('Till', [pays, refuses]);
  const till = new Row('till.spec.ts', [suite]);
  const vault = new Row('vault.spec.ts', [opens, closes]);

  const items = (rows: readonly Row[]): vscode.TestItem[] => rows as unknown as vscode.TestItem[];
  const chosen = (rows: readonly Row[], excluded: readonly Row[] = []): Record<string, string[]> =>
    Object.fromEntries(
      [...chosenTests(items(rows), items(excluded))].map(([file, own]) => [file.id, own.map(({ id }) => id)]),
    );

  it('are whole files beside single tests of others', () => {
    assert.deepEqual(chosen([vault, pays]), { 'vault.spec.ts': ['vault.spec.ts'], 'till.spec.ts': ['pays'] });
  });

  it('have nothing twice', () => {
    assert.deepEqual(chosen([pays, till, suite, till]), { 'till.spec.ts': ['till.spec.ts'] });
    assert.deepEqual(chosen([suite, refuses]), { 'till.spec.ts': ['Till'] });
  });

  it('have nothing that is excluded', () => {
    assert.deepEqual(chosen([till, vault], [refuses]), {
      'till.spec.ts': ['pays'],
      'vault.spec.ts': ['vault.spec.ts'],
    });
    assert.deepEqual(chosen([till, vault], [till, closes]), { 'vault.spec.ts': ['opens'] });
  });

  it('are the rows below the chosen ones', () => {
    const asked = new Set(items([suite, opens]));
    assert.deepEqual(
      items([pays, opens, closes, till]).map((item) => isBelow(item, asked)),
      [true, true, false, false],
    );
  });
});
