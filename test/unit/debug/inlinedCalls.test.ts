import assert from 'node:assert/strict';
import { DebugClient } from '../../support/debugClient';
import { debuggedMethod } from './support/debuggedMethod';
import type { DebuggedMethod } from './support/debuggedMethod';

const source = `
fun twice(value: int): int {
    var sum = value + value;
    sum += 7;
    return sum * 3;
}
fun other(value: int): int {
    val less = value - 5;
    return less * 11;
}
fun short(value: int): int {
    return value * 13;
}
fun rare(value: int): int {
    return value * 17;
}
fun same(value: int): int {
    return value;
}
fun onInternalMessage(in: InMessage) {}
get fun walk(count: int): int {
    assert (count < 99) throw 5;
    val a = twice(count); // 1
    val b = other(a);
    val c = twice(b); // 2
    assert (c != 99) throw 6;
    var d = twice(c); // 3
    d = twice(d); // 4
    assert (d != 98) throw 7;
    d = short(d); // 5
    d = short(d); // 6
    d = same(d);
    if (d == 12345) {
        // A comment about the rare().
        d = rare(d); // 7
    }
    return d + 1;
}
`;

describe('calls of functions that the compiler has put into their callers', () => {
  let debugged: DebuggedMethod;
  const lineOf = (text: string): number => {
    const line = source.split('\n').findIndex((one) => one.includes(text)) + 1;
    return line === 0 ? assert.fail(text) : line;
  };
  const lines = (...texts: string[]): { line: number }[] => texts.map((text) => ({ line: lineOf(text) }));

  before(async () => {
    debugged = await debuggedMethod('inlined.tolk', source, ['walk', 3n]);
  });

  it('are at the lines where the source makes them, one after the other', async () => {
    const client = await DebugClient.begun(debugged.program);
    await client.setBreakpoints({ path: debugged.file }, ...lines('var sum', 'val less'));
    const stacks = [];
    for (let stop = 0; stop < 5; stop += 1) {
      await client.moved('continue');
      const [inner, caller, ...rest] = await client.stack();
      assert.equal(rest.length, 1, 'the message that caused it');
      stacks.push([inner?.name, caller?.line, caller?.name]);
    }
    const [twice, other] = ['twice (inlined)', 'other (inlined)'];
    assert.deepEqual(stacks, [
      [twice, lineOf('// 1'), 'walk'],
      [other, lineOf('other(a)'), 'walk'],
      [twice, lineOf('// 2'), 'walk'],
      [twice, lineOf('// 3'), 'walk'],
      [twice, lineOf('// 4'), 'walk'],
    ]);
  });

  it('say between which lines they are where that is all that is known', async () => {
    const client = await DebugClient.begun(debugged.program);
    await client.setBreakpoints({ path: debugged.file }, ...lines('return value * 13'));
    await client.moved('continue');
    const [inner, caller] = await client.stack();
    assert.equal(inner?.name, 'short (inlined)');
    assert.equal(caller?.name, `walk (at one of the lines ${lineOf('// 5')} to ${lineOf('// 6')})`);
  });

  it('can be stopped at, or say why not', async () => {
    const client = await DebugClient.begun(debugged.program);
    const at = ['// 1', 'other(a)', '// 2', '// 4', '// 5', '// 7', 'same(d)', 'A comment', 'fun other'];
    const set = await client.setBreakpoints({ path: debugged.file }, ...lines(...at));
    const [merged, none] = [
      'The compiler has put short into its callers, and the recording does not show which line called it.',
      'No instruction comes from this line.',
    ];
    assert.deepEqual(
      set.map(({ verified, message }) => message ?? verified),
      [true, true, true, true, merged, 'This execution never reached the line.', none, none, none],
    );
    const stops = [];
    for (let stop = 0; stop < 4; stop += 1) {
      await client.moved('continue');
      stops.push((await client.stack())[1]?.line);
    }
    assert.deepEqual(stops, [lineOf('// 1'), lineOf('other(a)'), lineOf('// 2'), lineOf('// 4')]);
  });
});
