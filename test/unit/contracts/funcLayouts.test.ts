import type { Cell } from '@ton/core';
import { Address, Dictionary, beginCell } from '@ton/core';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { readTlbComments, sourcePlaces } from '../../../src/toolkit/contracts/abi/readTlbComments';
import type { LayoutSet, StructLayout } from '../../../src/toolkit/contracts/layouts/layoutSet';
import { findStorage } from '../../../src/toolkit/contracts/layouts/layoutSet';
import { encodeByLayout } from '../../../src/toolkit/contracts/layouts/encodeByLayout';
import { fittingLayout } from '../../../src/toolkit/contracts/layouts/fittingLayout';
import { messagesOfContract } from '../../../src/toolkit/contracts/layouts/messagesOfContract';
import { projectLayouts, readFuncSourceLayouts } from '../../../src/toolkit/contracts/layouts/projectLayouts';

/** As public jetton wallets have it: prose before, tags left out, opcodes in constants. */
const wallet = `
#include "op-codes.fc";
;; Jetton wallet. It has a balance = a number of jettons; see TEP-74.

{-
  Storage
  storage#_ balance:Coins owner_address:MsgAddressInt jetton_master_address:MsgAddressInt jetton_wallet_code:^Cell = Storage;
-}
(int, slice) load_data() inline { return (0, get_data()); }

{-
  transfer query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress
           response_destination:MsgAddress custom_payload:(Maybe ^Cell)
           forward_ton_amount:(VarUInteger 16) forward_payload:(Either Cell ^Cell)
           = InternalMsgBody;
-}
() send_tokens(slice body) impure { }

;; burn#595f07bc query_id:uint64 amount:(VarUInteger 16)
;;      response_destination:MsgAddress custom_payload:(Maybe ^Cell)
;;      = InternalMsgBody;

;; excesses#d53276db query_id:uint64 = InternalMsgBody;

() recv_internal(int balance, int value, cell message, slice body) impure {
  int op = body~load_uint(32);
  if (op == op::transfer()) { send_tokens(body); }
  if (op == op::burn()) { }
  send(op::excesses);
}
`;
const opcodes = `
int op::transfer() asm "0xf8a7ea5 PUSHINT";
int op::burn() asm "0x595f07bc PUSHINT";
const op::excesses = 0xd53276db;
`;
const bob = Address.parse('EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N');
const accounts = new Map([['bob', bob.toRawString()]]);

function named(set: LayoutSet, name: string): StructLayout {
  return [...set.structs.values()].find((layout) => layout.name === name) ?? assert.fail(name);
}

describe('TL-B comments of FunC sources', () => {
  const set = readFuncSourceLayouts('contracts/jetton_wallet.fc', 'jetton_wallet', wallet, [opcodes]);

  it('describe messages bit for bit as the standard does, with the opcode of a constant', () => {
    const body = encodeByLayout(
      '{query_id: 7, amount: 5, destination: bob, response_destination: none, custom_payload: null, forward_ton_amount: 0.1ton, forward_payload: ref b(u8 1)}',
      named(set, 'transfer'),
      set,
      { accounts },
    );
    const expected = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(7, 64)
      .storeCoins(5)
      .storeAddress(bob)
      .storeAddress(null)
      .storeBit(false)
      .storeCoins(100_000_000)
      .storeBit(true)
      .storeRef(beginCell().storeUint(1, 8))
      .endCell();
    assert.ok(body.equals(expected), body.toString());
    assert.equal(fittingLayout(expected, [set])?.name, 'transfer');
  });

  it('show a received body by field', () => {
    const cell = beginCell()
      .storeUint(0x595f07bc, 32)
      .storeUint(3, 64)
      .storeCoins(9)
      .storeAddress(bob)
      .storeMaybeRef(null)
      .endCell();
    const body = fittingLayout(cell, [set]);
    assert.deepEqual(
      body?.fields.map(({ name, value }) => [name, 'value' in value ? value.value : undefined]),
      [
        ['query_id', 3n],
        ['amount', 9n],
        ['response_destination', bob.toRawString()],
        ['custom_payload', undefined],
      ],
    );
  });

  it('tell what the contract receives from what it only sends', () => {
    assert.deepEqual(
      messagesOfContract([set], 'JettonWallet').map(({ layout }) => layout.name),
      ['transfer', 'burn'],
    );
  });

  it('describe a map also if they spell it with a large M', () => {
    const text = ';; storage#_ seats:(HashMapE 256 uint8) = Storage;\n() recv_internal() { }\n';
    const own = readFuncSourceLayouts('contracts/hall.fc', 'hall', text, []);
    const storage = findStorage([own], { name: 'hall' });
    assert.ok(storage !== undefined);
    const data = encodeByLayout('{seats: {7: 9}}', storage.layout, own, { accounts });
    const expected = beginCell().storeDict(
      Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Uint(8)).set(7n, 9),
    );
    assert.ok(data.equals(expected.endCell()));
  });

  it('describe the data of the contract', () => {
    const storage = findStorage([set], { name: 'JettonWallet' });
    assert.deepEqual(
      storage?.layout.cells.flat().map(({ name }) => name),
      ['balance', 'owner_address', 'jetton_master_address', 'jetton_wallet_code'],
    );
  });

  it('take the opcode of a standard from its checksum if the source has it under another name', () => {
    const text = `const op::move = 0x0f8a7ea5;\n${wallet}`;
    const other = readFuncSourceLayouts('a.fc', 'a', text);
    assert.equal(named(other, 'transfer').prefix?.value, 0x0f8a7ea5n);
  });

  it('leave out the opcode of a message whose source does not have one', () => {
    const other = readFuncSourceLayouts('a.fc', 'a', ';; hello query_id:uint64 = InternalMsgBody;');
    assert.deepEqual([named(other, 'hello').prefix, named(other, 'hello').isMessage], [undefined, false]);
  });

  it('have 32 bits of opcode, also where leading zeros are left out, and other tags as many as they show', () => {
    const other = readFuncSourceLayouts(
      'a.fc',
      'a',
      ';; a#f8a7ea5 x:uint8 = InternalMsgBody;\n;; b$01 = B;\n;; c#0a x:uint8 = C;\n;; d#8_ x:uint8 = D;\n;; e#a4_ = E;',
    );
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => {
        const { prefix } = named(other, name);
        return prefix && [prefix.value, prefix.bits];
      }),
      [[0x0f8a7ea5n, 32], [1n, 2], [10n, 8], undefined, [0b10100n, 5]],
    );
  });

  it('name a cell in the middle of a collection, and continue the struct in one at its end', () => {
    const text = `
;; default#_ royalty_factor:uint16 royalty_base:uint16 royalty_address:MsgAddress = RoyaltyParams;
;; storage#_ owner_address:MsgAddress next_item_index:uint64
;;           ^[collection_content:^Cell common_content:^Cell]
;;           nft_item_code:^Cell
;;           royalty_params:^RoyaltyParams
;;           = Storage;
`;
    const collection = readFuncSourceLayouts('nft_collection.fc', 'nft_collection', text);
    const storage = findStorage([collection], { name: 'nft_collection' }) ?? assert.fail();
    const cell = encodeByLayout(
      '{owner_address: bob, next_item_index: 2, ref2: {collection_content: b(u8 1), common_content: b(u8 2)}, nft_item_code: b(u8 3), royalty_params: {royalty_factor: 1, royalty_base: 100, royalty_address: bob}}',
      storage.layout,
      storage.set,
      { accounts },
    );
    const of = (value: number): Cell => beginCell().storeUint(value, 8).endCell();
    const expected = beginCell()
      .storeAddress(bob)
      .storeUint(2, 64)
      .storeRef(beginCell().storeRef(of(1)).storeRef(of(2)))
      .storeRef(of(3))
      .storeRef(beginCell().storeUint(1, 16).storeUint(100, 16).storeAddress(bob))
      .endCell();
    assert.ok(cell.equals(expected), cell.toString());
  });

  it('have the positions of their declarations', () => {
    const { structs } = sourcePlaces(wallet, 'func');
    assert.deepEqual([...structs].map(([name, offset]) => [name, wallet.slice(offset, offset + 5)]).sort(), [
      ['burn', 'burn#'],
      ['excesses', 'exces'],
      ['storage', 'stora'],
      ['transfer', 'trans'],
    ]);
  });

  it('belong to the contract that includes them, and an ABI is used instead where there is one', async () => {
    const files = [
      { path: 'contracts/jetton_wallet.fc', text: wallet },
      { path: 'contracts/op-codes.fc', text: opcodes },
    ];
    const sets = await projectLayouts(await readProject(files));
    assert.deepEqual(
      sets.map(({ contract, structs }) => [contract, structs.size]),
      [['jetton_wallet', 4]],
    );
    const types = [
      { name: 'Ping', header: 16909060, fields: [{ name: 'a', type: { kind: 'simple', type: 'bool' } }] },
    ];
    const abi = { name: 'JettonWallet', types, receivers: [], getters: [], errors: {} };
    const both = await projectLayouts(
      await readProject([...files, { path: 'build/jetton_wallet.abi', text: JSON.stringify(abi) }]),
    );
    assert.deepEqual(
      both.map(({ origin }) => origin),
      ['build/jetton_wallet.abi'],
    );
  });

  it('are ignored without harm if they are prose, or TL-B of another kind', () => {
    for (const comment of [
      'Storage',
      'owner:MsgAddress',
      'a = b;',
      'the balance = Coins of the owner;',
      'vector {X:Type} n:# = Vector X;',
      'some flag:Bool data:flag?uint8 = Some;',
      'open#01 a:( = Open;',
      'open#01 a:uint8 = open',
      'int8 x:',
      '^[ ^[ ^[',
      '= Storage;',
    ]) {
      for (const text of [`;; ${comment}`, `{- ${comment} -}`, `() main() { } ;; ${comment}\nint x = 5;`]) {
        assert.deepEqual(readTlbComments(text), [], text);
      }
    }
  });

  it('never join what code separates', () => {
    assert.deepEqual(readTlbComments(';; open#01 a:uint8\nint x;\n;; = Open;'), []);
    assert.equal(readTlbComments(';; open#01 a:uint8 ;; the number\n\n;; = Open').length, 1);
  });

  it('take no harm from any text', () => {
    const piece = fc.constantFrom(
      ...'a #01 $1_ : ^ [ ] ( ) = ; ;; {- -} // \n Maybe Either HashmapE 256 uint8 Cell Storage { } ? # ##'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join(' ');
        for (const { offset, name } of readTlbComments(text)) {
          assert.equal(text.slice(offset, offset + name.length), name);
        }
        readFuncSourceLayouts('a.fc', 'a', text);
      }),
      { numRuns: 500 },
    );
  });

  it('nest and repeat only within bounds', () => {
    const deep = `;; a#01 x:${'^['.repeat(5_000)} = A;`;
    const long = `{- ${'a#01 x:uint8 y:\n'.repeat(8_000)} -}`;
    const wide = `{- ${Array.from({ length: 60 }, (_, place) => `t#01 a:T${place + 1} b:T${place + 1} = T${place};`).join('\n')} -}`;
    const started = performance.now();
    assert.deepEqual([readTlbComments(deep), readTlbComments(long)], [[], []]);
    assert.equal(readFuncSourceLayouts('a.fc', 'a', wide).structs.size, 60);
    assert.ok(performance.now() - started < 5_000);
  });
});
