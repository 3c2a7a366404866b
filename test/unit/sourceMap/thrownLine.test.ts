import assert from 'node:assert/strict';
import { thrownLine } from '../../../src/toolkit/sourceMap/thrownAt';
import type { ThrownAt } from '../../../src/toolkit/sourceMap/thrownAt';

describe('the line that threw, in a sentence', () => {
  const at = (text: string, ...names: string[]): ThrownAt => ({
    place: { file: '/contracts/till.tolk', line: 8, text, function: undefined },
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
