import assert from 'node:assert/strict';
import { Address, beginCell, Cell } from '@ton/core';
import { Blockchain, createShardAccount } from '@ton/sandbox';
import { compileTolk } from '../../src/toolkit/build/compileTolk';
import type { LayoutSet, StructLayout } from '../../src/toolkit/contracts/layouts/layoutSet';
import { decodeByLayout } from '../../src/toolkit/contracts/layouts/decodeByLayout';
import { encodeByLayout } from '../../src/toolkit/contracts/layouts/encodeByLayout';
import { readTolkSourceLayouts } from '../../src/toolkit/contracts/layouts/tolkLayouts';
import { bodyToJson } from '../../src/toolkit/contracts/opcodes/bodyToJson';

const bob = '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8';
const accounts = new Map([['bob', bob]]);

/** Each of these types in a struct of its own: its declaration, a value in Tolk, the same as text, and as decoded JSON. */
const cases: [name: string, type: string, tolk: string, text: string, json: unknown][] = [
  ['Signed', 'int33', '-5', '-5', '-5'],
  ['Unsigned', 'uint256', '1 << 255', `${1n << 255n}`, `${1n << 255n}`],
  ['Coins', 'coins', 'ton("1.5")', '1.5ton', '1500000000'],
  ['Yes', 'bool', 'true', 'true', true],
  ['VarSmall', 'varuint16', '1000', '1000', '1000'],
  ['VarLarge', 'varuint32', '0', '0', '0'],
  ['VarSigned', 'varint32', '-1000', '-1000', '-1000'],
  ['VarLowest', 'varint16', '-128', '-128', '-128'],
  ['Someone', 'address', `address("${bob}")`, 'bob', bob],
  ['Nobody', 'address?', 'null', 'none', null],
  ['Somebody', 'address?', `address("${bob}")`, 'bob', bob],
  ['Optional', 'int32?', 'null', 'null', null],
  ['Given', 'int32?', '7', '7', '7'],
  [
    'OptionalStruct',
    'Point?',
    '{ x: 1, y: 2 }',
    '{x: 1, y: 2}',
    { name: 'Point', fields: { x: '1', y: '2' } },
  ],
  ['Nested', 'Point', '{ x: -1, y: 2 }', '{y: 2, x: -1}', { name: 'Point', fields: { x: '-1', y: '2' } }],
  [
    'Referred',
    'Cell<Point>',
    'Point{ x: 3, y: 4 }.toCell()',
    '{x: 3, y: 4}',
    { name: 'Point', fields: { x: '3', y: '4' } },
  ],
  ['Tensor', '(int8, bool)', '(3, false)', '(3, false)', { name: '', fields: { 0: '3', 1: false } }],
  ['Either', 'int8 | int16', '5 as int16', '-300', '-300'],
  [
    'Three',
    'int8 | Point | null',
    'Point{ x: 1, y: 2 }',
    'Point {x: 1, y: 2}',
    { name: 'Point', fields: { x: '1', y: '2' } },
  ],
  [
    'ThreeWays',
    'int8 | bool | Point',
    'Point{ x: 1, y: 2 }',
    'Point {x: 1, y: 2}',
    { name: 'Point', fields: { x: '1', y: '2' } },
  ],
  ['ThreeNull', 'int8 | Point | null', 'null', 'null', null],
  [
    'Action',
    'Open | Close',
    'Close{ code: 9 }',
    'Close {code: 9}',
    { name: 'Close', prefix: '0x0b', fields: { code: '9' } },
  ],
  ['Chosen', 'Color', 'Color.Blue', 'Blue', 'Color.Blue'],
  ['Level', 'Level', 'Level.High', 'Level.High', 'Level.High'],
  ['Generic', 'Pair<uint8>', '{ a: 1, b: 2 }', '{a: 1, b: 2}', { name: 'Pair', fields: { a: '1', b: '2' } }],
  ['Alias', 'Amount', '12', '12', '12'],
  ['GenericAlias', 'Maybe<uint8>', '12', '12', '12'],
  ['Empty', 'map<address, int32>', 'createEmptyMap<address, int32>()', 'null', []],
  ['Bits', 'bits16', 'stringHexToSlice("1234") as bits16', 'x{1234}', '1234'],
  ['Raw', 'cell?', 'null', 'null', null],
];

const declared = `
struct Point { x: int32; y: int32 }
struct (0x0a) Open { at: uint32 }
struct (0x0b) Close { code: uint8 }
struct Pair<T> { a: T; b: T }
type Amount = uint64
type Maybe<T> = T?
enum Color { Red, Green, Blue }
enum Level: int8 { Low = -1, High = 1 }
`;

describe('layouts of Tolk sources, against the compiler itself', () => {
  const structs = cases.map(([name, type]) =>
    `struct (0x7000_0000) ${name}Case { before: uint3; value: ${type}; after: bool }`.replace('_', ''),
  );
  const getters = cases.map(
    ([name, , tolk]) =>
      `get fun pack${name}(): cell { val one: ${name}Case = { before: 5, value: ${name === 'Either' ? '-300 as int16' : tolk}, after: true }; return one.toCell() }`,
  );
  const map = `
struct (0x71) WithMap { entries: map<address, Point> }
struct (0x72) WithNumbers { entries: map<int8, bool> }
get fun packMap(): cell {
  var entries = createEmptyMap<address, Point>();
  entries.set(address("${bob}"), { x: 1, y: -1 });
  return WithMap{ entries }.toCell();
}
get fun packNumbers(): cell {
  var entries = createEmptyMap<int8, bool>();
  entries.set(-1, true);
  entries.set(2, false);
  return WithNumbers{ entries }.toCell();
}`;
  const source = `${declared}\n${structs.join('\n')}\n${getters.join('\n')}\n${map}\nfun onInternalMessage(in: InMessage) {}\n`;
  let set: LayoutSet;
  let pack: (method: string) => Promise<Cell>;

  before(async () => {
    const { code } = await compileTolk('/cases.tolk', (path) => {
      if (path !== '/cases.tolk') {
        throw new Error(path);
      }
      return source;
    });
    const blockchain = await Blockchain.create();
    const address = new Address(0, Buffer.alloc(32, 7));
    await blockchain.setShardAccount(
      address,
      createShardAccount({ address, code: Cell.fromBase64(code), data: Cell.EMPTY, balance: 1_000_000_000n }),
    );
    pack = async (method) => (await blockchain.runGetMethod(address, method)).stackReader.readCell();
    set = readTolkSourceLayouts('cases.tolk', undefined, source);
  });

  const struct = (name: string): StructLayout => {
    const found = set.structs.get(name);
    assert.ok(found, name);
    return found;
  };

  for (const [name, type, , text, json] of cases) {
    it(`pack and unpack ${type} as ${text}`, async () => {
      const wanted = await pack(`pack${name}`);
      const layout = struct(`${name}Case`);
      const made = encodeByLayout(`{before: 5, value: ${text}, after: true}`, layout, set, { accounts });
      assert.equal(made.toString(), wanted.toString());
      const read = decodeByLayout(wanted, layout, set);
      assert.equal(read.broken, false);
      const { fields } = bodyToJson(read);
      assert.deepEqual(
        { ...fields, value: plain(fields['value']) },
        { before: '5', value: json, after: true },
      );
    });
  }

  it('pack and unpack maps', async () => {
    for (const [method, name, text, json] of [
      [
        'packMap',
        'WithMap',
        '{entries: {bob: {x: 1, y: -1}}}',
        [{ key: bob, value: { name: 'Point', fields: { x: '1', y: '-1' } } }],
      ],
      [
        'packNumbers',
        'WithNumbers',
        '{entries: {2: false, -1: true}}',
        [
          { key: '2', value: false },
          { key: '-1', value: true },
        ],
      ],
    ] as const) {
      const wanted = await pack(method);
      assert.equal(encodeByLayout(text, struct(name), set, { accounts }).toString(), wanted.toString());
      assert.deepEqual(plain(bodyToJson(decodeByLayout(wanted, struct(name), set)).fields['entries']), json);
    }
  });

  it('recognize that another cell is something else', () => {
    const other = beginCell().storeUint(0x70000000, 32).storeUint(5, 3).endCell();
    assert.equal(decodeByLayout(other, struct('SignedCase'), set).broken, true);
  });
});

/** Without what only says where it comes from. */
function plain(value: unknown): unknown {
  return Array.isArray(value)
    ? value.map((one: { key: unknown; value: unknown }) => ({ key: plain(one.key), value: plain(one.value) }))
    : value;
}
