import assert from 'node:assert/strict';
import { Address, beginCell } from '@ton/core';
import {
  describeGetMethodResult,
  rawAnswerLines,
  resultLines,
} from '../../../src/toolkit/getMethods/describeGetMethodResult';
import type { GetMethodResult } from '../../../src/toolkit/getMethods/getMethodResult';
import type { ExitSource } from '../../../src/toolkit/contracts/exitCodes';
import { exitMeaning } from '../../../src/toolkit/getMethods/withExits';
import { readEntry } from '../../../src/toolkit/getMethods/readEntry';
import { resultToJson } from '../../../src/toolkit/getMethods/resultToJson';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';
import { encodeV3Stack } from '../../../src/toolkit/stack/encodeV3Stack';

const alice = Address.parse('EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMS');

function result(
  exitCode: number,
  args: string,
  answer: string,
  more: Partial<GetMethodResult> = {},
): GetMethodResult {
  const stack = parseStackText(answer);
  return {
    address: alice.toRawString(),
    method: 'get_wallet_address',
    network: 'Local',
    api: 'v3',
    exitCode,
    exitMeaning: exitMeaning(exitCode),
    gasUsed: 2194,
    arguments: parseStackText(args),
    stack: stack.map((value) => readEntry(value)),
    raw: [],
    elapsedMs: 4.2,
    block: 1204,
    ...more,
  };
}
const accountName = (address: string): string | undefined =>
  address === alice.toRawString() ? 'minter' : undefined;
const lines = (text: string): string[] => text.split('\n');

describe('getMethods: the document of a result', () => {
  it('begins with the verdict, aligns its columns, and ends with the raw answer', () => {
    const stack = parseStackText('1');
    const document = describeGetMethodResult(
      result(0, 'addr EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMS 5', '100000000000 -1', {
        raw: encodeV3Stack(stack),
      }),
      { accountName },
    );
    assert.deepEqual(lines(document), [
      'get_wallet_address on minter                         Local, block 1 204',
      'success (exit 0), gas 2 194, 4 ms over v3',
      '',
      '          type     value',
      '  in   0  address  addr EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMS  minter',
      '  in   1  number   5',
      `  out  0  number   100 000 000 000${' '.repeat(40)}as coins 100 TON`,
      `  out  1  number   -1${' '.repeat(53)}true`,
      '',
      'Raw answer',
      '  raw  out 0  100000000000',
      '  raw  out 1  -1',
      '  wire out 0  {"type":"num","value":"0x1"}',
      '',
    ]);
  });

  it('folds the raw answer, and omits what the TVM left on the stack of a failed method', () => {
    const failed = resultLines(result(11, '', '71178'));
    const [before, folded] = [failed.map(({ text }) => text), rawAnswerLines(failed)];
    assert.equal(before[folded?.start ?? -1], 'Raw answer');
    assert.equal(folded?.end, failed.length - 1);
    assert.doesNotMatch(before.slice(0, folded?.start).join('\n'), /\bout\b|number +71 ?178/);
    assert.match(before.slice(folded?.start).join('\n'), /raw {2}out 0 {2}71178/);
    assert.equal(rawAnswerLines(resultLines(result(0, '', ''))), undefined);
  });

  it('explains a cell underflow by the argument that is not an address', () => {
    const document = describeGetMethodResult(result(9, 'x{01}', ''), { accountName });
    assert.match(document, /^failed: exit 9, cell underflow; gas/m);
    assert.match(document, /Argument 0 is a slice of 8 bits; an address needs 267\./);
    const asText = describeGetMethodResult(result(9, `str "${alice.toString()}"`, ''));
    assert.match(asText, new RegExp(`Argument 0 is the text of an address.*\\n?.*addr ${alice.toString()}`));
  });

  it('explains other common errors', () => {
    const explained = (exitCode: number): string => describeGetMethodResult(result(exitCode, '1', '103289'));
    assert.match(explained(11), /no method get_wallet_address \(method id 103289\)/);
    assert.match(explained(-13), /no contract at this address on Local/);
    assert.match(explained(32), /^failed: exit 32, defined by the contract or its compiler; /m);
    assert.match(explained(2), /more arguments than the 1 given/);
    assert.match(explained(7), /Given: int/);
    assert.match(explained(4711), /^failed: exit 4711, defined by the contract or its compiler; /m);
  });

  it('says that there is no such method only where the methods are known, and names the similar one', () => {
    const of = (exits: ExitSource): string => describeGetMethodResult(result(11, '', ''), { exits });
    const methods = [{ name: 'get_walet_address' }, { name: '71178' }];
    const known = of({ methods, hasOnlyMethods: true });
    assert.match(known, /^failed: exit 11, no such method; /m);
    assert.match(known, /^ {2}The contract has no method get_wallet_address \(method id 103289\)\.$/m);
    assert.match(known, /^ {2}Did you mean get_walet_address\? /m);
    assert.match(
      of({ methods }),
      /^failed: exit 11, no such method \(usually\); [^]*Did you mean get_walet_a/m,
    );
    const own = of({ methods: [{ name: 'get_wallet_address' }], hasOnlyMethods: true });
    assert.match(own, /^failed: exit 11, unknown error; [^]*The contract has this method/m);
    const byId = { name: 'other', signature: { methodId: 103289 } };
    assert.match(of({ methods: [byId], hasOnlyMethods: true }), /The contract has this method/);
    assert.match(of({ methods: [{ name: '103289' }], hasOnlyMethods: true }), /The contract has this method/);
  });

  it("explains a code by the contract's standard, or in the contract's own words", () => {
    const of = (exitCode: number, exits: ExitSource): string =>
      describeGetMethodResult(result(exitCode, '', ''), { exits });
    assert.match(
      of(32, { standards: ['wallet v3 r2'] }),
      /^failed: exit 32, no such method; [^]*only few get-methods/m,
    );
    assert.match(
      of(4711, { errors: new Map([[4711, 'ERR_OVER_LIMIT']]), standards: ['NFT item'] }),
      /^failed: exit 4711, ERR_OVER_LIMIT \(by the contract\); /m,
    );
  });

  it('shows tuples, cells, and large numbers unfolded', () => {
    const document = describeGetMethodResult(
      result(0, '', `[1, [addr none]] cell b(u8 5, ref b(u8 6, ref b(u8 7))) ${(1n << 255n) + 1n}`),
    );
    assert.match(document, /out {2}0 {2}tuple {3}tuple of 2 values/);
    assert.match(document, /\n {12}0 {2}number {2}1/);
    assert.match(document, /\n +x\{05\}\n +x\{06\}\n +x\{07\}\n/);
    assert.match(document, /8 bits, 1 ref, hash [0-9a-f]{6}…[0-9a-f]{4}/);
    assert.match(document, /0x80{62}1/);
  });

  it('escapes hostile text everywhere', () => {
    const hostile = beginCell().storeStringTail('ab\u202Ecd\nef').endCell();
    const document = describeGetMethodResult(
      result(0, '', '', {
        method: 'get\u202Eit',
        network: 'N\n',
        stack: [
          readEntry({ type: 'slice', cell: hostile }),
          readEntry({ type: 'unsupported', description: 'x\u0007' }),
        ],
      }),
      { accountName: () => 'na\u200Bme' },
    );
    assert.doesNotMatch(document, /[\u202E\u0007\u200B]/);
    assert.match(document, /"ab\\u\{202e\}cd\\nef"/);
  });

  it('truncates a huge cell tree', () => {
    let cell = beginCell().endCell();
    for (let depth = 0; depth < 400; depth++) {
      cell = beginCell().storeUint(depth, 32).storeRef(cell).endCell();
    }
    const document = describeGetMethodResult(
      result(0, '', '', { stack: [readEntry({ type: 'cell', cell })] }),
    );
    assert.ok(lines(document).length < 70);
  });
});

describe('getMethods: the JSON of a result', () => {
  it('has exactly the documented keys, and the simplest form of each value', () => {
    const json = resultToJson(
      result(
        0,
        '',
        `${1n << 200n} addr ${alice.toString()} addr none str "hello" cell b(u8 1, ref b()) [1, (2)] null nan`,
      ),
    );
    assert.deepEqual(Object.keys(json), [
      'address',
      'method',
      'network',
      'api',
      'exitCode',
      'exitMeaning',
      'gasUsed',
      'stack',
    ]);
    assert.ok(json.stack.every((entry) => Object.keys(entry).join() === 'type,value,decoded'));
    assert.deepEqual(
      json.stack.map(({ type, decoded }) => [type, decoded]),
      [
        ['num', (1n << 200n).toString()],
        ['slice', alice.toRawString()],
        ['slice', null],
        ['slice', 'hello'],
        [
          'cell',
          {
            bits: 8,
            refs: 1,
            hash: beginCell()
              .storeUint(1, 8)
              .storeRef(beginCell().endCell())
              .endCell()
              .hash()
              .toString('hex'),
          },
        ],
        ['tuple', ['1', ['2']]],
        ['null', null],
        ['nan', 'NaN'],
      ],
    );
    const [number, , , , , tuple] = json.stack;
    assert.equal(number?.value, (1n << 200n).toString());
    assert.deepEqual(tuple?.value, [
      { type: 'num', value: '1', decoded: '1' },
      { type: 'list', value: [{ type: 'num', value: '2', decoded: '2' }], decoded: ['2'] },
    ]);
  });
});
