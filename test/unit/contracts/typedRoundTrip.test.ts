import { Address, Dictionary, beginCell } from '@ton/core';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { readTolkSource } from '../../../src/toolkit/contracts/abi/readTolkSource';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';
import type { StackValue } from '../../../src/toolkit/stack/stackValue';
import { printStack, stringToCell } from '../../../src/toolkit/stack/stackValue';
import { parseTypedStack } from '../../../src/toolkit/contracts/layouts/parseTypedStack';

/** A type as Tolk writes it, a value of it as a user writes it, and the stack text of what the contract gets. */
interface Written {
  type: string;
  text: string;
  stack: string;
  /** A struct or tensor of several entries: its stack text is no value of its type any more. */
  spreads?: true;
}

const sized = (signed: boolean): fc.Arbitrary<Written> =>
  fc.integer({ min: 1, max: 256 }).chain((bits) => {
    const half = 1n << BigInt(signed ? bits - 1 : bits);
    return fc
      .bigInt({ min: signed ? -half : 0n, max: half - 1n })
      .chain((value) => fc.constantFrom(String(value), hexOf(value)))
      .map((text) => ({ type: `${signed ? '' : 'u'}int${bits}`, text, stack: String(valueOf(text)) }));
  });

function hexOf(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

function valueOf(text: string): bigint {
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
}

const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((hash) => {
  const one = new Address(0, Buffer.from(hash));
  return { type: 'address', text: one.toRawString(), stack: `addr ${one.toString()}` };
});

const leaf: fc.Arbitrary<Written> = fc.oneof(
  sized(true),
  sized(false),
  fc
    .bigInt({ min: 0n, max: (1n << 120n) - 1n })
    .map((value) => ({ type: 'coins', text: `${value}nano`, stack: String(value) })),
  fc.boolean().map((value) => ({ type: 'bool', text: String(value), stack: value ? '-1' : '0' })),
  address,
  fc.constantFrom(
    { type: 'Mode', text: 'On', stack: '7' },
    { type: 'address?', text: 'null', stack: 'null' },
    { type: 'cell?', text: 'null', stack: 'null' },
    { type: 'dict', text: 'null', stack: 'null' },
  ),
  fc
    .tuple(fc.constantFrom('cell', 'slice', 'builder'), fc.integer({ min: 0, max: 0xffff }))
    .map(([type, n]) => ({
      type,
      text: `b(u16 ${n}, ref b(coins 1ton))`,
      stack: printStack(parseStackText(`${type} b(u16 ${n}, ref b(coins 1ton))`)),
    })),
  fc.string({ minLength: 1, maxLength: 200 }).map((text) => ({
    type: 'string',
    text: JSON.stringify(text),
    stack: printStack([{ type: 'cell', cell: stringToCell(text) }]),
  })),
);

const optional = leaf
  .filter(({ type }) => /^(?:u?int\d+|address|cell|slice)$/.test(type))
  .map((one) => ({ ...one, type: `${one.type}?` }));

const items = fc.array(leaf, { minLength: 1, maxLength: 4 });
const list = (all: readonly Written[], key: keyof Written): string => all.map((one) => one[key]).join(', ');

const written: fc.Arbitrary<Written> = fc.oneof(
  leaf,
  optional,
  items.map((all) => ({
    type: `[${list(all, 'type')}]`,
    text: `[${list(all, 'text')}]`,
    stack: `[${list(all, 'stack')}]`,
  })),
  fc.array(address, { maxLength: 4 }).map((all) => ({
    type: 'lisp_list<address>',
    text: `(${list(all, 'text')})`,
    stack: `(${list(all, 'stack')})`,
  })),
  items
    .filter((all) => all.length > 1)
    .map((all) => ({
      type: `(${list(all, 'type')})`,
      text: `(${list(all, 'text')})`,
      stack: all.map(({ stack }) => stack).join(' '),
      spreads: true as const,
    })),
  fc.tuple(fc.integer({ min: -128, max: 127 }), fc.boolean()).map(([x, isFirst]) => ({
    type: 'Point',
    text: isFirst ? `{x: ${x}, y: true}` : `{ y: true, x: ${x} }`,
    stack: `${x} -1`,
    spreads: true as const,
  })),
);

const declarations = 'struct Point { x: int8, y: bool }\nenum Mode: uint8 { Off, On = 7 }\n';

function parse(types: readonly string[], text: string): StackValue[] {
  const parameters = types.map((type, index) => `p${index}: ${type}`).join(', ');
  const [method] = readTolkSource(`${declarations}get fun f(${parameters}): int {}`);
  assert.equal(method?.parameters.length, types.length, parameters);
  return parseTypedStack(text, method.parameters).flatMap(({ values }) => values);
}

describe('abi: typed stack text, every value that can be written', () => {
  it('has the form of its type on the stack, and can be pasted back as printed', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 4 }), fc.constantFrom(' ', ', ', '\n  '), (all, between) => {
        const types = all.map(({ type }) => type);
        const values = parse(types, all.map(({ text }) => text).join(between));
        const printed = printStack(values);
        assert.equal(printed, printStack(parseStackText(all.map(({ stack }) => stack).join(' '))));
        assert.equal(printStack(parseStackText(printed)), printed);
        if (!all.some(({ spreads }) => spreads)) {
          assert.equal(printStack(parse(types, printed)), printed);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('writes maps that @ton/core reads entry by entry', () => {
    const entries = fc.uniqueArray(
      fc.tuple(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), fc.bigInt({ min: 0n, max: 1n << 100n })),
      { selector: ([key]) => key, maxLength: 12 },
    );
    fc.assert(
      fc.property(entries, (all) => {
        const text = `{${all.map(([key, value]) => `${key}: ${value}`).join(', ')}}`;
        const [value] = parse(['map<int32, coins>'], text);
        assert.ok(value);
        assert.equal(printStack(parse(['map<int32, coins>'], printStack([value]))), printStack([value]));
        const read =
          value.type === 'cell'
            ? Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.BigVarUint(4), value.cell)
            : Dictionary.empty<number, bigint>();
        assert.deepEqual(new Map([...read]), new Map(all));
      }),
      { numRuns: 150 },
    );
  });

  it('keeps a struct inside a map as its bits', () => {
    const point = beginCell().storeInt(-3, 8).storeBit(true).endCell();
    const [value] = parse(['map<uint8, Point>'], '{7: b(i8 -3, bool true)}');
    assert.ok(value?.type === 'cell');
    const bits = Dictionary.loadDirect(
      Dictionary.Keys.Uint(8),
      { serialize: () => assert.fail(), parse: (slice) => slice.asCell() },
      value.cell,
    );
    assert.ok(bits.get(7)?.equals(point));
  });
});
