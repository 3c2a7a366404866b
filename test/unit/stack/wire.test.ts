import type { Cell } from '@ton/core';
import { beginCell } from '@ton/core';
import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/toolkit/base/errorCodes';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';
import type { StackValue } from '../../../src/toolkit/stack/stackValue';
import { printStack } from '../../../src/toolkit/stack/stackValue';
import {
  decodeV2Stack,
  decodeV2StdStack,
  encodeV2Stack,
  encodeV2StdStack,
} from '../../../src/toolkit/stack/v2StdStack';
import { decodeV3Stack, encodeV3Stack, v3CanCarry } from '../../../src/toolkit/stack/encodeV3Stack';

const cell: Cell = beginCell().storeUint(7, 32).endCell();
const boc = cell.toBoc().toString('base64');
const huge = (1n << 256n) - 1n;
const wide: StackValue[] = parseStackText(
  `${huge} -1 cell ${boc} slice ${boc} [1, slice ${boc}, (2, [3])] (4, 5) null`,
);

const withCode =
  (code: ErrorCode, kind: string) =>
  (error: unknown): boolean =>
    WorkbenchError.is(error, code) && error.kind === kind;

const number = (text: string): object => ({
  '@type': 'tvm.stackEntryNumber',
  number: { '@type': 'tvm.numberDecimal', number: text },
});

describe('stack on the wire: v2 runGetMethod', () => {
  it('sends what the server parses: decimal numbers, tvm.Cell and tvm.Slice as plain base64, typed elements', () => {
    assert.deepEqual(encodeV2Stack(wide), [
      ['num', huge.toString()],
      ['num', '-1'],
      ['tvm.Cell', boc],
      ['tvm.Slice', boc],
      [
        'tuple',
        {
          '@type': 'tvm.tuple',
          elements: [
            number('1'),
            { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: boc } },
            {
              '@type': 'tvm.stackEntryList',
              list: {
                '@type': 'tvm.list',
                elements: [
                  number('2'),
                  {
                    '@type': 'tvm.stackEntryTuple',
                    tuple: { '@type': 'tvm.tuple', elements: [number('3')] },
                  },
                ],
              },
            },
          ],
        },
      ],
      ['list', { '@type': 'tvm.list', elements: [number('4'), number('5')] }],
      ['list', { '@type': 'tvm.list', elements: [] }],
    ]);
  });

  it('reads every entry that servers return', () => {
    const answer = [
      ['num', `0x${huge.toString(16)}`],
      ['num', '-0x1'],
      ['cell', { bytes: boc, object: { data: { b64: 'AAAABw==', len: 32 }, refs: [], special: false } }],
      ['tuple', { '@type': 'tvm.tuple', elements: [number(huge.toString()), number('-5')] }],
      ['list', { '@type': 'tvm.list', elements: [] }],
      ['list', { '@type': 'tvm.list', elements: [{ '@type': 'tvm.stackEntryUnsupported' }] }],
      ['unsupported', ''],
    ];
    const read = decodeV2Stack(answer);
    assert.equal(printStack(read.slice(0, 5)), `${huge} -1 cell x{00000007} [${huge}, -5] null`);
    assert.equal(read[5]?.type === 'list' && read[5].items[0]?.type, 'unsupported');
    assert.equal(read[6]?.type, 'unsupported');
  });

  it('rejects anything that is not a stack', () => {
    const bad: unknown[] = [
      undefined,
      {},
      [['num']],
      [['num', '0xzz']],
      [['num', 1.5]],
      [['cell', { bytes: '' }]],
      [['cell', { bytes: 'AAAA' }]],
      ['num', '0x1'],
      [['tuple', []]],
      [['tuple', { elements: [{ '@type': 'tvm.stackEntryNumber' }] }]],
    ];
    for (const wire of bad) {
      assert.throws(
        () => decodeV2Stack(wire),
        withCode('stack-answer-unusable', 'service'),
        JSON.stringify(wire),
      );
    }
  });
});

describe('stack on the wire: v2 runGetMethodStd', () => {
  it('carries everything in both directions, distinguishing slices from cells', () => {
    const wire: unknown = JSON.parse(JSON.stringify(encodeV2StdStack(wide)));
    assert.equal(printStack(decodeV2StdStack(wire)), printStack(wide));
  });

  it('refuses an endless nesting instead of exhausting the stack', () => {
    let entry: object = number('1');
    for (let depth = 0; depth < 5000; depth++) {
      entry = { '@type': 'tvm.stackEntryTuple', tuple: { elements: [entry] } };
    }
    assert.throws(() => decodeV2StdStack([entry]), withCode('stack-answer-unusable', 'service'));
  });
});

describe('stack on the wire: v3 runGetMethod', () => {
  it('sends num, cell and slice', () => {
    assert.deepEqual(encodeV3Stack(parseStackText(`${huge} -1 0 cell ${boc} slice ${boc}`)), [
      { type: 'num', value: `0x${huge.toString(16)}` },
      { type: 'num', value: '-0x1' },
      { type: 'num', value: '0x0' },
      { type: 'cell', value: boc },
      { type: 'slice', value: boc },
    ]);
  });

  it('reports what it cannot carry', () => {
    assert.ok(v3CanCarry(parseStackText('1 x{4A_} cell x{}')));
    for (const text of ['[1]', '(1)', 'null', 'nan', 'builder b(u8 1)']) {
      assert.ok(!v3CanCarry(parseStackText(text)), text);
      assert.throws(() => encodeV3Stack(parseStackText(text)), withCode('stack-value-not-carried', 'input'));
    }
    for (const text of ['nan', 'builder b(u8 1)', '[nan]']) {
      assert.throws(() => encodeV2Stack(parseStackText(text)), withCode('stack-value-not-carried', 'input'));
    }
  });

  it('reads nested entries, an empty list as null, and numbers of every size', () => {
    const answer = [
      { type: 'num', value: '-0x1' },
      { type: 'cell', value: boc },
      { type: 'list', value: [] },
      {
        type: 'tuple',
        value: [
          { type: 'num', value: '0x2' },
          { type: 'slice', value: boc },
        ],
      },
      { type: 'list', value: [{ type: 'num', value: `0x${huge.toString(16)}` }] },
      { type: 'unsupported', value: null },
    ];
    const read = decodeV3Stack(answer);
    assert.equal(printStack(read.slice(0, 5)), `-1 cell x{00000007} null [2, slice x{00000007}] (${huge})`);
    assert.equal(read[5]?.type, 'unsupported');
    for (const wire of [
      null,
      [{ value: 1 }],
      [{ type: 'num', value: '' }],
      [{ type: 'tuple', value: '0x1' }],
    ]) {
      assert.throws(() => decodeV3Stack(wire), withCode('stack-answer-unusable', 'service'));
    }
  });
});
