import assert from 'node:assert/strict';
import * as z from 'zod';
import { checkShape } from '../../../src/toolkit/base/checkShape';

describe('the words for what does not fit a schema', () => {
  it('are ours for every kind of problem, and follow the name of the value', () => {
    const schema = z.strictObject({
      text: z.string().min(1),
      long: z.string().max(2),
      whole: z.int().min(1).max(9),
      list: z.array(z.boolean()).max(1),
      word: z.enum(['a', 'b']),
      inner: z.object({}),
      either: z.union([z.number(), z.null()]),
      form: z.string().regex(/^a/),
      own: z.string({ error: 'must be a name' }),
    });
    const right = {
      text: 'a',
      long: 'a',
      whole: 1,
      list: [true],
      word: 'a',
      inner: {},
      either: 1,
      form: 'a',
      own: '',
    };
    assert.deepEqual(checkShape(schema, right), { data: right });
    for (const [change, path, words] of [
      [{ text: undefined }, 'text', 'is missing'],
      [{ text: 7 }, 'text', 'must be text in quotes'],
      [{ text: '' }, 'text', 'must not be empty'],
      [{ long: 'abc' }, 'long', 'must have at most 2 characters'],
      [{ whole: '1' }, 'whole', 'must be a number'],
      [{ whole: 1.5 }, 'whole', 'must be a whole number'],
      [{ whole: 0 }, 'whole', 'must be at least 1'],
      [{ whole: 10 }, 'whole', 'must be at most 9'],
      [{ list: {} }, 'list', 'must be a list'],
      [{ list: [true, true] }, 'list', 'must have at most 1 entries'],
      [{ list: ['x'] }, 'list.0', 'must be true or false'],
      [{ word: 'c' }, 'word', 'must be "a" or "b"'],
      [{ inner: [] }, 'inner', 'must be an object'],
      [{ either: 'x' }, 'either', 'does not have the expected form'],
      [{ form: 'b' }, 'form', 'does not have the expected form'],
      [{ own: 7 }, 'own', 'must be a name'],
      [{ other: 7 }, '', 'has the unknown field "other"'],
    ] as const) {
      assert.deepEqual(checkShape(schema, { ...right, ...change }), { problem: { path, words } });
    }
  });
});
