import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { namedWords } from '../../src/toolkit/sourceMap/namedValues';
import { thrownAt, thrownLine } from '../../src/toolkit/sourceMap/thrownAt';
import { comesBackExactly, stopsWhereItDiffers, visitsTheSame, watchedIn } from '../support/debugProperties';
import { linkCompilers } from '../support/linkCompilers';
import { debuggedMethod } from '../unit/debug/support/debuggedMethod';
import type { DebuggedMethod } from '../unit/debug/support/debuggedMethod';

const source = `
asm fun saveData(data: Cell) { c4 POP }

const Most: Int = 5;
inline fun checkSum(spent: Int, value: Int) {
    throwUnless(
        402,
        spent + value <= Most
    );
}

contract Walker() {
    receive() {}
    get fun guarded(amount: Int): Int { checkSum(amount * 2, amount); return amount; }

    fun half(value: Int): Int {
        return value / 2;
    }
    inline fun kept(total: Int): Int {
        saveData(beginCell().storeInt(total, 257).endCell());
        return total + 1;
    }
    get fun walk(start: Int): Int {
        let left: Int = start;
        let total: Int = 0;
        while (left > 0) {
            left = self.half(left);
            total = self.kept(total);
        }
        try {
            throwIf(77, total > 3);
        } catch (code) {
            total += code;
        }
        return total;
    }
}
`;

describe('moving through an execution of Tact', () => {
  let folder: string;
  let debugged: DebuggedMethod;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-tact-'));
    await linkCompilers(folder);
    debugged = await debuggedMethod(path.join(folder, 'walker.tact'), source, ['walk', 20n]);
    const functions = new Set(debugged.view.calls.list.map(({ name }) => name));
    assert.deepEqual([...functions].sort(), ['Walker', 'Walker.half', 'Walker.kept', 'Walker.walk']);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('names the variables of the source, with the values that they have', () => {
    const { view } = debugged;
    const names = new Set<string>();
    const left: string[] = [];
    for (let step = 0; step < view.steps; step += 1) {
      for (const [name, word] of namedWords(view.run.lines!, step)) {
        names.add(name);
        if (name === 'left' && left.at(-1) !== word) {
          left.push(word);
        }
      }
    }
    assert.deepEqual([...names].sort(), ['code', 'left', 'self', 'total', 'value']);
    assert.deepEqual(left, ['20', '10', '5', '2', '1', '0']);
  });

  it('gives every variable back: steps forward, then as many back', () =>
    comesBackExactly(debugged.program, 25));

  it('visits the same breakpoints forward and, in the opposite order, backward', () =>
    visitsTheSame(debugged.program, 20));

  it('stops exactly where a watched value differs', async () => {
    const watched = watchedIn(debugged.view);
    let changes = 0;
    for (const data of watched) {
      changes += await stopsWhereItDiffers(debugged.view, data);
    }
    // c4 is set at each turn of the loop.
    assert.ok(changes >= 5, `${changes} changes of ${JSON.stringify(watched)}`);
  });

  it('shows the condition that failed in an inlined function, with its parameters and constants', async () => {
    const { view } = await debuggedMethod(path.join(folder, 'walker.tact'), source, ['guarded', 7n]);
    const thrown = thrownAt(view.run.lines!) ?? assert.fail('it did not throw');
    const { code, under } = thrownLine(thrown, () => 'walker.tact');
    assert.deepEqual(
      [code, under],
      ['throwUnless( 402, spent + value <= Most )', '             402  14    + 7     <= 5'],
    );
  });
});
