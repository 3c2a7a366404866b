import assert from 'node:assert/strict';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';
import type { StackValue } from '../../../src/toolkit/stack/stackValue';

const options = {
  accounts: new Map([['alice', 'EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMS']]),
  variables: new Map<string, StackValue>([['n', { type: 'int', value: 5n }]]),
};

/** Text, offset and length of what is wrong, and the whole message with its next step. */
const wrongInputs: [text: string, offset: number, length: number, message: string][] = [
  [
    'hello',
    0,
    5,
    '“hello” is not a value. A value is 42, 1.5ton, true, null, addr EQ…, cell te6cc…, slice x{…}, str "text", b(…), [1, 2] or (1, 2).',
  ],
  ['tru', 0, 3, '“tru” is not a value. Did you mean true?'],
  ['TRUE', 0, 4, '“TRUE” is not a value. Did you mean true?'],
  ['nul', 0, 3, '“nul” is not a value. Did you mean null?'],
  ['address EQ', 0, 7, '“address” is not a value. Did you mean addr?'],
  ['string "a"', 0, 6, '“string” is not a value. Did you mean str?'],
  ['int 5', 0, 3, '“int” is not a value. Numbers are written without a type: 42.'],
  ['none', 0, 4, '“none” is not a value. Write null, or addr none for the empty address.'],
  ['"hi"', 0, 4, 'Text needs str before it. Write str "hi".'],
  ["'hi'", 0, 4, 'Text needs str before it. Write str "hi".'],
  ['1.5', 0, 3, 'Numbers must be whole. For an amount in coins write 1.5ton.'],
  ['1.', 0, 2, 'Numbers must be whole. For an amount in coins write 1ton.'],
  ['.5', 0, 2, 'Numbers must be whole. For an amount in coins write 0.5ton.'],
  ['1.0000000001ton', 0, 15, 'An amount can have at most 9 decimals; this one has 10. Write 1.000000000ton.'],
  ['1.5nano', 0, 7, 'Nanocoins must be whole. Write a whole number of nanocoins.'],
  ['5coins', 0, 6, '“coins” is not a unit. The units are ton and nano.'],
  ['12ab', 0, 4, '“12ab” is not a decimal number. Write 0x12ab if it is hex.'],
  ['0x', 0, 2, 'Digits are missing after 0x.'],
  ['0xfg', 0, 4, '“g” is not a hex digit.'],
  ['1__0', 0, 4, '“1__0” is not a number.'],
  [
    '--1',
    0,
    3,
    '“--1” is not a value. A value is 42, 1.5ton, true, null, addr EQ…, cell te6cc…, slice x{…}, str "text", b(…), [1, 2] or (1, 2).',
  ],
  [`${1n << 256n}`, 0, 78, 'The number does not fit a TVM integer, which holds -2^256 to 2^256-1.'],
  [`-${(1n << 256n) + 1n}`, 0, 79, 'The number does not fit a TVM integer, which holds -2^256 to 2^256-1.'],
  ['0:12', 0, 4, 'A raw address has 64 hex digits after the colon, this one has 2.'],
  [`0:${'g'.repeat(64)}`, 0, 66, '“g” is not a hex digit of a raw address.'],
  [`999:${'1'.repeat(64)}`, 0, 68, 'The workchain 999 is out of range. Use 0 or -1.'],
  [
    'EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMT',
    0,
    48,
    'The checksum of the address is wrong. A character is mistyped: copy the address again.',
  ],
  [
    'addr EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEM',
    5,
    47,
    'An address has 48 characters, this one has 47. Copy all of it again.',
  ],
  ['addr', 4, 0, 'An address is missing after addr.'],
  ['addr bob', 5, 3, '“bob” is not an address. Write EQ…, 0:hex, a name such as @alice, or none.'],
  ['addr 5', 5, 1, '“5” is not an address. Write EQ…, 0:hex, a name such as @alice, or none.'],
  ['@bob', 0, 4, 'The name @bob is unknown. Known here: @alice, @n.'],
  ['@', 0, 1, 'A name is missing after @. Did you mean @n?'],
  ['@alise', 0, 6, 'The name @alise is unknown. Did you mean @alice?'],
  [
    'cell',
    4,
    0,
    'A cell is missing after cell. Write cell te6cc…, cell x{…} or cell b(…); for the code of a contract, code NAME.',
  ],
  [
    'cell zzz*',
    5,
    4,
    '“zzz*” is not a cell. Write cell te6cc…, cell x{…} or cell b(…); for the code of a contract, code NAME.',
  ],
  [
    'cell AAAA',
    5,
    4,
    '“AAAA” is not a cell. Write cell te6cc…, cell x{…} or cell b(…); for the code of a contract, code NAME.',
  ],
  [
    'cell te6cc',
    5,
    5,
    '“te6cc” is not a cell. Write cell te6cc…, cell x{…} or cell b(…); for the code of a contract, code NAME.',
  ],
  [
    'cell te6cckEBAgEABwABAgEBAAIC',
    5,
    24,
    'The bag of cells is damaged (Offset + Length = 176 is out of bounds). A part of it is missing or mistyped: copy all of it again.',
  ],
  [
    'cell te6cckEBAgEABwABAgEBAAICvhwA9Q==',
    5,
    32,
    'The bag of cells is damaged (Invalid CRC32C). A part of it is missing or mistyped: copy all of it again.',
  ],
  [
    'te6cckEBAgEABwABAgEBAAICvhwd9Q==',
    0,
    32,
    'A bag of cells needs cell or slice before it. Write cell te6cckEBAgEABwA… or slice te6cckEBAgEABwA….',
  ],
  [
    'cell b5ee9c7',
    5,
    7,
    '“b5ee9c7” is not a cell. Write cell te6cc…, cell x{…} or cell b(…); for the code of a contract, code NAME.',
  ],
  ['slice x{4G}', 9, 1, '“G” is not a hex digit.'],
  ['slice x{4_A}', 9, 1, '“_” is only allowed at the end.'],
  ['x{_}', 2, 1, '“_” must follow a 1 bit, which it drops.'],
  ['x{00_}', 4, 1, '“_” must follow a 1 bit, which it drops.'],
  ['x{12', 0, 4, 'Missing closing } of x{…}.'],
  [`x{${'0'.repeat(256)}}`, 2, 256, 'A cell holds 1023 bits, not 1024.'],
  ['str', 3, 0, 'Quoted text is missing after str. Write str "text".'],
  ['str hi', 4, 2, 'Quoted text is missing after str. Write str "hi".'],
  ['str "hi', 4, 3, 'Missing closing quote. End the text with ".'],
  ['str \'a" ', 4, 4, "Missing closing quote. End the text with '."],
  ['str "\\q"', 5, 2, 'The escape “\\q” is unknown. The escapes are \\" \\\\ \\n \\r \\t and \\u{code}.'],
  [
    'str "\\u{110000}"',
    5,
    2,
    'The escape “\\u” is unknown. The escapes are \\" \\\\ \\n \\r \\t and \\u{code}.',
  ],
  ['str "\\ud800"', 4, 8, 'The text contains half a character (a lone surrogate).'],
  ['[1, 2', 5, 0, 'Missing closing ] of [ at position 1.'],
  ['(1, [2)', 6, 1, '“)” does not close [ at position 5.'],
  ['[1)', 2, 1, '“)” does not close [ at position 1.'],
  [']', 0, 1, '“]” does not close anything.'],
  ['1)', 1, 1, '“)” does not close anything.'],
  ['}', 0, 1, '“}” does not close anything.'],
  ['{', 0, 1, '“{” does not start a value.'],
  ['1,,2', 1, 1, 'A value is missing after this comma.'],
  ['1,', 1, 1, 'A value is missing after this comma.'],
  [',1', 0, 1, 'A value is missing before this comma.'],
  ['1"a"', 1, 1, 'A space or comma is missing between two values.'],
  ['str"a"str"b"', 6, 1, 'A space or comma is missing between two values.'],
  ['[1][2]', 3, 1, 'A space or comma is missing between two values.'],
  ['b(', 2, 0, 'Missing closing ) of b( at position 1.'],
  ['b(5)', 2, 1, 'A number inside b(…) needs its width. Write u32 5, or coins 5.'],
  ['b(u0 1)', 2, 2, 'The width of u0 must be 1 to 256.'],
  ['b(u257 1)', 2, 4, 'The width of u257 must be 1 to 256.'],
  ['b(i258 1)', 2, 4, 'The width of i258 must be 1 to 257.'],
  ['b(u8 256)', 5, 3, 'The number does not fit u8, which holds 0 to 255.'],
  ['b(i8 -129)', 5, 4, 'The number does not fit i8, which holds -128 to 127.'],
  ['b(u64 -1)', 6, 2, 'The number does not fit u64, which holds 0 to 2^64-1.'],
  ['b(uint32 1)', 2, 6, '“uint32” is not allowed inside b(…). Did you mean u32?'],
  [
    'b(foo 1)',
    2,
    3,
    '“foo” is not allowed inside b(…). Known here: u32, i32, coins, bool, addr, str, ref, maybe, slice.',
  ],
  ['b(u8)', 4, 1, 'A number is missing for u8.'],
  ['b(u8 x)', 5, 1, '“x” is not a number.'],
  ['b(coins -1)', 8, 2, 'The number does not fit coins, which holds 0 to 2^120-1.'],
  [`b(coins ${1n << 120n})`, 8, 37, 'The number does not fit coins, which holds 0 to 2^120-1.'],
  ['b(bool 1)', 7, 1, 'True or false is missing after bool.'],
  ['b(ref 5)', 6, 1, '“5” is not a cell. Write ref te6cc…, ref x{…} or ref b(…).'],
  ['b(maybe)', 7, 1, 'A cell is missing after maybe. Write maybe te6cc…, maybe x{…} or maybe b(…).'],
  ['b(u8 1,)', 6, 1, 'Nothing follows this comma.'],
  ['b(u8 1,,u8 2)', 6, 1, 'Nothing follows this comma.'],
  [
    'b(u256 1 u256 1 u256 1 u256 1)',
    23,
    6,
    'The cell is full: this needs 256 bits, but only 255 are left. Move a part into ref b(…).',
  ],
  [
    'b(ref b() ref b() ref b() ref b() ref b())',
    34,
    7,
    'The cell is full: it has 4 references already. Move some into ref b(…).',
  ],
  [
    `b(str "${'a'.repeat(128)}" u8 1)`,
    137,
    4,
    'The cell is full: this needs 8 bits, but only 7 are left. Move a part into ref b(…).',
  ],
  ['b(u8 1]', 6, 1, '“]” does not close b( at position 1.'],
  ['b(u8 1 5)', 7, 1, 'A number inside b(…) needs its width. Write u32 5, or coins 5.'],
  ['b(u8 1u8 2)', 5, 3, '“1u8” is not a number.'],
  ['u8 1', 0, 2, 'U8 is only allowed inside b(…). Write b(u8 …).'],
  ['b (u8 1)', 0, 1, '“b” is not a value. A cell is built with b(…), without a space before the bracket.'],
  ['abcdef12', 0, 8, '“abcdef12” is not a value. Write 0xabcdef12 for a number or x{abcdef12} for bits.'],
  ['cont', 0, 4, '“cont” is not a value. A continuation cannot be sent.'],
  ['cell @n', 5, 2, 'A cell is needed after cell, not @n.'],
  ['addr @n', 5, 2, 'An account is needed after addr, not @n.'],
  ['b(u8 @alice)', 5, 6, 'A number is needed for u8, not @alice.'],
  ['['.repeat(101), 100, 1, 'Brackets are nested more than 100 deep.'],
  [`[${'1 '.repeat(256)}]`, 0, 514, 'A tuple holds at most 255 values; this one has 256.'],
  ['1:2', 0, 3, 'A raw address has 64 hex digits after the colon, this one has 1.'],
  [
    '😀',
    0,
    2,
    '“😀” is not a value. A value is 42, 1.5ton, true, null, addr EQ…, cell te6cc…, slice x{…}, str "text", b(…), [1, 2] or (1, 2).',
  ],
  ['1\u202e', 0, 2, '“1\\u{202e}” is not a number.'],
  [
    'cell\t',
    5,
    0,
    'A cell is missing after cell. Write cell te6cc…, cell x{…} or cell b(…); for the code of a contract, code NAME.',
  ],
  [
    'slice b',
    6,
    1,
    '“b” is not a cell. Write slice te6cc…, slice x{…} or slice b(…); for an account, addr alice.',
  ],
  ['x 5', 0, 1, '“x” is not a value. Bits are written x{…}, without a space before the bracket.'],
  ['b', 0, 1, '“b” is not a value. A cell is built with b(…), without a space before the bracket.'],
  [
    '-',
    0,
    1,
    '“-” is not a value. A value is 42, 1.5ton, true, null, addr EQ…, cell te6cc…, slice x{…}, str "text", b(…), [1, 2] or (1, 2).',
  ],
  [
    '+',
    0,
    1,
    '“+” is not a value. A value is 42, 1.5ton, true, null, addr EQ…, cell te6cc…, slice x{…}, str "text", b(…), [1, 2] or (1, 2).',
  ],
  ['1_', 0, 2, '“1_” is not a number.'],
  ['0b11', 0, 4, '“0b11” is not a decimal number. Write 0x0b11 if it is hex.'],
  ['1e9', 0, 3, '“1e9” is not a decimal number. Write 0x1e9 if it is hex.'],
  [
    '-x{4}',
    0,
    2,
    '“-x” is not a value. A value is 42, 1.5ton, true, null, addr EQ…, cell te6cc…, slice x{…}, str "text", b(…), [1, 2] or (1, 2).',
  ],
  ['slice addr EQ', 11, 2, '“EQ” is not an address. Write EQ…, 0:hex, a name such as @alice, or none.'],
];

describe('stack text: errors, with position and words', () => {
  for (const [text, offset, length, message] of wrongInputs) {
    it(text.length > 50 ? `${text.slice(0, 49)}…` : text, () => {
      assert.throws(
        () => parseStackText(text, options),
        (error: unknown) => {
          assert.ok(WorkbenchError.is(error, 'stack-text-invalid'), String(error));
          assert.equal(error.kind, 'input');
          const shown = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
          assert.deepEqual([error.details.offset, error.details.length, shown], [offset, length, message]);
          return true;
        },
      );
    });
  }

  it('mark only what is inside the text', () => {
    for (const [text, offset, length] of wrongInputs) {
      assert.ok(offset >= 0 && length >= 0 && offset + length <= text.length, text);
      assert.ok(length > 0 || offset === text.length, text);
    }
  });
});
