import assert from 'node:assert/strict';
import { KeptRows } from '../../../src/editor/ui/keptRows';

interface Row {
  id: string;
  text: string;
  icon?: string;
}

/**
 * What the editor does with the rows of a view: it hands out a handle for each row that it was given, forgets all of them
 * when the whole view is refreshed, and knows a row by its object when that row alone is.
 */
class EditorTable {
  readonly #byHandle = new Map<string, Row>();

  show(rows: readonly Row[]): void {
    this.#byHandle.clear();
    rows.forEach((row) => this.#byHandle.set(row.id, row));
  }

  /** The rows are asked for again after this; a click may come in between. */
  refresh(changed: readonly Row[] | undefined): void {
    if (changed === undefined) {
      this.#byHandle.clear();
    } else {
      changed.forEach((row) => assert.equal(this.#byHandle.get(row.id), row, 'a row that the editor knows'));
    }
  }

  /** What a command gets when the button of a row is pressed. */
  click(id: string): Row | undefined {
    return this.#byHandle.get(id);
  }
}

describe('a view that rereads its rows', () => {
  const alice = (text: string): Row => ({ id: 'alice', text });
  const bob: Row = { id: 'bob', text: '5' };
  let editor: EditorTable;
  let kept: KeptRows<Row>;
  beforeEach(() => {
    editor = new EditorTable();
    kept = new KeptRows<Row>(
      ({ id }) => id,
      (before, now) => before.text === now.text,
    );
    assert.equal(kept.update([alice('1'), { ...bob }]), undefined, 'the first rows are a new list');
    editor.show(kept.rows());
  });

  it('recognizes a row whose button is pressed while a block changes its balance', () => {
    const changed = kept.update([alice('2'), { ...bob }]);
    editor.refresh(changed);
    assert.deepEqual(changed, [alice('2')]);
    assert.deepEqual(editor.click('alice'), alice('2'));
  });

  it('refreshes nothing if nothing looks different', () => {
    assert.deepEqual(kept.update([alice('1'), { ...bob }]), []);
  });

  it('leaves nothing behind that a row no longer has', () => {
    kept.update([{ ...alice('2'), icon: 'error' }, { ...bob }]);
    kept.update([alice('3'), { ...bob }]);
    assert.deepEqual(kept.rows()[0], alice('3'));
  });

  for (const [what, rows] of [
    ['comes', [{ id: 'carol', text: '1' }, alice('1'), bob]],
    ['goes', [bob]],
    ['moves', [bob, alice('1')]],
  ] as const) {
    it(`is refreshed as a whole if a row ${what}, and remaining rows are the same objects`, () => {
      const before = new Set(kept.rows());
      assert.equal(kept.update(rows.map((row) => ({ ...row }))), undefined);
      assert.deepEqual(
        kept
          .rows()
          .filter((row) => before.has(row))
          .map(({ id }) => id),
        rows.filter(({ id }) => id !== 'carol').map(({ id }) => id),
      );
    });
  }
});
