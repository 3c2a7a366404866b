import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { answerReader } from '../../src/toolkit/api/answerReader';
import { v3Endpoints } from '../../src/toolkit/access/v3/v3Endpoints';
import { traceFixtures } from '../support/traceFixtures';

const tracesResult = v3Endpoints.traces.result;

/** Values an answer may hold where it should hold something else. */
const strange = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e21,
    '',
    '0',
    '-5',
    '0x10',
    '1e3',
    'null',
    {},
    [],
    [null],
    { a: 1 },
  ),
  fc.constant('A'.repeat(44)),
  fc.constant(`${'A'.repeat(43)}=`),
  fc.constant(`0:${'F'.repeat(64)}`),
  fc.string(),
  fc.bigInt().map(String),
  fc.jsonValue(),
);

/** One change: replace, delete, add a field, or move a part to another place. */
const change = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'delete', 'add', 'nest'),
  /** Where, as fractions down the tree. */
  turns: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
    minLength: 1,
    maxLength: 12,
  }),
  value: strange,
  key: fc.oneof(
    fc.string().filter((text) => text !== '__proto__'),
    fc.constantFrom('constructor', 'toString', 'length'),
  ),
});

type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

describe('mutated real answers', () => {
  const texts = traceFixtures().map(({ text }) => text);

  it('yield a typed value or a typed error, exactly as in zod, and never crash', () => {
    const isLong = process.env['TONWB_LONG'] === '1';
    let values = 0;
    let failures = 0;
    fc.assert(
      fc.property(
        fc.nat({ max: texts.length - 1 }),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (fixture, changes) => {
          const mutated: unknown = changes.reduce<unknown>(apply, JSON.parse(texts[fixture] ?? ''));
          const wire = JSON.stringify(mutated);
          const read = answerReader(tracesResult).decode(JSON.parse(wire));
          const expected = tracesResult.safeParse(JSON.parse(wire));
          const checked = answerReader(tracesResult).check(JSON.parse(wire));
          if ('failure' in read) {
            failures++;
            assert.ok(
              !expected.success,
              `zod takes what the reader refuses: ${JSON.stringify(read.failure)}`,
            );
            assert.ok(read.failure.expected.length > 0);
            assert.deepEqual(checked?.expected, read.failure.expected);
            assert.ok(
              expected.error.issues.some(({ path }) =>
                path.join('/').startsWith(read.failure.path.slice(0, -1).join('/')),
              ),
              `no issue of zod's lies at ${JSON.stringify(read.failure.path)}`,
            );
          } else {
            values++;
            assert.ok(expected.success, `the reader takes what zod refuses: ${expected.error?.message}`);
            assert.equal(checked, undefined);
            assert.deepEqual(read.value, expected.data);
            // What was sent is still there.
            assert.equal(countFields(z.encode(tracesResult, read.value)), countFields(JSON.parse(wire)));
          }
        },
      ),
      { numRuns: isLong ? 20_000 : 600 },
    );
    assert.ok(values > 20 && failures > 20, `one-sided: ${values} values, ${failures} failures`);
  });
});

/** Applies one change at the place its turns lead to. */
function apply(whole: unknown, { kind, turns, key, ...given }: Change): unknown {
  const value = structuredClone(given.value);
  let node = whole;
  let parent: Record<string, unknown> | undefined;
  let name = '';
  for (const turn of turns) {
    if (typeof node !== 'object' || node === null || Object.keys(node).length === 0) {
      break;
    }
    const keys = Object.keys(node);
    parent = node as Record<string, unknown>;
    name = keys[Math.floor(turn * keys.length)] ?? '';
    node = parent[name];
  }
  if (parent === undefined) {
    return value;
  }
  const define = (at: object, field: string, what: unknown): void => {
    Object.defineProperty(at, field, { value: what, enumerable: true, configurable: true, writable: true });
  };
  switch (kind) {
    case 'replace':
      define(parent, name, value);
      break;
    case 'delete':
      Reflect.deleteProperty(parent, name);
      break;
    case 'add':
      if (typeof node === 'object' && node !== null && !Array.isArray(node)) {
        define(node, key, value);
      }
      break;
    case 'nest':
      define(parent, name, [node]);
      break;
  }
  return whole;
}

function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) {
    return 1;
  }
  return Object.values(value).reduce<number>((sum, inner) => sum + countFields(inner), 1);
}
