import assert from 'node:assert/strict';
import { Address, beginCell, Dictionary } from '@ton/core';
import { knownMethods } from '../../../src/toolkit/contracts/abi/knownInterfaces';
import { readTyped } from '../../../src/toolkit/contracts/layouts/readTyped';
import { readTolkSource } from '../../../src/toolkit/contracts/abi/readTolkSource';
import { describeGetMethodResult } from '../../../src/toolkit/getMethods/describeGetMethodResult';
import type { GetMethodResult } from '../../../src/toolkit/getMethods/getMethodResult';
import { readEntry } from '../../../src/toolkit/getMethods/readEntry';
import { resultToJson } from '../../../src/toolkit/getMethods/resultToJson';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';
import type { TypedValue } from '../../../src/toolkit/contracts/layouts/typedValue';
import type { StackValue } from '../../../src/toolkit/stack/stackValue';

const alice = Address.parse('EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMS');

function result(args: string, stack: StackValue[]): GetMethodResult {
  return {
    address: alice.toRawString(),
    method: 'm',
    network: 'Local',
    api: 'v3',
    exitCode: 0,
    exitMeaning: 'success',
    gasUsed: 1,
    arguments: parseStackText(args),
    stack: stack.map((value) => readEntry(value, true)),
    raw: [],
    elapsedMs: 1,
  };
}

const signature = (source: string): ReturnType<typeof readTolkSource>[number] => {
  const [method] = readTolkSource(source);
  assert.ok(method);
  return method;
};

describe('getMethods: results by their types', () => {
  it('have named fields of structs, shown by type', () => {
    const method = signature(`
      struct Data { supply: coins, mintable: bool, admin: address?, flags: uint8, mode: Mode, name: string, hash: uint256 }
      enum Mode: uint8 { Off, On }
      get fun m(owner: address): Data {}`);
    const text = describeGetMethodResult(
      result(
        'addr none',
        parseStackText(`1500000000 -1 ${alice.toString()} 7 1 str "Gem\u202E" ${1n << 255n}`),
      ),
      { signature: method, accountName: () => 'alice' },
    );
    const lines = text.split('\n').map((line) => line.replace(/ {2,}/g, ' | '));
    assert.ok(lines.includes(' | in | 0 owner | address | addr none | the empty address'), text);
    assert.ok(lines.includes(' | out | 0 supply | coins | 1.5 TON | 1 500 000 000 nanocoins'), text);
    assert.ok(lines.includes(' | out | 1 mintable | bool | true'), text);
    assert.ok(lines.includes(` | out | 2 admin | address? | addr ${alice.toString()} | alice`), text);
    assert.ok(lines.includes(' | out | 3 flags | uint8 | 7'), text);
    assert.ok(lines.includes(' | out | 4 mode | Mode | Mode.On | 1'), text);
    assert.ok(lines.includes(' | out | 5 name | string | "Gem\\u{202e}"'), text);
    assert.ok(
      lines.some((line) => line.startsWith(' | out | 6 hash | uint256 | 0x8000')),
      text,
    );
    assert.match(text, /types by Tolk source: m\(owner: address\): Data/);
    assert.doesNotMatch(text, /\u202E/);
  });

  it('have bits as bits, whatever text or address they could be', () => {
    const text = beginCell().storeBuffer(Buffer.alloc(32, '"')).endCell();
    const odd = beginCell().storeUint(5, 3).endCell();
    const address = beginCell().storeAddress(alice).endCell();
    const method = signature('get fun m(): (bits256, bits3, bits267) {}');
    const answer = result(
      '',
      [text, odd, address].map((cell): StackValue => ({ type: 'slice', cell })),
    );
    const shown = describeGetMethodResult(answer, { signature: method });
    assert.match(shown, new RegExp(`out {2}0 +bits256 +x\\{${'22'.repeat(32)}\\} +256 bits\n`));
    assert.match(shown, /out {2}1 +bits3 +x\{B_\} +3 bits\n/);
    const { typed } = resultToJson(answer, method);
    const number = address.beginParse().loadUintBig(267).toString();
    assert.deepEqual(typed?.value, ['22'.repeat(32), '5', number]);
  });

  it('name the account first in an entry of a map', () => {
    const dictionary = Dictionary.empty(Dictionary.Keys.Address(), Dictionary.Values.Uint(32)).set(alice, 5);
    const cell = beginCell().storeDictDirect(dictionary).endCell();
    const text = describeGetMethodResult(result('', [{ type: 'cell', cell }]), {
      signature: signature('get fun m(): map<address, uint32> {}'),
      accountName: () => 'alice',
    });
    assert.match(text, new RegExp(`map of 1 entry\\n +alice → 5  ${alice.toString()}`));
  });

  it('list maps, tuples, and lists', () => {
    const dictionary = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Address()).set(-7, alice);
    const cell = beginCell().storeDictDirect(dictionary).endCell();
    const method = signature(
      'get fun m(): (map<int32, address>, [int, bool], lisp_list<coins>, map<int32, coins>) {}',
    );
    const text = describeGetMethodResult(
      result('', [{ type: 'cell', cell }, ...parseStackText('[5, 0] (1ton, 2ton) null')]),
      { signature: method },
    );
    assert.match(text, new RegExp(`map of 1 entry\\n +-7 → addr ${alice.toString()}`));
    assert.match(text, /0 {2}int {3}5\n +1 {2}bool {2}false/);
    assert.match(text, /1 {2}coins {2}2 TON/);
    assert.match(text, /empty map/);
  });

  it('fall back to recognized values if the answer does not match, and say so', () => {
    const method = signature('struct P { a: int, b: int } get fun m(): P {}');
    for (const values of ['1', '1 2 3', 'null 1', '[1, 2]']) {
      const text = describeGetMethodResult(result('', parseStackText(values)), { signature: method });
      assert.match(text, /The answer does not match the Tolk source/, values);
    }
  });

  it('do not call an answer wrong whose type the source leaves to the compiler, or to another file', () => {
    for (const source of ['get fun m() { return elsewhere(); }', 'get fun m(): Elsewhere {}']) {
      const text = describeGetMethodResult(result('', parseStackText('5')), { signature: signature(source) });
      assert.doesNotMatch(text, /does not match/);
      assert.match(text, /types by Tolk source: m\(\).*It does not tell the whole type of the answer\./);
    }
  });

  it('show the hash of a library whole', () => {
    const cell = beginCell()
      .storeUint(2, 8)
      .storeUint(0xabcn << 240n, 256)
      .endCell({ exotic: true });
    const text = describeGetMethodResult(result('', [{ type: 'cell', cell }]), {});
    assert.match(text, /exotic x\{020ABC0{60}\}/);
  });

  it('tell the variant of a union without ids where only one fits, else show its entries', () => {
    const shapes = 'struct Buy { a: int32 } struct Sell { a: int32, b: slice } struct Swap { a: int32 }';
    const told = (type: string, stack: string): unknown =>
      resultToJson(result('', parseStackText(stack)), signature(`${shapes} get fun m(): ${type} {}`)).typed;
    assert.deepEqual(told('Buy | Sell', 'null 5 130'), {
      type: 'Buy | Sell',
      value: { variant: 'Buy', value: { a: '5' } },
    });
    assert.deepEqual(told('Buy | Swap', '5 130'), { type: 'Buy | Swap', value: ['5', '130'] });
    assert.deepEqual(told('Buy?', '5'), { type: 'Buy?', value: { a: '5' } });
    assert.deepEqual(told('Sell?', 'null null 0'), { type: 'Sell?', value: null });
    assert.equal(told('Sell?', '5 null 130'), null);
  });

  it('have a list as services show it, as a list or as pairs', () => {
    const list = (stack: string): unknown =>
      resultToJson(result('', parseStackText(stack)), signature('get fun m(): lisp_list<int> {}')).typed
        ?.value;
    assert.deepEqual([list('(1, 2)'), list('[1, [2, null]]'), list('null')], [['1', '2'], ['1', '2'], []]);
    const pair = resultToJson(
      result('', parseStackText('(3)')),
      signature('get fun m(): [int8, int?] {}'),
    ).typed;
    assert.deepEqual(pair?.value, ['3', null]);
  });

  it('include the well-known interfaces', () => {
    const [known] = knownMethods('get_jetton_data');
    assert.ok(known);
    const stack = parseStackText(`1000 -1 addr none cell x{01} cell x{02}`);
    const typed = readTyped(stack, known.method.result);
    assert.ok(typed?.kind === 'parts');
    assert.deepEqual(
      typed.parts.map(({ name, value }) => [name, value.kind]),
      [
        ['total_supply', 'plain'],
        ['mintable', 'bool'],
        ['admin_address', 'address'],
        ['jetton_content', 'plain'],
        ['jetton_wallet_code', 'plain'],
      ],
    );
  });

  it("include nullable structs and unions by the compiler's widths", () => {
    const kindIn = (value: TypedValue | undefined): string | undefined =>
      value?.kind === 'variant' ? value.value.kind : undefined;
    const union = {
      kind: 'union' as const,
      variants: [{ kind: 'int' as const }, { kind: 'typedTuple' as const, items: [] }],
      slots: 2,
      typeIds: [1, 9],
    };
    assert.deepEqual(kindIn(readTyped(parseStackText('5 1'), union)), 'plain');
    assert.deepEqual(kindIn(readTyped(parseStackText('[] 9'), union)), 'parts');
    assert.equal(readTyped(parseStackText('5 4'), union), undefined);
    const point = {
      kind: 'nullable' as const,
      slots: 3,
      inner: { kind: 'tensor' as const, items: [{ kind: 'int' as const }, { kind: 'int' as const }] },
    };
    assert.equal(readTyped(parseStackText('null null 0'), point)?.kind, 'null');
    assert.equal(readTyped(parseStackText('1 2 130'), point)?.kind, 'parts');
  });
});

describe('getMethods: the JSON of a result by its types', () => {
  const method = signature(`
    struct Data { supply: coins, mintable: bool, admin: address?, mode: Mode, name: string, wares: map<uint8, bool> }
    enum Mode: uint8 { Off, On }
    get fun m(): Data {}`);
  const wares = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Bool()).set(7, true);
  const cell = beginCell().storeDictDirect(wares).endCell();
  const stack: StackValue[] = [
    ...parseStackText(`1500000000 -1 ${alice.toString()} 1 str "Gem"`),
    { type: 'cell', cell },
  ];

  it('has names, booleans, and maps', () => {
    assert.deepEqual(resultToJson(result('', stack), method).typed, {
      type: 'Data',
      value: {
        supply: '1500000000',
        mintable: true,
        admin: alice.toRawString(),
        mode: { member: 'Mode.On', value: '1' },
        name: 'Gem',
        wares: [{ key: '7', value: true }],
      },
    });
  });

  it('is null if the answer is of another type, and absent without a type or an answer', () => {
    assert.equal(resultToJson(result('', parseStackText('1 2')), method).typed, null);
    assert.ok(!('typed' in resultToJson(result('', stack))));
    assert.ok(!('typed' in resultToJson({ ...result('', stack), exitCode: 11 }, method)));
  });

  it('marks what the service left ambiguous', () => {
    const told = {
      type: 'cell',
      cell: beginCell().storeUint(0, 32).storeStringTail('hi').endCell(),
    } as const;
    const [guessed] = resultToJson({ ...result('', []), stack: [readEntry(told, true)] }).stack;
    const [known] = resultToJson({ ...result('', []), stack: [readEntry(told)] }).stack;
    assert.equal(guessed?.readAs, guessed?.type);
    assert.ok(known !== undefined && !('readAs' in known));
  });
});
