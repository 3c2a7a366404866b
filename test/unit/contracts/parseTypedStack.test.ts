import assert from 'node:assert/strict';
import { Address, beginCell, Dictionary } from '@ton/core';
import { readTactSource } from '../../../src/toolkit/contracts/abi/readTactSource';
import { typeText, withTypeIds } from '../../../src/toolkit/contracts/abi/abiType';
import { readTolkSource } from '../../../src/toolkit/contracts/abi/readTolkSource';
import { parseTypedStack } from '../../../src/toolkit/contracts/layouts/parseTypedStack';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { printStack } from '../../../src/toolkit/stack/stackValue';
import type { StackValue } from '../../../src/toolkit/stack/stackValue';

const alice = Address.parse('EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMS');
const accounts = new Map([['alice', alice.toRawString()]]);
const declarations = `
  struct Point { x: int8, y: uint8? }
  struct Line { from: Point, to: Point, name: string }
  enum Mode: uint8 { Off, On = 7 }`;

function parse(parameters: string, text: string): StackValue[] {
  const [method] = readTolkSource(`${declarations}\nget fun f(${parameters}): int {}`);
  return parseTypedStack(text, method?.parameters ?? [], { accounts }).flatMap(({ values }) => values);
}

function refuses(parameters: string, text: string, offset: number, length: number, message: string): void {
  it(`(${parameters}) refuses ${text}`, () => {
    assert.throws(
      () => parse(parameters, text),
      (error: unknown) => {
        assert.ok(WorkbenchError.is(error, 'stack-text-invalid'), String(error));
        const shown = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
        assert.deepEqual([error.details.offset, error.details.length, shown], [offset, length, message]);
        return true;
      },
    );
  });
}

const friendly = alice.toString();

describe('abi: typed stack text', () => {
  it('may be bare if the type says what is meant', () => {
    for (const text of [friendly, `addr ${friendly}`, 'alice', '@alice', `slice b(addr ${friendly})`]) {
      assert.equal(printStack(parse('a: address', text)), `addr ${friendly}`, text);
    }
    assert.equal(printStack(parse('a: address', 'none')), 'slice x{2_}');
    assert.equal(printStack(parse('s: string', '"hello"')), 'cell x{68656C6C6F}');
    const boc = beginCell().storeUint(7, 8).endCell().toBoc().toString('base64');
    assert.equal(
      printStack(parse('a: cell, b: slice, c: builder', `${boc} ${boc} ${boc}`)),
      'cell x{07} slice x{07} builder x{07}',
    );
    assert.equal(printStack(parse('a: cell, b: slice', 'b(u8 7), x{07}')), 'cell x{07} slice x{07}');
    assert.equal(
      printStack(parse('b: bool, c: bool, d: coins, e: Mode, f: Mode', 'true 0 1.5ton On Mode.Off')),
      '-1 0 1500000000 7 0',
    );
    assert.equal(printStack(parse('s: slice', friendly)), `addr ${friendly}`);
  });

  it('may be in plain form, too', () => {
    assert.equal(
      printStack(
        parse('s: string, c: cell, n: int, t: tuple, u: unknown', 'str "text" cell x{01} -0x1 [1] null'),
      ),
      'cell x{74657874} cell x{01} -1 [1] null',
    );
  });

  it('may be null for nullable types', () => {
    assert.equal(
      printStack(parse('a: int?, b: address?, c: cell | null', 'null null null')),
      'null null null',
    );
    assert.equal(printStack(parse('a: int8?, b: address?', '5 alice')), `5 addr ${friendly}`);
  });

  it('spreads structs and tensors over the stack; tuples and lists stay one value', () => {
    assert.equal(printStack(parse('p: Point, n: int', '{y: null, x: -5} 1')), '-5 null 1');
    assert.equal(
      printStack(parse('l: Line', '{ name: "diagonal", from: {x: 1, y: 2}, to: {x: 3, y: null} }')),
      '1 2 3 null cell x{646961676F6E616C}',
    );
    assert.equal(
      printStack(
        parse(
          'p: (int, address), t: [int, bool], l: lisp_list<[int, bool]>',
          '(1, alice) [2, true] ([3, false], [4, true])',
        ),
      ),
      `1 addr ${friendly} [2, -1] ([3, 0], [4, -1])`,
    );
  });

  it('needs the compiler’s ids for a struct that may be null, and for the variants of a union', () => {
    const ids = { Point: 129, Line: 130, int: 1, int8: 42 };
    const typed = (parameters: string, text: string): string => {
      const [method] = readTolkSource(`${declarations}\nget fun f(${parameters}) {}`);
      const known = (method?.parameters ?? []).map((one) => ({ ...one, type: withTypeIds(one.type, ids) }));
      return printStack(parseTypedStack(text, known).flatMap(({ values }) => values));
    };
    assert.equal(typed('p: Point?, n: int', 'null 5'), 'null null 0 5');
    assert.equal(typed('p: Point?', '{x: 1, y: 2}'), '1 2 129');
    assert.equal(typed('u: Point | Line | null', 'null'), 'null null null null null 0');
    assert.equal(typed('u: Point | int', '7'), 'null 7 1');
    assert.equal(typed('u: Point | int', 'Point {x: 1, y: null}'), '1 null 129');
    assert.equal(typed('u: Point | int', '{x: 1, y: null}'), '1 null 129', 'the only struct needs no name');
    assert.equal(typed('u: int8 | int | null', '5'), '5 42', 'the first that takes it');
    assert.equal(typed('u: int8 | int | null', 'int 5'), '5 1', 'the one that is named');
    assert.equal(printStack(parse('p: Point?', 'null')), 'null null 0');
    for (const [parameters, text] of [
      ['p: Point?', '{x: 1, y: 2}'],
      ['u: Point | int', '7'],
    ] as const) {
      assert.throws(
        () => parse(parameters, text),
        (error: unknown) => WorkbenchError.is(error, 'type-id-unknown') && error.hint !== undefined,
      );
    }
    assert.throws(
      () => typed('u: Point | Line', 'Pont {x: 1, y: 2}'),
      (error: unknown) =>
        WorkbenchError.is(error, 'stack-text-invalid') && /one of Point, Line/.test(error.message),
    );
  });

  it('passes a struct to Tact as one tuple', () => {
    const [method] = readTactSource(
      'struct P { x: Int as int8; y: Address?; } contract C { get fun f(p: P): Int {} }',
    );
    const values = parseTypedStack('{x: 1, y: null}', method?.parameters ?? []).flatMap(
      (argument) => argument.values,
    );
    assert.equal(printStack(values), '[1, null]');
  });

  it('takes a number of Tact that is stored like coins, but called otherwise, for a number', () => {
    const [method] = readTactSource(
      'struct S { v: Int as varuint16; c: Int as coins; } contract C { get fun f(s: S): Int {} }',
    );
    const type = method?.parameters[0]?.type;
    assert.ok(type?.kind === 'struct');
    assert.deepEqual(
      type.fields.map((field) => typeText(field.type)),
      ['varuint16', 'coins'],
    );
  });

  it('builds dictionaries that @ton/core reads', () => {
    const [value] = parse('m: map<int32, coins>', '{1: 1ton, -7: 5}');
    assert.ok(value?.type === 'cell');
    const read = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.BigVarUint(4), value.cell);
    assert.deepEqual([read.get(-7), read.get(1), read.size], [5n, 1_000_000_000n, 2]);
    const [owners] = parse('m: map<address, bool>', `{${friendly}: true}`);
    assert.ok(owners?.type === 'cell');
    assert.equal(
      Dictionary.loadDirect(Dictionary.Keys.Address(), Dictionary.Values.Bool(), owners.cell).get(alice),
      true,
    );
    const [cells] = parse('m: map<uint256, cell>', '{ 0xff: b(u8 1) }');
    assert.ok(cells?.type === 'cell');
    assert.equal(
      Dictionary.loadDirect(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell(), cells.cell).get(255n)
        ?.bits.length,
      8,
    );
    assert.equal(printStack(parse('m: map<int32, int32>', '{}')), 'null');
    assert.equal(
      printStack(parse('m: map<int32, Point>, d: dict', '{1: b(i8 1, bool false)} null')).split(' ').length,
      3,
    );
  });

  refuses('a: uint8', '256', 0, 3, 'The number does not fit uint8, which holds 0 to 255.');
  refuses('a: int8', '-129', 0, 4, 'The number does not fit int8, which holds -128 to 127.');
  refuses('a: coins', '-1', 0, 2, 'The number does not fit coins, which holds 0 to 2^120-1.');
  refuses('a: int', 'true', 0, 4, '“true” is not a number.');
  refuses('a: bool', '5', 0, 1, '“5” is neither true nor false.');
  refuses(
    'a: address',
    '5',
    0,
    1,
    '“5” is not an address. Write EQ…, 0:hex, a name such as @alice, or none.',
  );
  refuses('a: address', 'cell x{01}', 0, 10, 'Argument a takes a slice; this is a cell.');
  refuses(
    'a: int, b: address',
    '1',
    1,
    0,
    'The argument b: address is missing. The method takes (a: int, b: address).',
  );
  refuses('', '1', 0, 1, 'One argument too many: the method takes no arguments.');
  refuses('a: int', '1 2 3', 2, 3, 'One argument too many: the method takes (a: int).');
  refuses('p: Point', '{x: 1}', 5, 1, 'Argument p lacks y: uint8?.');
  refuses('p: Point', '{x: 1, z: 2}', 7, 1, 'The struct Point has no field “z”. Did you mean y?');
  refuses('p: Point', '{x: 1, x: 2}', 7, 1, 'Field x is given twice. Did you mean y?');
  refuses('p: Point', '{x 1}', 3, 1, 'A colon is missing after x.');
  refuses('p: Point', '{x: 1', 5, 0, 'Missing closing } of { at position 1.');
  refuses('p: Point', '5', 0, 1, 'Argument p takes a struct. Write {x: …, y: …}.');
  refuses('t: [int, int]', '[1]', 2, 1, 'Value 1 of argument t is missing: int.');
  refuses('t: [int, int]', '[1, 2, 3]', 7, 1, 'Argument t takes 2 values; ] is missing here.');
  refuses('m: map<int8, int8>', '{1: 2, 1: 3}', 7, 1, 'This key is given twice.');
  refuses('m: map<int8, int8>', '{1: 200}', 4, 3, 'The number does not fit int8, which holds -128 to 127.');
  refuses('e: Mode', 'Onn', 0, 3, '“Onn” is not a valid Mode. Did you mean On?');
  refuses('c: cell', 'slice x{01}', 0, 5, 'Argument c takes a cell; this is a slice.');
  refuses('c: cell', '5', 0, 1, 'Argument c takes a cell, not “5”.');
  refuses('b: bits16', 'x{01}', 0, 5, 'Argument b takes 16 bits, not 8.');
  refuses('k: continuation', '5', 0, 1, 'Argument k is a continuation, which cannot be sent.');
  refuses('m: map<int8, int8>', '{1 2}', 3, 1, 'A colon is missing after the key.');
  refuses('m: map<int8, int8>', '{1: }', 4, 1, 'A number is missing for int8.');
  refuses('m: map<int8, int8>', '{300: 1}', 1, 3, 'The number does not fit int8, which holds -128 to 127.');
  refuses('m: map<int8, int8>', '{1: 2', 5, 0, 'Missing closing } of { at position 1.');
  refuses(
    'm: map<int8, int8>',
    '5',
    0,
    1,
    'Argument m takes a cell, not “5”. A map is {key: value, …}, or the cell of a dictionary.',
  );
  refuses('m: map<address, bool>', '{alise: true}', 1, 5, '“alise” is not an address. Did you mean alice?');
  refuses('m: map<int8, Point>', '{1: 5}', 4, 1, 'A value of argument m takes Point. Write {x: …, y: …}.');
  refuses('m: map<int8, Point>', '{1: {x: 1}}', 9, 1, 'A value of argument m lacks y: uint8?.');
  refuses('a: int8?', 'nul', 0, 3, '“nul” is not a valid int8?. Did you mean null?');
  refuses('a: int8?', '300', 0, 3, 'The number does not fit int8, which holds -128 to 127.');
  refuses('a: address?', 'alise', 0, 5, '“alise” is not an address. Did you mean alice?');
  refuses('l: lisp_list<int>', '[1]', 0, 1, 'Argument l takes a list in (…).');
  refuses('l: lisp_list<int>', '(1, true)', 4, 4, '“true” is not a number.');
  refuses('b: builder', 'cell x{01}', 0, 4, 'Argument b takes a builder; this is a cell.');
  refuses('c: cell', 'b(u8 300)', 5, 3, 'The number does not fit u8, which holds 0 to 255.');
  refuses('c: cell', 'b(u8)', 4, 1, 'A number is missing for u8.');
  refuses('l: Line', '{from: {x: 1, y: 2}, to: {x: 3}, name: "a"}', 30, 1, 'Field to lacks y: uint8?.');
  refuses(
    'l: Line',
    '{from: 5, to: {x: 3, y: 1}, name: "a"}',
    7,
    1,
    'Field from takes a struct. Write {x: …, y: …}.',
  );
  refuses('s: string', 'hello', 0, 5, 'Argument s takes text in quotes. Write "hello".');
  refuses('s: string', '"hello', 0, 6, 'Missing closing quote. End the text with ".');
  refuses('t: (int, int)', '[1, 2]', 0, 1, 'Argument t takes 2 values in (…).');
  refuses('t: [int, [int, cell]]', '[1, [2, 3]]', 8, 1, 'Argument t takes a cell, not “3”.');
});
