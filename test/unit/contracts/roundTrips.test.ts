import assert from 'node:assert/strict';
import { Address, beginCell } from '@ton/core';
import fc from 'fast-check';
import type { LayoutSet, LayoutType, StructLayout } from '../../../src/toolkit/contracts/layouts/layoutSet';
import { decodeByLayout } from '../../../src/toolkit/contracts/layouts/decodeByLayout';
import { encodeByLayout } from '../../../src/toolkit/contracts/layouts/encodeByLayout';
import { readFuncSourceLayouts } from '../../../src/toolkit/contracts/layouts/projectLayouts';
import { readTactSourceLayouts } from '../../../src/toolkit/contracts/layouts/readTactSourceLayouts';
import { readTolkSourceLayouts } from '../../../src/toolkit/contracts/layouts/tolkLayouts';
import type { BodyValue, DecodedBody } from '../../../src/toolkit/contracts/opcodes/decodedBody';

const tolk = `
struct Point { x: int32; y: uint8 }
struct (0x0a) Open { at: uint32; by: address }
struct (0x0b) Close { code: int8 }
struct Pair<T> { a: T; b: T }
type Action = Open | Close
enum Color { Red, Green, Blue }
enum Level: int8 { Low = -1, High = 1 }
struct (0x00000001) Numbers { a: int1; b: int257; c: uint1; d: uint256; e: coins }
struct (0x00000007) Lengths { a: varuint16; b: varuint32; c: varint16; d: varint32 }
struct (0x00000002) Leaves { a: bool; b: address; c: address?; d: bits8; e: string; f: cell; g: Color; h: Level }
struct (0x00000008) Bytes { a: bits512; b: bytes32 }
struct (0x00000003) Optional { a: int32?; b: Point?; c: cell?; d: bool?; e: Cell<Point>?; f: string? }
struct (0x00000004) Inside { a: Point; b: Cell<Point>; c: (int8, bool); d: Pair<uint8>; e: Cell<Pair<Point>>; f: Action; g: string_prefixed0x; h: OldBounceMode; rest: RemainingBitsAndRefs }
struct (0x00000005) Unions { a: int8 | Point; b: int8 | Point | null; c: Action; d: Cell<Action> }
struct (0x00000006) Maps { a: map<address, int32>; b: map<int8, bool>; c: map<uint64, Point>; d: map<bits256, Cell<Point>>; e: dict }
`;

const tact = `
struct Point { x: Int as int8; on: Bool }
message(1) Numbers { a: Int; b: Int as uint1; c: Int as uint256; d: Int as coins; e: Int as varuint16; f: Int as varuint32; g: Int as varint16; h: Int as varint32; i: Int? as int33 }
message(2) Leaves { a: Bool; b: Address; c: Address?; d: Slice as bytes32; e: Slice as bytes64; f: String; g: Cell; h: Slice; i: Builder; j: Cell?; k: Slice as remaining }
message(3) Inside { a: Point; b: Point?; c: String?; d: Numbers }
message(4) Maps { a: map<Address, Int as uint32>; b: map<Int, Bool>; c: map<Int as uint8, Point>; d: map<Int as int64, Cell>; e: map<Address, Address> }
contract Shelf { owner: Address; a: Cell; b: Cell; c: Cell; n: Int as coins = 5; init(owner: Address) {} receive(msg: Numbers) {} }
contract Sheet(owner: Address, p: Point) { receive(msg: Maps) {} }
`;

const func = `
{- A point has two numbers.
   point#_ x:int32 y:uint8 = Point;
   open#0a at:uint32 by:MsgAddressInt = Action;
   close#0b code:int8 = Action; -}
;; numbers#00000001 a:int1 b:int257 c:uint1 d:uint256 e:Coins f:# g:(## 5) h:(#<= 60) i:(#< 64) = InternalMsgBody;
;; lengths#00000002 a:(VarUInteger 16) b:(VarUInteger 32) c:(VarInteger 16)
;;   d:(VarInteger 32) forward_ton_amount:(VarUInteger 16) = InternalMsgBody;
;; leaves#00000003 a:Bool b:MsgAddressInt c:MsgAddress d:bits8 e:(bits 64) f:^Cell g:Unit h:Bit
;;   ^[ i:uint8 j:^Point ] = InternalMsgBody;
;; optional#00000004 a:(Maybe int32) b:(Maybe Point) c:(Maybe ^Cell) d:Maybe ^Point = InternalMsgBody;
;; inside#00000005 a:Point b:^Point c:^[ d:uint8 e:Action ] f:Action g:^Action rest:Cell = InternalMsgBody;
;; choices#00000006 a:(Either uint8 ^Point) b:(Either Point ^Point) forward_payload:(Either Cell ^Cell) = InternalMsgBody;
;; maps#00000007 a:(HashmapE 267 int32) b:(HashmapE 8 Bool) c:(HashmapE 64 Point) d:(HashmapE 256 ^Point) = InternalMsgBody;
;; storage#_ owner:MsgAddress all:(HashmapE 32 Coins) = Storage;
() recv_internal(int value, cell message, slice body) impure { }
`;

const sets: [name: string, set: LayoutSet][] = [
  ['Tolk', readTolkSourceLayouts('all.tolk', 'All', tolk)],
  ['Tact, contract with init', readTactSourceLayouts('all.tact', 'Shelf', tact)],
  ['Tact, contract with parameters', readTactSourceLayouts('all.tact', 'Sheet', tact)],
  ['FunC with TL-B comments', readFuncSourceLayouts('all.fc', 'all', func)],
];

const number = (min: bigint, max: bigint): fc.Arbitrary<string> => fc.bigInt(min, max).map(String);
const signed = (bits: number): fc.Arbitrary<string> =>
  number(-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n);
const unsigned = (bits: number): fc.Arbitrary<string> => number(0n, (1n << BigInt(bits)) - 1n);
const hex = (bytes: number): fc.Arbitrary<string> =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array) => `x{${Buffer.from(array).toString('hex')}}`);
const address = fc
  .tuple(fc.constantFrom(0, -1), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([chain, hash]) => new Address(chain, Buffer.from(hash)).toRawString());
const cell = fc.tuple(fc.uint8Array({ maxLength: 8 }), fc.boolean()).map(([bytes, hasReference]) => {
  const builder = beginCell().storeBuffer(Buffer.from(bytes));
  return (hasReference ? builder.storeRef(beginCell()) : builder).endCell().toBoc().toString('hex');
});
const word = fc.string({ unit: 'grapheme', maxLength: 150 }).filter((text) => !/["\\\p{Cc}]/u.test(text));

/** Texts of values of a type. */
function texts(type: LayoutType, set: LayoutSet): fc.Arbitrary<string> {
  const inner = (part: LayoutType): fc.Arbitrary<string> => texts(part, set);
  switch (type.kind) {
    case 'int':
      return signed(type.bits);
    case 'uint':
      return unsigned(type.bits);
    case 'coins':
      return unsigned(120);
    case 'varint':
      return signed(type.lengthBits === 4 ? 120 : 248);
    case 'varuint':
      return unsigned(type.lengthBits === 4 ? 120 : 248);
    case 'bool':
      return fc.constantFrom('true', 'false');
    case 'address':
      return type.isRequired === true ? address : fc.oneof(address, fc.constant('none'));
    case 'bits':
      return hex(type.bits / 8);
    case 'text':
      return word.map((text) => `"${text}"`);
    case 'rest':
      return cell;
    case 'none':
      return fc.constant('null');
    case 'cell':
      return type.inner === undefined ? cell : inner(type.inner);
    case 'maybe':
      return fc.oneof(fc.constant('null'), inner(type.inner));
    case 'either':
      return fc.oneof(
        inner(type.inner),
        inner(type.inner).map((text) => `ref ${text}`),
      );
    case 'enum':
      return fc.constantFrom(...type.members.values()).map((member) => `${type.name}.${member}`);
    case 'sequence':
      return fc.tuple(...type.items.map((item) => inner(item.type))).map((items) => `(${items.join(', ')})`);
    case 'map':
      return type.key === undefined || type.value === undefined
        ? fc.constant('null')
        : fc
            .uniqueArray(
              fc.tuple(type.key.kind === 'address' ? address : inner(type.key), inner(type.value)),
              {
                maxLength: 4,
                selector: ([key]) => key,
              },
            )
            .map((entries) => `{${entries.map(([key, value]) => `${key}: ${value}`).join(', ')}}`);
    case 'union':
      return fc.oneof(...type.variants.map((variant) => inner(variant.type)));
    case 'struct':
      return structTexts(set.structs.get(type.key) ?? assert.fail(type.key), set);
    case 'unknown':
      return assert.fail(type.what);
  }
}

function structTexts(layout: StructLayout, set: LayoutSet): fc.Arbitrary<string> {
  const fields = layout.cells.flat();
  return fc
    .tuple(...fields.map(({ type }) => texts(type, set)))
    .map(
      (values) =>
        `${layout.name} {${fields.map(({ name }, place) => `${name}: ${values[place]}`).join(', ')}}`,
    );
}

/** A decoded value as text from which it can be encoded again. */
function printed(value: BodyValue): string {
  switch (value.type) {
    case 'none':
      return 'null';
    case 'address':
      return value.value ?? 'none';
    case 'bytes':
      return `x{${value.value}}`;
    case 'cell':
      return Buffer.from(value.value, 'base64').toString('hex');
    case 'text':
      return /^(Color|Level)\.\w+$/.test(value.value) ? value.value : `"${value.value}"`;
    case 'map':
      return `{${value.entries.map((one) => `${printed(one.key)}: ${printed(one.value)}`).join(', ')}}`;
    case 'body':
      return printedBody(value.value);
    case 'int':
    case 'coins':
    case 'bool':
      return String(value.value);
  }
}

function printedBody({ name, fields }: DecodedBody): string {
  return name === ''
    ? `(${fields.map(({ value }) => printed(value)).join(', ')})`
    : `${name} {${fields.map((field) => `${field.name}: ${printed(field.value)}`).join(', ')}}`;
}

describe('layouts: every type of field', () => {
  for (const [title, set] of sets) {
    for (const layout of set.structs.values()) {
      it(`${title}: ${layout.name} is decoded as it was encoded, and can be encoded again from the result`, () => {
        fc.assert(
          fc.property(structTexts(layout, set), (text) => {
            const made = encodeByLayout(text, layout, set);
            const body = decodeByLayout(made, layout, set);
            assert.deepEqual([body.broken, body.left], [false, { bits: 0, refs: 0 }]);
            const again = encodeByLayout(printedBody(body), layout, set);
            // A decoded value does not say whether it was in place or in a reference.
            assert.deepEqual(decodeByLayout(again, layout, set), body);
            assert.ok(again.equals(made) || text.includes('ref '));
          }),
          { numRuns: 50 },
        );
      });
    }
  }

  it('cover every kind of layout', () => {
    const kinds = new Set<string>();
    const visit = (type: LayoutType): void => {
      kinds.add(type.kind);
      const parts =
        type.kind === 'sequence'
          ? type.items.map((item) => item.type)
          : type.kind === 'union'
            ? type.variants.map((variant) => variant.type)
            : type.kind === 'map'
              ? [type.key, type.value].filter((part) => part !== undefined)
              : 'inner' in type && type.inner !== undefined
                ? [type.inner]
                : [];
      parts.forEach(visit);
    };
    for (const [, set] of sets) {
      [...set.structs.values()].flatMap(({ cells }) => cells.flat()).forEach(({ type }) => visit(type));
    }
    const all =
      'address bits bool cell coins either enum int map maybe none rest sequence struct text uint union varint varuint';
    assert.deepEqual([...kinds].sort(), all.split(' '));
  });

  it('are separate for the data of each contract in a file', () => {
    for (const [, set] of sets.slice(1, 3)) {
      const stored = [...set.structs.values()].filter(({ isStorage }) => isStorage);
      assert.deepEqual(
        stored.map(({ name }) => name),
        [`${set.contract}$Data`],
      );
    }
    const [shelf, sheet] = sets.slice(1, 3).map(([, set]) => set.structs.get(`${set.contract}$Data`)?.cells);
    // The compiler reserves two references in the first cell.
    assert.deepEqual(
      shelf?.map((fields) => fields.map(({ name }) => name)),
      [
        ['initialized', 'owner', 'a'],
        ['b', 'c', 'n'],
      ],
    );
    assert.deepEqual(
      sheet?.map((fields) => fields.map(({ name }) => name)),
      [['owner', 'p']],
    );
  });
});
