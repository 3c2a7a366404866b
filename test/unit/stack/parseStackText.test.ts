import assert from 'node:assert/strict';
import { Address, beginCell } from '@ton/core';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';
import type { StackValue } from '../../../src/toolkit/stack/stackValue';

const alice = Address.parse('EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMS');
const addressCell = beginCell().storeAddress(alice).endCell();

/** Values as comparable text: cells by hash. */
function plain(values: readonly StackValue[]): unknown {
  return values.map((value) => {
    switch (value.type) {
      case 'int':
        return value.value;
      case 'cell':
      case 'slice':
      case 'builder':
        return [value.type, value.cell.toString()];
      case 'tuple':
      case 'list':
        return [value.type, plain(value.items)];
      default:
        return value.type;
    }
  });
}

const reads = (text: string, expected: StackValue[], options = {}): void => {
  assert.deepEqual(plain(parseStackText(text, options)), plain(expected));
};
const int = (value: bigint): StackValue => ({ type: 'int', value });

describe('stack text: values', () => {
  it('reads integers in every notation, exactly', () => {
    reads('42 -1 0x2a -0x1 1_000, 0', [42n, -1n, 42n, -1n, 1000n, 0n].map(int));
    reads(`${(1n << 256n) - 1n} -${1n << 256n}`, [int((1n << 256n) - 1n), int(-(1n << 256n))]);
  });

  it('reads amounts as nanocoins', () => {
    reads('1.5ton 0.000000001ton -2TON 7nano', [1_500_000_000n, 1n, -2_000_000_000n, 7n].map(int));
  });

  it('reads true and false as the TVM represents them', () => {
    reads('true false', [int(-1n), int(0n)]);
    reads('null nan', [{ type: 'null' }, { type: 'nan' }]);
  });

  it('reads addresses in every form as the slice of the address', () => {
    const friendly = alice.toString();
    const forms = [
      `addr ${friendly}`,
      friendly,
      `addr ${alice.toString({ bounceable: false })}`,
      `addr ${alice.toString({ testOnly: true })}`,
      `addr ${alice.toString({ urlSafe: false })}`,
      `addr ${alice.toRawString()}`,
      alice.toRawString().toUpperCase(),
      '@alice',
      'addr alice',
      'addr @alice',
    ];
    for (const form of forms) {
      reads(form, [{ type: 'slice', cell: addressCell }], {
        accounts: new Map([['alice', alice.toRawString()]]),
      });
    }
    reads('addr none', [{ type: 'slice', cell: beginCell().storeUint(0, 2).endCell() }]);
  });

  it('reads a masterchain address', () => {
    const elector = `-1:${'3'.repeat(64)}`;
    reads(elector, [{ type: 'slice', cell: beginCell().storeAddress(Address.parse(elector)).endCell() }]);
  });

  it('reads cells in base64, base64url and hex', () => {
    const cell = beginCell().storeUint(0xfbffef, 24).storeRef(addressCell).endCell();
    const boc = cell.toBoc();
    reads(`cell ${boc.toString('base64')}`, [{ type: 'cell', cell }]);
    reads(`slice ${boc.toString('base64url')}`, [{ type: 'slice', cell }]);
    reads(`builder ${boc.toString('hex')}`, [{ type: 'builder', cell }]);
  });

  it('reads bits with a completion tag', () => {
    const bits = (text: string): StackValue => ({
      type: 'slice',
      cell: beginCell()
        .storeBits(
          beginCell()
            .storeUint(BigInt(`0b1${text}`), text.length + 1)
            .endCell()
            .beginParse()
            .skip(1)
            .loadBits(text.length),
        )
        .endCell(),
    });
    reads('slice x{4A_}', [bits('010010')]);
    reads('x{4a}', [bits('01001010')]);
    reads('x{8_} x{}', [
      { type: 'slice', cell: beginCell().endCell() },
      { type: 'slice', cell: beginCell().endCell() },
    ]);
    reads('x{A00_}', [bits('10')]);
    reads('cell x{0F}', [{ type: 'cell', cell: beginCell().storeUint(15, 8).endCell() }]);
  });

  it('reads text as the slice of its bytes, longer than 127 bytes as a snake', () => {
    reads('str "hi"', [{ type: 'slice', cell: beginCell().storeBuffer(Buffer.from('hi')).endCell() }]);
    reads(String.raw`str 'it"s \'\u{1F48E}\n\u00e9'`, [
      { type: 'slice', cell: beginCell().storeBuffer(Buffer.from('it"s \'💎\né')).endCell() },
    ]);
    const long = 'a'.repeat(127 * 2 + 1);
    reads(`str "${long}"`, [{ type: 'slice', cell: beginCell().storeStringTail(long).endCell() }]);
  });

  it('reads cells built in place', () => {
    const jettonTransfer = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(0, 64)
      .storeCoins(1_000_000_000n)
      .storeAddress(alice)
      .storeAddress(null)
      .storeMaybeRef(null)
      .storeCoins(1n)
      .storeMaybeRef(beginCell().storeUint(0, 32).storeStringTail('hi').endCell())
      .endCell();
    const text =
      'b(u32 0x0f8a7ea5, u64 0, coins 1ton, addr @alice, addr none, maybe none, coins 1nano, maybe b(u32 0, str "hi"))';
    const accounts = new Map([['alice', alice.toRawString()]]);
    reads(text, [{ type: 'cell', cell: jettonTransfer }], { accounts });
    reads(`slice ${text}`, [{ type: 'slice', cell: jettonTransfer }], { accounts });
    reads(`builder ${text}`, [{ type: 'builder', cell: jettonTransfer }], { accounts });
  });

  it('builds every width, nested builders, bits and slices', () => {
    const cell = beginCell()
      .storeUint((1n << 256n) - 1n, 256)
      .storeInt(-(1n << 256n), 257)
      .storeInt(-1, 8)
      .storeUint(1, 1)
      .storeUint(7, 3)
      .storeUint(0x4a, 8)
      .storeRef(beginCell().storeUint(5, 8).storeRef(beginCell().endCell()).endCell())
      .endCell();
    reads(
      `b(u256 ${(1n << 256n) - 1n} i257 -${1n << 256n} i8 -1 bool true b(u3 7) x{4A} ref b(u8 5, ref b()))`,
      [{ type: 'cell', cell }],
    );
    reads('b(slice b(u8 1, ref b(u8 2)))', [
      {
        type: 'cell',
        cell: beginCell().storeUint(1, 8).storeRef(beginCell().storeUint(2, 8).endCell()).endCell(),
      },
    ]);
  });

  it('reads nested tuples and lists', () => {
    reads('[1, [2 3], ()] (1, null)', [
      {
        type: 'tuple',
        items: [int(1n), { type: 'tuple', items: [int(2n), int(3n)] }, { type: 'list', items: [] }],
      },
      { type: 'list', items: [int(1n), { type: 'null' }] },
    ]);
  });

  it('accepts spaces, line breaks, and commas between values, and empty text', () => {
    reads('  1,2\n3 ,\t4 ', [1n, 2n, 3n, 4n].map(int));
    reads('', []);
    reads('  \n', []);
  });

  it('knows named values', () => {
    const variables = new Map<string, StackValue>([
      ['amount', int(5n)],
      ['body', { type: 'cell', cell: addressCell }],
      ['who', { type: 'slice', cell: addressCell }],
    ]);
    reads(
      'addr @who b(addr @who)',
      [
        { type: 'slice', cell: addressCell },
        { type: 'cell', cell: addressCell },
      ],
      {
        variables,
      },
    );
    assert.throws(() => parseStackText('addr @amount', { variables }), /an account is needed after addr/i);
    reads(
      '@amount slice @body b(u8 @amount, ref @body)',
      [
        int(5n),
        { type: 'slice', cell: addressCell },
        { type: 'cell', cell: beginCell().storeUint(5, 8).storeRef(addressCell).endCell() },
      ],
      { variables },
    );
  });

  it('reads cells from files: bytes, hex and base64', () => {
    const boc = addressCell.toBoc();
    const files: Record<string, Buffer> = {
      'a b.boc': boc,
      hex: Buffer.from(`${boc.toString('hex')}\n`),
      base64: Buffer.from(boc.toString('base64')),
      junk: Buffer.from('junk in here'),
    };
    const readFile = (path: string): Buffer => {
      const found = files[path];
      if (found === undefined) {
        throw Object.assign(new Error('no such file'), { code: path === 'pipe' ? 'ENOTFILE' : 'ENOENT' });
      }
      return found;
    };
    reads(
      'cell file "a b.boc" slice file "hex" b(ref file "base64")',
      [
        { type: 'cell', cell: addressCell },
        { type: 'slice', cell: addressCell },
        { type: 'cell', cell: beginCell().storeRef(addressCell).endCell() },
      ],
      { readFile },
    );
    assert.throws(() => parseStackText('cell file "none"', { readFile }), /The file "none" does not exist/);
    assert.throws(
      () => parseStackText('cell file "pipe"', { readFile }),
      /The file "pipe" is a device or a pipe, not a file/,
    );
    assert.throws(() => parseStackText('cell file "junk"', { readFile }), /The file does not contain a cell/);
    assert.throws(() => parseStackText('cell file "hex"'), /Files cannot be read here/);
  });
});
