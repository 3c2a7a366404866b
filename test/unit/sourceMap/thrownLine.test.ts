import assert from 'node:assert/strict';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import { compileSource } from '../../../src/toolkit/build/compileSource';
import { mapSource } from '../../../src/toolkit/build/mapSource';
import { decidingCode } from '../../../src/toolkit/sourceMap/decidingCode';
import { thrownAt, thrownLine } from '../../../src/toolkit/sourceMap/thrownAt';
import { runMapped } from './support/mappedMethod';
import type { ThrownAt } from '../../../src/toolkit/sourceMap/thrownAt';

describe('the line that threw, in a sentence', () => {
  const placeOf = (text: string): ThrownAt['place'] => {
    return { file: '/contracts/till.tolk', line: 8, text, function: undefined };
  };
  const at = (text: string, ...names: string[]): ThrownAt => ({
    place: placeOf(text),
    code: decidingCode(placeOf(text)),
    step: 5,
    values: names.map((name, index) => ({ name, value: String(index) })),
    unknown: [],
  });
  const words = (thrown: ThrownAt): string[] => [...thrownLine(thrown, () => 'till.tolk').values];

  it('has the values that it names, with what they belong to', () => {
    assert.deepEqual(
      thrownLine(
        at('assert (message.amount <= kept.limit) throw 402;', 'other', 'message.amount', 'kept'),
        () => 'till.tolk',
      ),
      {
        place: 'till.tolk:8',
        text: 'assert (message.amount <= kept.limit) throw 402;',
        code: 'assert (message.amount <= kept.limit)',
        under: '        1              <= 2',
        values: ['message.amount = 1', 'kept = 2'],
      },
    );
    // A part of a name is another name.
    assert.deepEqual(words(at('assert (amounts > 0) throw 402;', 'amount', 'amounts')), ['amounts = 1']);
  });

  it('has a few values near the top of the stack, if it names none', () => {
    assert.deepEqual(words(at('throw 402;', 'a', 'b', 'c', 'd', 'e', 'f')), [
      'c = 2',
      'd = 3',
      'e = 4',
      'f = 5',
    ]);
    assert.deepEqual(words(at('throw 402;')), []);
  });

  it('is not longer than a sentence can hold, and shows no control characters', () => {
    const { text } = thrownLine(at(`throw 402; // ${'x'.repeat(500)}`), () => 'till.tolk');
    assert.ok(text.length <= 101, text);
    assert.doesNotMatch(thrownLine(at('throw \u202e402;'), () => 'till.tolk').text, /\u202e/);
  });
});

describe('what decided that a line threw', () => {
  /** The code, and the values under it, of each get-method of a source that fails. */
  async function deciders(file: string, text: string): Promise<Record<string, readonly string[]>> {
    // The compiler of FunC is found from here.
    const entry = path.join(root, 'test/unit/sourceMap', file);
    const options = { read: () => text, isTrusted: true };
    const [[map], [built]] = await Promise.all([mapSource(entry, options), compileSource(entry, options)]);
    const found: Record<string, readonly string[]> = {};
    for (const { name } of map!.methods.filter((one) => one.name.startsWith('t_'))) {
      const { steps } = await runMapped(map!, built!.code, name, 7n);
      const thrown = thrownAt(steps) ?? assert.fail(`${name} does not fail`);
      const { code, under } = thrownLine(thrown, () => file);
      found[name] = [code, under];
    }
    return found;
  }

  it('is shown with its operands, whatever they are, in FunC', async () => {
    const source = `
const int max_amount = 5;
const int err_big = 402;
global int g_limit;
() set_limit(int n) impure inline { g_limit = n; }
() check_global(int amount) impure inline { throw_unless(err_big, amount <= g_limit); }
() check_const(int amount) impure inline { throw_unless(err_big, amount <= max_amount); }
() check_block(int amount, int limit) impure inline {
  int twice = amount * 2;
  if (twice > limit) {
    throw(403);
  }
}
() check_lines(int spent, int amount, int limit) impure inline {
  throw_unless(402, ;; too much
    spent + amount
    <= limit);
}
() check_first(int spent, int limit) impure inline { int twice = spent * 2; throw_if(404, twice > limit); }
() check_deep(int paid, int most) impure inline {
  check_lines(paid, paid + 1, most);
}
() recv_internal(int value, cell message, slice body) impure { }
int t_global(int amount) method_id { set_limit(3); check_global(amount); return 1; }
int t_const(int amount) method_id { check_const(amount); return 1; }
int t_block(int amount) method_id { check_block(amount, 3); return 1; }
int t_lines(int amount) method_id { check_lines(amount * 2, amount, 10); return 1; }
int t_first(int amount) method_id { check_first(amount, 3); return 1; }
int t_deep(int amount) method_id { check_deep(amount, 3); return 1; }
`;
    assert.deepEqual(await deciders('decided.fc', source), {
      t_global: ['throw_unless(err_big, amount <= g_limit)', '                      7      <= 3'],
      t_const: ['throw_unless(err_big, amount <= max_amount)', '                      7      <= 5'],
      t_block: ['if (twice > limit)', '    14    > 3'],
      t_lines: ['throw_unless(402, spent + amount <= limit)', '             402  14    + 7      <= 10'],
      t_first: ['throw_if(404, twice > limit)', '         404  14    > 3'],
      t_deep: ['throw_unless(402, spent + amount <= limit)', '             402  7     + 8      <= 3'],
    });
  });

  it('is shown with its operands, and a ? for what is not known, in Tolk', async () => {
    const source = `
const MAX = 5
const FEE = ton("0.5")
global limit: int
fun checkGlobal(amount: int) { assert (amount <= limit) throw 402; }
fun checkConst(amount: int) { assert (amount <= MAX) throw 403; }
fun checkFee(amount: int) { assert (amount > FEE) throw 403; }
fun checkBlock(amount: int, most: int) {
    val twice = amount * 2;
    if (twice > most) {
        throw 404;
    }
}
fun checkLines(spent: int, amount: int, most: int) {
    assert (
        spent + amount // all of it
            <= most
    ) throw 405;
}
fun checkSum(amount: int, most: int) { assert (amount <= most) throw 407; }
fun onInternalMessage(in: InMessage) {}
get fun t_global(amount: int) { limit = 3; checkGlobal(amount); }
get fun t_const(amount: int) { checkConst(amount); }
get fun t_fee(amount: int) { checkFee(amount); }
get fun t_block(amount: int) { checkBlock(amount, 3); }
get fun t_lines(amount: int) { checkLines(amount, amount, 3); }
get fun t_sum(amount: int) { checkSum(amount + 1, 2 + 1); }
`;
    assert.deepEqual(await deciders('decided.tolk', source), {
      t_global: ['assert (amount <= limit)', '        7      <= 3'],
      t_const: ['assert (amount <= MAX)', '        7      <= 5'],
      t_fee: ['assert (amount > FEE)', '        7      > 0.5 TON'],
      t_block: ['if (twice > most)', '    14    > 3'],
      t_lines: ['assert ( spent + amount <= most )', '         7     + 7      <= 3'],
      t_sum: ['assert (amount <= most)', '        ?      <= ?'],
    });
  });
});
