import {
  Address,
  Dictionary,
  beginCell,
  external,
  internal,
  storeMessage,
  storeMessageRelaxed,
} from '@ton/core';
import type { Cell } from '@ton/core';
import assert from 'node:assert/strict';
import { describeBoc } from '../../../src/toolkit/contracts/opcodes/describeBoc';
import { decodeStructure } from '../../../src/toolkit/contracts/opcodes/decodeStructure';
import { fromCoreCell } from '../../../src/toolkit/cell/readBoc';
import type { LayoutSet, StructLayout } from '../../../src/toolkit/contracts/layouts/layoutSet';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { decodeByLayout } from '../../../src/toolkit/contracts/layouts/decodeByLayout';
import { encodeByLayout } from '../../../src/toolkit/contracts/layouts/encodeByLayout';
import { fittingLayout } from '../../../src/toolkit/contracts/layouts/fittingLayout';
import { readLayouts } from '../../../src/toolkit/contracts/layouts/readLayouts';
import { bodyToJson } from '../../../src/toolkit/contracts/opcodes/bodyToJson';

const owner = new Address(0, Buffer.alloc(32, 1));
const simple = (type: string, more: object = {}): object => ({
  kind: 'simple',
  type,
  optional: false,
  ...more,
});

/** As the Tact compiler writes it. */
const tact = {
  name: 'Minter',
  types: [
    {
      name: 'Mint',
      header: 0x1234abcd,
      fields: [
        { name: 'queryId', type: simple('uint', { format: 64 }) },
        { name: 'amount', type: simple('uint', { format: 'coins' }) },
        { name: 'to', type: simple('address') },
        { name: 'response', type: simple('address', { optional: true }) },
        { name: 'limit', type: simple('int', { format: 257, optional: true }) },
        { name: 'point', type: simple('Point') },
        { name: 'note', type: simple('string') },
        { name: 'payload', type: simple('slice', { format: 'remainder' }) },
      ],
    },
    {
      name: 'Point',
      header: null,
      fields: [
        { name: 'x', type: simple('int', { format: 8 }) },
        { name: 'on', type: simple('bool') },
      ],
    },
    {
      // 257 + 257 + 267 bits fit, the next 257 do not.
      name: 'Wide',
      header: null,
      fields: [
        { name: 'a', type: simple('int', { format: 257 }) },
        { name: 'b', type: simple('int', { format: 257 }) },
        { name: 'c', type: simple('address') },
        { name: 'd', type: simple('int', { format: 257 }) },
        { name: 'e', type: { kind: 'dict', key: 'int', value: 'int' } },
      ],
    },
    {
      // A cell keeps one reference free, and needs one for the next cell.
      name: 'Many',
      header: null,
      fields: ['p', 'q', 'r', 's'].map((name) => ({ name, type: simple('cell') })),
    },
    {
      name: 'Minter$Data',
      header: null,
      fields: [
        { name: 'owner', type: simple('address') },
        { name: 'supply', type: simple('uint', { format: 'coins' }) },
      ],
    },
  ],
  getters: [],
};

/** As the Tolk compiler writes it. */
const tolk = {
  abi_schema_version: '1.0',
  contract_name: 'Vault',
  unique_types: [
    { kind: 'uintN', n: 64 }, // 0
    { kind: 'coins' }, // 1
    { kind: 'addressOpt' }, // 2
    { kind: 'StructRef', struct_name: 'Details' }, // 3
    { kind: 'cellOf', inner_ty_idx: 3 }, // 4
    { kind: 'nullable', inner_ty_idx: 4 }, // 5
    { kind: 'StructRef', struct_name: 'Deposit' }, // 6
    { kind: 'bool' }, // 7
    {
      kind: 'union',
      variants: [
        { variant_ty_idx: 0, prefix_num: 0, prefix_len: 1, is_prefix_implicit: true },
        { variant_ty_idx: 3, prefix_num: 1, prefix_len: 1, is_prefix_implicit: true },
      ],
    }, // 8
    { kind: 'EnumRef', enum_name: 'Mode' }, // 9
    { kind: 'uintN', n: 3 }, // 10
    { kind: 'varuintN', n: 32 }, // 11
    { kind: 'StructRef', struct_name: 'Box', type_args_ty_idx: [1] }, // 12
    { kind: 'genericT', name_t: 'T' }, // 13
    { kind: 'StructRef', struct_name: 'Storage' }, // 14
    { kind: 'mapKV', key_ty_idx: 0, value_ty_idx: 1 }, // 15
    { kind: 'StructRef', struct_name: 'Odd' }, // 16
  ],
  struct_instantiations: [{ ty_idx: 12, monomorphic_fields_ty_idx: [1] }],
  alias_instantiations: [],
  declarations: [
    {
      kind: 'struct',
      name: 'Details',
      ty_idx: 3,
      prefix: { prefix_num: 0x7a, prefix_len: 8 },
      fields: [{ name: 'enabled', ty_idx: 7 }],
    },
    {
      kind: 'struct',
      name: 'Deposit',
      ty_idx: 6,
      prefix: { prefix_num: 0xcafe0001, prefix_len: 32 },
      fields: [
        { name: 'queryId', ty_idx: 0 },
        { name: 'back', ty_idx: 2 },
        { name: 'details', ty_idx: 5 },
        { name: 'either', ty_idx: 8 },
        { name: 'mode', ty_idx: 9 },
        { name: 'big', ty_idx: 11 },
        { name: 'box', ty_idx: 12 },
      ],
    },
    { kind: 'struct', name: 'Box', ty_idx: 12, type_params: ['T'], fields: [{ name: 'inner', ty_idx: 13 }] },
    {
      kind: 'struct',
      name: 'Storage',
      ty_idx: 14,
      fields: [
        { name: 'owner', ty_idx: 2 },
        { name: 'sums', ty_idx: 15 },
      ],
    },
    {
      kind: 'struct',
      name: 'Odd',
      ty_idx: 16,
      prefix: { prefix_num: 0xcafe0002, prefix_len: 32 },
      fields: [],
      custom_pack_unpack: { unpack_from_slice: true },
    },
    { kind: 'enum', name: 'Mode', encoded_as_ty_idx: 10, members: [{ name: 'Fast', value: '5' }] },
  ],
  storage: { storage_ty_idx: 14 },
  get_methods: [],
};

function struct(set: LayoutSet, name: string): StructLayout {
  const found = [...set.structs.values()].find((one) => one.name === name);
  assert.ok(found, name);
  return found;
}

const json = (cell: Cell, set: LayoutSet, name: string): unknown =>
  JSON.parse(JSON.stringify(bodyToJson(decodeByLayout(cell, struct(set, name), set))));

const mint = beginCell()
  .storeUint(0x1234abcd, 32)
  .storeUint(7, 64)
  .storeCoins(5n)
  .storeAddress(owner)
  .storeAddress(null)
  .storeBit(true)
  .storeInt(-3, 257)
  .storeInt(-1, 8)
  .storeBit(true)
  .storeRef(beginCell().storeStringTail('hi there').endCell())
  .storeUint(0xff, 8)
  .endCell();

describe('layouts of the Tact compiler', () => {
  let set: LayoutSet;
  before(async () => {
    set = await readLayouts('build/Minter.abi', JSON.stringify(tact));
  });

  it('read every kind of field, nested structs, and the rest', () => {
    const body = fittingLayout(mint, [set])!;
    assert.equal(body.name, 'Mint');
    assert.equal(body.opcode, '0x1234abcd');
    assert.equal(body.source, 'Minter, build/Minter.abi');
    const values = Object.fromEntries(body.fields.map(({ name, value }) => [name, value]));
    assert.deepEqual(values['queryId'], { type: 'int', value: 7n });
    assert.deepEqual(values['amount'], { type: 'coins', value: 5n });
    assert.deepEqual(values['to'], { type: 'address', value: owner.toRawString() });
    assert.deepEqual(values['response'], { type: 'address', value: undefined });
    assert.deepEqual(values['limit'], { type: 'int', value: -3n });
    assert.deepEqual(values['note'], { type: 'text', value: 'hi there' });
    const point = values['point'];
    assert.ok(point?.type === 'body');
    assert.deepEqual(point.value.fields, [
      { name: 'x', value: { type: 'int', value: -1n } },
      { name: 'on', value: { type: 'bool', value: true } },
    ]);
    assert.equal(values['payload']?.type, 'cell');
  });

  it('continue in the next cell where the compiler does', () => {
    const numbers = Dictionary.empty(Dictionary.Keys.BigInt(257), Dictionary.Values.BigInt(257));
    numbers.set(1n, 2n);
    const cell = beginCell()
      .storeInt(1, 257)
      .storeInt(2, 257)
      .storeAddress(owner)
      .storeRef(beginCell().storeInt(4, 257).storeDict(numbers).endCell())
      .endCell();
    const body = decodeByLayout(cell, struct(set, 'Wide'), set);
    assert.deepEqual([body.broken, body.left], [false, { bits: 0, refs: 0 }]);
    assert.deepEqual(body.fields[3], { name: 'd', value: { type: 'int', value: 4n } });
    assert.deepEqual(body.fields[4]?.value, {
      type: 'map',
      entries: [{ key: { type: 'int', value: 1n }, value: { type: 'int', value: 2n } }],
    });
  });

  it('continue in the next cell if there are not enough references', () => {
    const leaf = (value: number): Cell => beginCell().storeUint(value, 8).endCell();
    const next = beginCell().storeRef(leaf(3)).storeRef(leaf(4)).endCell();
    const cell = beginCell().storeRef(leaf(1)).storeRef(leaf(2)).storeRef(next).endCell();
    const body = decodeByLayout(cell, struct(set, 'Many'), set);
    assert.deepEqual([body.broken, body.left], [false, { bits: 0, refs: 0 }]);
    const last = body.fields[3]?.value;
    assert.ok(last?.type === 'cell' && last.value === leaf(4).toBoc().toString('base64'));
  });

  it("read a contract's data, after the bit that says that init has run", () => {
    const data = beginCell().storeBit(true).storeAddress(owner).storeCoins(9n).endCell();
    const storage = [...set.structs.values()].filter(({ isStorage }) => isStorage);
    assert.deepEqual(
      storage.map(({ name }) => name),
      ['Minter$Data'],
    );
    const body = decodeByLayout(data, storage[0]!, set);
    assert.deepEqual(body.fields.at(-1), { name: 'supply', value: { type: 'coins', value: 9n } });
    assert.equal(body.left.bits, 0);
  });

  it("are called by their contract's name, not by the one that only the compiler uses", () => {
    const storage = struct(set, 'Minter$Data');
    const refused = (text: string): string | undefined => {
      try {
        encodeByLayout(text, storage, set);
      } catch (error) {
        return error instanceof WorkbenchError ? error.message : String(error);
      }
      return undefined;
    };
    assert.match(refused('{supply: 1ton}') ?? '', /^The storage of Minter lacks owner: address/);
    const written = encodeByLayout(`{owner: ${owner.toString()}, supply: 9}`, storage, set);
    const data = beginCell().storeBit(true).storeAddress(owner).storeCoins(9n).endCell();
    assert.equal(written.toString(), data.toString());
    assert.match(refused('5') ?? '', /^The storage of Minter takes its fields/);
  });

  it('report that a cell is something else, with the fields read so far', () => {
    const cut = beginCell().storeUint(0x1234abcd, 32).storeUint(7, 64).endCell();
    const body = decodeByLayout(cut, struct(set, 'Mint'), set);
    assert.equal(body.broken, true);
    assert.deepEqual(
      body.fields.map(({ name }) => name),
      ['queryId'],
    );
    assert.equal(fittingLayout(cut, [set]), undefined);
    assert.equal(fittingLayout(beginCell().storeUint(0x1234abce, 32).endCell(), [set]), undefined);
  });

  it('reject anything that is not an ABI', async () => {
    for (const text of ['', '{}', '{"types":1}', '{"abi":"{"}', '{"abi_schema_version":"1"}']) {
      await assert.rejects(readLayouts('x', text), { code: 'abi-unreadable' });
    }
  });
});

describe('layouts of the Tolk compiler', () => {
  let set: LayoutSet;
  before(async () => {
    set = await readLayouts('build/abi/Vault.json', JSON.stringify(tolk));
  });
  const deposit = (mode: number): Cell =>
    beginCell()
      .storeUint(0xcafe0001, 32)
      .storeUint(1, 64)
      .storeAddress(owner)
      .storeBit(true)
      .storeRef(beginCell().storeUint(0x7a, 8).storeBit(true).endCell())
      .storeBit(true)
      .storeUint(0x7a, 8)
      .storeBit(false)
      .storeUint(mode, 3)
      .storeVarUint(1n << 200n, 5)
      .storeCoins(8n)
      .endCell();

  it('read prefixes, unions, enumerations, typed references, and generic structs', () => {
    const body = fittingLayout(deposit(5), [set])!;
    assert.equal(body.name, 'Deposit');
    const values = Object.fromEntries(body.fields.map(({ name, value }) => [name, value]));
    const details = values['details'];
    assert.ok(details?.type === 'body');
    assert.deepEqual(details.value.fields, [{ name: 'enabled', value: { type: 'bool', value: true } }]);
    const either = values['either'];
    assert.ok(either?.type === 'body');
    assert.deepEqual(either.value.fields, [{ name: 'enabled', value: { type: 'bool', value: false } }]);
    assert.deepEqual(values['mode'], { type: 'text', value: 'Mode.Fast' });
    assert.deepEqual(values['big'], { type: 'int', value: 1n << 200n });
    const box = values['box'];
    assert.ok(box?.type === 'body');
    assert.deepEqual(box.value.fields, [{ name: 'inner', value: { type: 'coins', value: 8n } }]);
    const longer = beginCell().storeSlice(deposit(5).beginParse()).storeBit(true).endCell();
    assert.equal(fittingLayout(longer, [set]), undefined, 'more is there than the struct has');
    const plain = fittingLayout(deposit(2), [set])!;
    assert.deepEqual(plain.fields.find(({ name }) => name === 'mode')?.value, { type: 'int', value: 2n });
  });

  it('read the storage, and stop at custom packing', () => {
    const data = beginCell().storeAddress(null).storeBit(false).endCell();
    assert.deepEqual(json(data, set, 'Storage'), {
      name: 'Storage',
      fields: { owner: null, sums: [] },
    });
    assert.equal(struct(set, 'Storage').isStorage, true);
    assert.equal(decodeByLayout(data, struct(set, 'Storage'), set).broken, false);
    const odd = beginCell().storeUint(0xcafe0002, 32).storeUint(1, 8).endCell();
    const body = decodeByLayout(odd, struct(set, 'Odd'), set);
    assert.deepEqual([body.broken, body.left.bits], [true, 8]);
    assert.equal(fittingLayout(odd, [set]), undefined);
  });

  it('come after the built-in table in messages, with their origin', async () => {
    const other = await readLayouts('build/Minter.abi', JSON.stringify(tact));
    const readBody = (cell: Cell): ReturnType<typeof fittingLayout> => fittingLayout(cell, [other, set]);
    const message = beginCell()
      .store(storeMessageRelaxed(internal({ to: owner, value: 1n, body: mint })))
      .endCell();
    const decoded = decodeStructure(message, readBody)!;
    const body = decoded.fields.find(({ name }) => name === 'body')?.value;
    assert.ok(body?.type === 'body');
    assert.equal(body.value.name, 'Mint');
    const text = describeBoc(fromCoreCell(message), { readBody }).text;
    assert.match(text, /body {2}Mint \(0x1234abcd\) {2}Minter, build\/Minter\.abi/);
    const excess = beginCell().storeUint(0xd53276db, 32).storeUint(1, 64).endCell();
    assert.equal(decodeStructure(excess, () => assert.fail('the table knows it'))?.name, 'excess');
    const outside = beginCell()
      .store(storeMessage(external({ to: owner, body: deposit(5) })))
      .endCell();
    assert.match(describeBoc(fromCoreCell(outside), { readBody }).text, /Deposit \(0xcafe0001\)/);
  });
});
