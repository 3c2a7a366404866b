import { Address, Cell, beginCell, serializeTuple } from '@ton/core';
import assert from 'node:assert/strict';
import path from 'node:path';
import { root } from '../../scripts/lib/root.mjs';
import { builtContract } from '../../src/toolkit/contracts/abi/projectContract';
import type { ContractDescription } from '../../src/toolkit/contracts/abi/contractDescription';
import { describeContract } from '../../src/toolkit/contracts/abi/contractDescription';
import type { GetMethodSignature } from '../../src/toolkit/contracts/abi/getMethodSignature';
import { methodNamed } from '../../src/toolkit/contracts/abi/methodNamed';
import { readProject } from '../../src/toolkit/contracts/abi/readProject';
import type { Access } from '../../src/toolkit/access/createAccess';
import { createAccess } from '../../src/toolkit/access/createAccess';
import type { FuncCompiler } from '../../src/toolkit/build/mapTact';
import { compileFunc } from '../../src/toolkit/build/mapTact';
import { compileTolk } from '../../src/toolkit/build/compileTolk';
import { projectCompiler } from '../../src/toolkit/build/projectCompiler';
import type { BuiltContract } from '../../src/toolkit/build/readBuiltContract';
import { readBuiltContract } from '../../src/toolkit/build/readBuiltContract';
import { answerValue, checkAnswerPart } from '../../src/toolkit/callSheet/answerValue';
import { SheetValues } from '../../src/toolkit/callSheet/sheetValues';
import { isSuccess } from '../../src/toolkit/getMethods/getMethodResult';
import { typedJson } from '../../src/toolkit/getMethods/resultToJson';
import { decodeByLayout } from '../../src/toolkit/contracts/layouts/decodeByLayout';
import { encodeByLayout } from '../../src/toolkit/contracts/layouts/encodeByLayout';
import { readFuncSourceLayouts } from '../../src/toolkit/contracts/layouts/projectLayouts';
import { callControl } from '../../src/toolkit/localnet/callControl';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import type { StackValue } from '../../src/toolkit/stack/stackValue';
import { tupleItems } from '../../src/toolkit/stack/encodeV3Stack';
import type { CallContractEvent } from '../../src/toolkit/workflows/callContract';
import { callContract } from '../../src/toolkit/workflows/callContract';
import { buildTact } from './support/tactBindings';

/** A type, a value of it in the language, the same as text, and as JSON. */
type Row = [type: string, value: string, text: string, json: unknown];

const bob = '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8';
const friendlyBob = Address.parse(bob).toString();
const accounts = new Map([['bob', bob]]);

const point = { x: '1', y: '-2' };
const tolkRows: Row[] = [
  ['int', '-(1 << 255)', `${-(1n << 255n)}`, `${-(1n << 255n)}`],
  ['int8', '-128', '-128', '-128'],
  ['int257', '5', '5', '5'],
  ['uint1', '1', '1', '1'],
  ['uint256', '1 << 255', `${1n << 255n}`, `${1n << 255n}`],
  ['varint16', '-7', '-7', '-7'],
  ['varuint32', '7', '7', '7'],
  ['coins', 'ton("1.5")', '1.5ton', '1500000000'],
  ['bool', 'true', 'true', true],
  ['address', `address("${bob}")`, 'bob', bob],
  ['any_address', `address("${bob}") as any_address`, 'bob', bob],
  ['any_address', 'createAddressNone()', 'none', null],
  ['any_address', 'external()', 'slice b(u2 1, u9 8, u8 255)', 'External<8:255>'],
  ['address?', 'null', 'null', null],
  ['address?', `address("${bob}")`, 'bob', bob],
  ['string', '"hi"', '"hi"', 'hi'],
  ['Color', 'Color.Blue', 'Blue', { member: 'Color.Blue', value: '2' }],
  ['Level?', 'Level.Low', 'Level.Low', { member: 'Level.Low', value: '-1' }],
  ['Amount', '12', '12', '12'],
  ['int?', 'null', 'null', null],
  ['int8?', '5', '5', '5'],
  ['coins?', '5', '5nano', '5'],
  ['bool?', 'false', 'false', false],
  ['dict', 'null', 'null', null],
  ['(int8, bool)', '(3, false)', '(3, false)', ['3', false]],
  ['[int8, bool]', '[3, false]', '[3, false]', ['3', false]],
  ['[int8, int?]', '[3, null]', '[3, null]', ['3', null]],
  ['[Point, int]', '[{ x: 1, y: -2 }, 3]', '[{x: 1, y: -2}, 3]', [point, '3']],
  ['[Point?]', '[null]', '[null]', [null]],
  ['[Point?]', '[{ x: 1, y: -2 }]', '[{x: 1, y: -2}]', [point]],
  ['[One, Empty]', '[{ x: 4 }, {}]', '[{x: 4}, {}]', [{ x: '4' }, {}]],
  ['array<int8>', '[1, 2]', '[1, 2]', ['1', '2']],
  ['array<Point>', '[{ x: 1, y: -2 }]', '[{x: 1, y: -2}]', [point]],
  ['lisp_list<int8>', '[]', '()', []],
  ['lisp_list<int8>', '[1, 2, 3]', '(1, 2, 3)', ['1', '2', '3']],
  ['lisp_list<Point>', '[{ x: 1, y: -2 }]', '({x: 1, y: -2})', [point]],
  ['Point', '{ x: 1, y: -2 }', '{y: -2, x: 1}', point],
  [
    'Line',
    '{ start: { x: 1, y: -2 }, end: { x: 1, y: -2 } }',
    '{start: {x: 1, y: -2}, end: Point {x: 1, y: -2}}',
    { start: point, end: point },
  ],
  [
    'Location',
    '{ idx: 1, line: { start: { x: 1, y: -2 }, end: { x: 1, y: -2 } } }',
    '{idx: 1, line: {start: {x: 1, y: -2}, end: {x: 1, y: -2}}}',
    { idx: '1', line: { start: point, end: point } },
  ],
  ['Location', '{ idx: 2, line: null }', '{idx: 2, line: null}', { idx: '2', line: null }],
  ['Pair<uint8>', '{ a: 1, b: 2 }', '{a: 1, b: 2}', { a: '1', b: '2' }],
  ['Wrapper<Point?>', '{ value: { x: 1, y: -2 } }', '{value: {x: 1, y: -2}}', { value: point }],
  ['Wrapper<Point?>', '{ value: null }', '{value: null}', { value: null }],
  ['Maybe<Point>', 'null', 'null', null],
  ['Empty', '{}', '{}', {}],
  ['Empty?', 'null', 'null', null],
  ['Empty?', '{}', '{}', {}],
  ['One?', 'null', 'null', null],
  ['One?', '{ x: 4 }', '{x: 4}', { x: '4' }],
  ['OneMaybe?', 'null', 'null', null],
  ['OneMaybe?', '{ x: null }', '{x: null}', { x: null }],
  ['OneMaybe?', '{ x: 4 }', '{x: 4}', { x: '4' }],
  ['(int8, int8)?', 'null', 'null', null],
  ['(int8, int8)?', '(1, 2)', '(1, 2)', ['1', '2']],
  ['map<int8, int8>?', 'null', 'null', null],
  ['map<int8, int8>?', 'createEmptyMap<int8, int8>()', '{}', []],
  ['Buy | Sell', 'Buy{ a: 1 }', 'Buy {a: 1}', { variant: 'Buy', value: { a: '1' } }],
  ['Buy | Sell', 'Sell{ a: 1 }', 'Sell {a: 1}', { variant: 'Sell', value: { a: '1' } }],
  ['Order?', 'null', 'null', null],
  [
    'Order?',
    'Wide{ a: 1, b: { x: 1, y: -2 } }',
    'Wide {a: 1, b: {x: 1, y: -2}}',
    { variant: 'Wide', value: { a: '1', b: point } },
  ],
  ['int | slice', '5', '5', { variant: 'int', value: '5' }],
  ['int8 | int16 | null', '300 as int16', '300', { variant: 'int16', value: '300' }],
  ['int8 | Point | null', 'null', 'null', null],
  ['Cell<Point>', 'Point{ x: 1, y: -2 }.toCell()', '{x: 1, y: -2}', point],
  ['Cell<Point>?', 'null', 'null', null],
  ['Cell<Point>?', 'Point{ x: 1, y: -2 }.toCell()', '{x: 1, y: -2}', point],
  ['Cell<Order>', '(Sell{ a: 1 } as Order).toCell()', 'Sell {a: 1}', { variant: 'Sell', value: { a: '1' } }],
  [
    'Cell<Stored>',
    'stored().toCell()',
    '{point: null, who: none, next: {x: 1, y: -2}, kind: Blue, by: {7: {x: 1, y: -2}}}',
    {
      point: null,
      who: null,
      next: point,
      kind: { member: 'Color.Blue', value: '2' },
      by: [{ key: '7', value: point }],
    },
  ],
  ['map<int8, int8>', 'createEmptyMap<int8, int8>()', 'null', []],
  [
    'map<int8, coins>',
    'numbers()',
    '{-1: 1ton, 2: 5}',
    [
      { key: '2', value: '5' },
      { key: '-1', value: '1000000000' },
    ],
  ],
  ['map<address, Point>', 'points()', '{bob: {x: 1, y: -2}}', [{ key: bob, value: point }]],
  ['map<uint8, Cell<Point>>', 'cells()', '{7: {x: 1, y: -2}}', [{ key: '7', value: point }]],
  [
    'map<int8, Order>',
    'orders()',
    '{7: Sell {a: 1}}',
    [{ key: '7', value: { variant: 'Sell', value: { a: '1' } } }],
  ],
];

const line = { start: point, end: point };
const lineText = '{start: {x: 1, y: -2}, end: {x: 1, y: -2}}';
const lineTact = 'Line{ start: Point{ x: 1, y: -2 }, end: Point{ x: 1, y: -2 } }';
const note = { text: 'hi', who: null, extra: null, rate: '5' };
const noteTact = 'Note{ text: "hi", who: null, extra: null, rate: 5 }';
const tactRows: Row[] = [
  ['Int', '-5', '-5', '-5'],
  ['Int?', 'null', 'null', null],
  ['Int?', '7', '7', '7'],
  ['Bool', 'true', 'true', true],
  ['Bool?', 'false', 'false', false],
  ['Address', `address("${friendlyBob}")`, 'bob', bob],
  ['Address?', 'null', 'null', null],
  ['String', '"hi"', '"hi"', 'hi'],
  ['String?', 'null', 'null', null],
  ['Cell?', 'null', 'null', null],
  ['Point', 'Point{ x: 1, y: -2 }', '{y: -2, x: 1}', point],
  ['Point?', 'null', 'null', null],
  ['Point?', 'Point{ x: 1, y: -2 }', '{x: 1, y: -2}', point],
  ['Line', lineTact, lineText, line],
  ['Line?', lineTact, lineText, line],
  ['Location', `Location{ idx: 1, line: ${lineTact} }`, `{idx: 1, line: ${lineText}}`, { idx: '1', line }],
  ['Location', 'Location{ idx: 1, line: null }', '{idx: 1, line: null}', { idx: '1', line: null }],
  ['Location?', `Location{ idx: 1, line: ${lineTact} }`, `{idx: 1, line: ${lineText}}`, { idx: '1', line }],
  ['Location?', 'Location{ idx: 1, line: null }', '{idx: 1, line: null}', { idx: '1', line: null }],
  ['Note', noteTact, '{text: "hi", who: null, extra: null, rate: 5}', note],
  ['Ping?', 'Ping{ id: 7 }', '{id: 7}', { id: '7' }],
  ['map<Int, Int>', 'emptyMap()', '{}', []],
  ['map<Int as uint8, Int as coins>', 'coinsOf()', '{3: 1.5ton}', [{ key: '3', value: '1500000000' }]],
  ['map<Address, Point>', 'points()', '{bob: {x: 1, y: -2}}', [{ key: bob, value: point }]],
  [
    'map<Int as int16, Location>',
    'places()',
    '{-1: {idx: 2, line: null}}',
    [{ key: '-1', value: { idx: '2', line: null } }],
  ],
  [
    'map<Int as uint8, Note>',
    'notes()',
    '{1: {text: "hi", who: null, extra: null, rate: 5}}',
    [{ key: '1', value: note }],
  ],
  ['map<Int as uint8, Ping>', 'pings()', '{1: {id: 7}}', [{ key: '1', value: { id: '7' } }]],
  ['Dict', 'Dict{ m: coinsOf() }', '{m: {3: 1.5ton}}', { m: [{ key: '3', value: '1500000000' }] }],
];

const tact = `
struct Point { x: Int as int64; y: Int as int64; }
struct Line { start: Point; end: Point; }
struct Location { idx: Int as int32; line: Line?; }
struct Note { text: String; who: Address?; extra: Cell?; rate: Int as varuint32; }
struct Dict { m: map<Int as uint8, Int as coins>; }
message(0x7e8764ef) Ping { id: Int as uint64; }
fun coinsOf(): map<Int as uint8, Int as coins> { let m: map<Int as uint8, Int as coins> = emptyMap(); m.set(3, ton("1.5")); return m; }
fun points(): map<Address, Point> { let m: map<Address, Point> = emptyMap(); m.set(address("${friendlyBob}"), Point{ x: 1, y: -2 }); return m; }
fun places(): map<Int as int16, Location> { let m: map<Int as int16, Location> = emptyMap(); m.set(-1, Location{ idx: 2, line: null }); return m; }
fun notes(): map<Int as uint8, Note> { let m: map<Int as uint8, Note> = emptyMap(); m.set(1, ${noteTact}); return m; }
fun pings(): map<Int as uint8, Ping> { let m: map<Int as uint8, Ping> = emptyMap(); m.set(1, Ping{ id: 7 }); return m; }
contract Types {
  count: Int as uint32 = 5;
  place: Location? = null;
  receive() { }
  get fun me(): Types { return self; }
`;

const tolk = `
struct Point { x: int64; y: int64 }
struct Line { start: Point; end: Point }
struct Location { idx: int32; line: Line? }
struct Empty {}
struct One { x: int }
struct OneMaybe { x: int8? }
struct Pair<T> { a: T; b: T }
struct Wrapper<T> { value: T }
struct (0x01) Buy { a: int32 }
struct (0x02) Sell { a: int32 }
struct (0x03) Wide { a: int32; b: Point }
type Order = Buy | Sell | Wide
type Amount = uint64
type Maybe<T> = T?
enum Color { Red, Green, Blue }
enum Level: int8 { Low = -1, High = 1 }
struct Stored { point: Point?; who: address?; next: Cell<Point>; kind: Color; by: map<uint8, Point> }
fun external(): any_address { return beginCell().storeUint(1, 2).storeUint(8, 9).storeUint(255, 8).endCell().beginParse() as any_address; }
fun numbers() { var m = createEmptyMap<int8, coins>(); m.set(-1, ton("1")); m.set(2, 5); return m; }
fun points() { var m = createEmptyMap<address, Point>(); m.set(address("${bob}"), { x: 1, y: -2 }); return m; }
fun cells() { var m = createEmptyMap<uint8, Cell<Point>>(); m.set(7, Point{ x: 1, y: -2 }.toCell()); return m; }
fun orders() { var m = createEmptyMap<int8, Order>(); m.set(7, Sell{ a: 1 }); return m; }
fun stored(): Stored { var by = createEmptyMap<uint8, Point>(); by.set(7, { x: 1, y: -2 }); return { point: null, who: null, next: Point{ x: 1, y: -2 }.toCell(), kind: Color.Blue, by }; }
fun onInternalMessage(in: InMessage) { }
get fun nothing(): void { }
`;

describe('declared types, against what the compilers make of them', () => {
  let localnet: Localnet;
  let access: Access;
  before(async () => {
    localnet = await startLocalnet({ port: 0, log: silentLog });
    const { v2, v3 } = localnet;
    access = createAccess({ network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 } });
  });
  after(() => localnet.close());

  /** A deployed contract, with what its source tells of it. */
  interface Deployed {
    address: string;
    description: ContractDescription;
  }

  async function deploy(file: string, text: string, built: BuiltContract, data: Cell): Promise<Deployed> {
    const { address } = await callControl(localnet.control, 'deploy', {
      code: built.code,
      data: data.toBoc().toString('base64'),
    });
    const { code, codeHash, typeIds } = built;
    const compiled = { ...builtContract(built.name, file, codeHash), ...(typeIds && { typeIds }) };
    const project = [...(await readProject([{ path: file, text }])), compiled];
    return { address, description: describeContract({ code: Cell.fromBase64(code), codeHash }, project) };
  }

  async function call(
    { address, description }: Deployed,
    method: string,
    stack: string,
    preferredApi: 'v2' | 'v3',
  ): Promise<{
    called: Extract<CallContractEvent, { type: 'called' }>;
    answered: Extract<CallContractEvent, { type: 'answered' }>['answer'];
  }> {
    const signature = methodNamed(description, method)?.signature ?? assert.fail(method);
    const events = callContract({ access, address, method, stack, accounts, signature, preferredApi });
    const called = await events.next();
    const answered = await events.next();
    assert.ok(called.value?.type === 'called' && answered.value?.type === 'answered');
    return { called: called.value, answered: answered.value.answer };
  }

  const hashOf = (values: readonly StackValue[]): string => serializeTuple(tupleItems(values)).toString();

  /** The answer is read by its type, and can be expected and sent back as text. */
  async function check(contract: Deployed, place: number, [type, , text, json]: Row): Promise<void> {
    const written = await call(contract, `echo${place}`, text, 'v2');
    for (const api of ['v2', 'v3'] as const) {
      const { answered } = await call(contract, `make${place}`, '', api);
      const { result, words } = answered;
      const signature = words.signature ?? assert.fail();
      assert.ok(isSuccess(result), `${type}: exit ${result.exitCode}`);
      const value = typedJson(result, signature.result)?.value;
      assert.deepEqual(withoutCells(value), withoutCells(json), `${type} over ${api}`);
      if (api === 'v2' && !isStructOfTact(contract, signature)) {
        // What is sent for the text is what the compiler's own code has for the value.
        assert.equal(hashOf(written.called.stack), hashOf(result.stack.map((entry) => entry.value)), type);
      }
      const part = answerValue(result, signature, [], () => assert.fail());
      const expected = new SheetValues({ accounts }).typed(
        { text, offset: 0, length: text.length },
        part.type,
      );
      const failure = checkAnswerPart({ label: type, comparison: '==', actual: part.value, expected });
      assert.equal(failure, undefined, `${type} over ${api}`);
    }
    const { result, words } = written.answered;
    assert.ok(isSuccess(result), `${type} sent: exit ${result.exitCode}`);
    assert.deepEqual(
      withoutCells(typedJson(result, words.signature?.result ?? { kind: 'void' })?.value),
      withoutCells(json),
      `${type} sent`,
    );
  }

  /** Tact takes structs in tuples, and returns them without. */
  function isStructOfTact({ description }: Deployed, { result }: GetMethodSignature): boolean {
    return description.standards.includes('Tact') && result.kind === 'struct';
  }

  /** Slices that are shown as cells are compared by what is sent for them. */
  function withoutCells(json: unknown): unknown {
    return JSON.parse(
      JSON.stringify(json, (_, part: unknown) => (isCell(part) ? undefined : part)) ?? 'null',
    );
  }
  function isCell(part: unknown): boolean {
    return typeof part === 'object' && part !== null && 'boc' in part;
  }

  describe('Tolk', () => {
    let contract: Deployed;
    before(async () => {
      const methods = tolkRows.map(
        ([type, value], place) =>
          `get fun make${place}(): ${type} { return ${value}; }\nget fun echo${place}(value: ${type}): ${type} { return value; }\n`,
      );
      const text = `${tolk}${methods.join('')}`;
      const built = await compileTolk('/types.tolk', (file) =>
        file === '/types.tolk' ? text : assert.fail(file),
      );
      contract = await deploy('types.tolk', text, { ...built, name: 'types' }, Cell.EMPTY);
    });

    for (const [place, row] of tolkRows.entries()) {
      it(`${row[0]}: ${row[2]}`, () => check(contract, place, row));
    }
  });

  describe('Tact', () => {
    let contract: Deployed;
    let fromAbi: Deployed;
    before(async () => {
      const methods = tactRows.map(
        ([type, value], place) =>
          `get fun make${place}(): ${type} { return ${value}; }\nget fun echo${place}(value: ${type}): ${type} { return value; }\n`,
      );
      const text = `${tact}${methods.join('')}}`;
      const build = (await buildTact(text)).get('Types') ?? assert.fail();
      const built = readBuiltContract(build.package, 'Types.pkg');
      const data = beginCell().storeBit(false).endCell();
      contract = await deploy('types.tact', text, { ...built, name: 'types' }, data);
      fromAbi = await deploy('Types.pkg', build.package, { ...built, name: 'Types' }, data);
    });

    for (const [place, row] of tactRows.entries()) {
      it(`${row[0]}: ${row[2]}`, () => check(contract, place, row));
      it(`${row[0]}: ${row[2]}, by the compiler's ABI`, () => check(fromAbi, place, row));
    }

    it('the state of the contract', async () => {
      const { answered } = await call(contract, 'me', '', 'v3');
      assert.deepEqual(typedJson(answered.result, answered.words.signature!.result)?.value, {
        count: '5',
        place: null,
      });
    });
  });

  describe('FunC', () => {
    const rows: Row[] = [
      ['int', '-5', '-5', '-5'],
      ['(int, int)', '(1, -2)', '(1, -2)', ['1', '-2']],
      ['[int, int]', '[1, -2]', '[1, -2]', ['1', '-2']],
      ['[int, [int, int]]', '[1, [2, 3]]', '[1, [2, 3]]', ['1', ['2', '3']]],
    ];
    const methods = rows.map(
      ([type, value], place) =>
        `${type} make${place}() method_id { return ${value}; }\n${type} echo${place}(${type} value) method_id { return value; }\n`,
    );
    // The two methods with ids of their own, of a contract that is called by name.
    const text = `() recv_internal(slice body) impure { }
builder begin_cell() asm "NEWC"; cell end_cell(builder b) asm "ENDC";
builder store_coins(builder b, int x) asm "STGRAMS"; builder store_ref(builder b, cell c) asm(c b) "STREF";
;; fill#00000021 query_id:uint64 amount:Coins level:(Maybe uint8) inner:^[ a:uint8 b:Bool ] = InternalMsgBody;
cell packed() method_id {
  return begin_cell().store_uint(0x21, 32).store_uint(7, 64).store_coins(1500000000).store_uint(1, 1).store_uint(9, 8)
    .store_ref(begin_cell().store_uint(4, 8).store_uint(1, 1).end_cell()).end_cell();
}
int numbered() method_id(0x1F000) { return 12; }
int six(int a) method_id(65) { return a + 1; }
${methods.join('')}`;
    let contract: Deployed;
    before(async () => {
      const built = await compileFunc(
        '/types.fc',
        () => text,
        projectCompiler(path.join(root, 'package.json'), '@ton-community/func-js') as FuncCompiler,
      );
      contract = await deploy('types.fc', text, { ...built, name: 'types' }, Cell.EMPTY);
    });

    for (const [place, row] of rows.entries()) {
      it(`${row[0]}: ${row[2]}`, () => check(contract, place, row));
    }

    it('a method with an id of its own is called by its name', async () => {
      const { answered } = await call(contract, 'six', '4', 'v3');
      assert.deepEqual(answered.result.stack[0]?.value, { type: 'int', value: 5n });
    });

    it('a body that TL-B describes', async () => {
      const { answered } = await call(contract, 'packed', '', 'v2');
      const [entry] = answered.result.stack;
      assert.ok(entry !== undefined && 'cell' in entry.value);
      const set = readFuncSourceLayouts('types.fc', 'types', text);
      const layout = [...set.structs.values()].find(({ name }) => name === 'fill') ?? assert.fail();
      const made = encodeByLayout(
        '{query_id: 7, amount: 1.5ton, level: 9, inner: {a: 4, b: true}}',
        layout,
        set,
      );
      assert.equal(made.toString(), entry.value.cell.toString());
      assert.equal(decodeByLayout(made, layout, set).broken, false);
    });
  });
});
