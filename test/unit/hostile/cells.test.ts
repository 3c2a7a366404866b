import {
  Address,
  Cell,
  Dictionary,
  beginCell,
  loadCurrencyCollection,
  loadOutList,
  loadShardAccount,
  storeMessage,
  storeShardAccount,
} from '@ton/core';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { codeMethods } from '../../../src/toolkit/contracts/abi/codeMethods';
import { readLightCell as readLightBoc } from '../../../src/toolkit/cell/light/lightCell';
import { loadAnyMessage, loadFolded } from '../../../src/toolkit/cell/loadFolded';
import { readDictionary, readTokenContent } from '../../../src/toolkit/cell/tokenContent';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { LayoutSet, StructLayout } from '../../../src/toolkit/contracts/layouts/layoutSet';
import { decodeByLayout } from '../../../src/toolkit/contracts/layouts/decodeByLayout';
import { fittingLayout } from '../../../src/toolkit/contracts/layouts/fittingLayout';
import { WorkBudget, limits } from '../../../src/toolkit/base/limits';
import { contractMethods } from '../../../src/toolkit/localnet/chain/contractMethods';
import { readDnsRecords } from '../../../src/toolkit/localnet/dns/dnsRecords';
import { encodeLegacyStack } from '../../../src/toolkit/localnet/v2/v2RunGetMethod';
import { decodeSigned } from '../../../src/toolkit/contracts/opcodes/decodedBody';
import { decodeStructure } from '../../../src/toolkit/contracts/opcodes/decodeStructure';
import { readTyped } from '../../../src/toolkit/contracts/layouts/readTyped';
import { dictionaryBomb, foldedTree, quickly } from '../../support/hostile';

const isOverLimit = (error: unknown): boolean => WorkbenchError.is(error, 'over-limit');

describe('hostile cells: dictionaries with more entries than cells', () => {
  it('are read like in @ton/core as long as they are realistic', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 267 }),
        fc.array(fc.bigInt({ min: 0n, max: (1n << 267n) - 1n }), { maxLength: 60 }),
        (bits, keys) => {
          const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(bits), Dictionary.Values.Uint(16));
          keys.forEach((key, index) => dictionary.set(BigInt.asUintN(bits, key), index));
          if (dictionary.size === 0) {
            return;
          }
          const cell = beginCell().storeDictDirect(dictionary).endCell();
          const read: [bigint, number][] = [];
          readDictionary(cell, bits, new WorkBudget('dictionaryCells'), (key, value) =>
            read.push([key, value.loadUint(16)]),
          );
          assert.deepEqual(
            read,
            [...dictionary].sort(([a], [b]) => (a < b ? -1 : 1)),
          );
        },
      ),
    );
  });

  it('end at the limit, however they are read', () => {
    for (const depth of [18, 60, 250]) {
      const bomb = dictionaryBomb(256, depth);
      assert.throws(
        () => quickly(() => readDictionary(bomb, 256, new WorkBudget('dictionaryCells'), () => undefined)),
        isOverLimit,
      );
      assert.deepEqual(
        quickly(() => readDnsRecords(bomb)),
        [],
      );
      const content = readTokenContentOf(bomb);
      assert.equal(content.isCut, true);
      assert.equal(content.layout, 'onchain');
      const map = {
        kind: 'map',
        key: { kind: 'int', bits: 256, signed: false },
        value: { kind: 'cell' },
      } as const;
      assert.equal(quickly(() => readTyped([{ type: 'cell', cell: bomb }], map))?.kind, 'plain');
    }
  });

  it('keep the attributes before the limit, and share it among long texts', () => {
    const long = Array.from({ length: 1000 }).reduce<Cell>(
      (next) => beginCell().storeBuffer(Buffer.alloc(120, 0x61)).storeRef(next).endCell(),
      beginCell().endCell(),
    );
    const { attributes, isCut } = readTokenContentOf(dictionaryBomb(256, 20, long));
    assert.equal(isCut, true);
    assert.ok(Object.keys(attributes).length <= limits.tokenContent.most / 1000);
  });

  it('end when read as dispatchers of code', () => {
    const code = beginCell()
      .storeBuffer(Buffer.from('ff00f4a413', 'hex'))
      .storeRef(dictionaryBomb(19, 19))
      .endCell();
    assert.equal(
      quickly(() => codeMethods(code)),
      undefined,
    );
    assert.equal(
      quickly(() => contractMethods(readLightBoc(code.toBoc()))),
      null,
    );
  });

  it('end inside messages, state inits, and signed requests', () => {
    const extraCurrencies = dictionaryBomb(32, 32, beginCell().endCell());
    const message = beginCell()
      .storeUint(0b0110, 4)
      .storeAddress(new Address(0, Buffer.alloc(32)))
      .storeAddress(new Address(0, Buffer.alloc(32, 1)))
      .storeCoins(1n)
      .storeMaybeRef(extraCurrencies)
      .storeCoins(0n)
      .storeCoins(0n)
      .storeUint(0, 64 + 32)
      .storeUint(0, 2)
      .endCell();
    assert.equal(
      quickly(() => loadAnyMessage(message)),
      undefined,
    );
    quickly(() => decodeStructure(message));
    const init = beginCell().storeUint(0b00111, 5);
    [Cell.EMPTY, Cell.EMPTY, dictionaryBomb(256, 200)].forEach((cell) => init.storeRef(cell));
    quickly(() => decodeStructure(init.endCell()));
    const highload = beginCell()
      .storeBuffer(Buffer.alloc(64))
      .storeUint(0, 32 + 64)
      .storeMaybeRef(dictionaryBomb(16, 16))
      .endCell();
    quickly(() => decodeSigned(highload, []));
  });

  it('are distinguished from real messages with large bodies', () => {
    let body = beginCell().storeUint(0, 32).endCell();
    for (let i = 0; i < 900; i++) {
      const leaf = beginCell().storeUint(i, 32).endCell();
      body = beginCell().storeUint(i, 32).storeRef(body).storeRef(leaf).storeRef(leaf).endCell();
    }
    const message = beginCell()
      .store(
        storeMessage({
          info: {
            type: 'external-in',
            dest: new Address(0, Buffer.alloc(32)),
            importFee: 0n,
          },
          body,
        }),
      )
      .endCell();
    assert.notEqual(loadAnyMessage(message), undefined);
  });

  it('are no reason to refuse a body, code or data: those are not unfolded, however folded they are', () => {
    const folded = foldedTree(200);
    const address = new Address(0, Buffer.alloc(32));
    const message = beginCell()
      .store(
        storeMessage({
          info: { type: 'external-in', dest: address, importFee: 0n },
          init: { code: folded, data: folded },
          body: folded,
        }),
      )
      .endCell();
    assert.equal(quickly(() => loadAnyMessage(message))?.body.equals(folded), true);
    const account = beginCell()
      .store(
        storeShardAccount({
          account: {
            addr: address,
            storageStats: {
              used: { cells: 1n, bits: 1n },
              storageExtra: null,
              lastPaid: 0,
              duePayment: null,
            },
            storage: {
              lastTransLt: 0n,
              balance: { coins: 1n },
              state: { type: 'active', state: { code: folded, data: folded } },
            },
          },
          lastTransactionHash: 0n,
          lastTransactionLt: 0n,
        }),
      )
      .endCell();
    const { account: loaded } = quickly(() => loadFolded(account, loadShardAccount));
    assert.equal(loaded?.storage.state.type, 'active');
  });

  it('are unfolded only to the limit, in every place where a loader unfolds them', () => {
    // Every id of 32 bits, with no amount.
    const bomb = Array.from({ length: 32 }).reduce<Cell>(
      (below) => beginCell().storeUint(0b00, 2).storeRef(below).storeRef(below).endCell(),
      beginCell()
        .storeUint(0b00, 2 + 5)
        .endCell(),
    );
    const currencies = beginCell().storeCoins(1n).storeMaybeRef(bomb).endCell();
    assert.throws(() => quickly(() => loadFolded(currencies, loadCurrencyCollection)), isOverLimit);
    // In a list of actions, in the message of one.
    const action = (list: Cell): Cell =>
      beginCell()
        .storeRef(list)
        .storeUint(0x36e6b809, 32)
        .storeUint(0, 8)
        .storeSlice(currencies.beginParse())
        .endCell();
    assert.throws(() => quickly(() => loadFolded(action(Cell.EMPTY), loadOutList)), isOverLimit);
    // Real ones are larger than the limit, and hardly repeat their cells.
    const large = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
    for (let id = 0; id < limits.unfoldedCells.most; id += 1) {
      large.set(id, BigInt(id));
    }
    const honest = beginCell().storeCoins(1n).storeDict(large).endCell();
    assert.equal(loadFolded(honest, loadCurrencyCollection).other?.size, large.size);
  });
});

describe('hostile cells: layouts', () => {
  const prefix = { value: 0n, bits: 16 };
  const twice: StructLayout = {
    name: 'Twice',
    prefix,
    cells: [
      [0, 1, 2, 3].map((place) => ({
        name: `ref${place}`,
        type: {
          kind: 'cell' as const,
          inner: { kind: 'maybe' as const, inner: { kind: 'struct' as const, key: 'T' } },
        },
      })),
    ],
    isStorage: false,
    isMessage: true,
  };
  const set: LayoutSet = { origin: 'a.abi', contract: undefined, structs: new Map([['T', twice]]) };

  it('of structs that contain themselves end at the limit and say so', () => {
    // A `maybe` that holds something, then the struct's prefix.
    let cell = beginCell().storeUint(0, 1).endCell();
    for (let level = 0; level < 8; level++) {
      const builder = beginCell();
      (level === 7 ? builder : builder.storeBit(true)).storeUint(0, 16);
      [0, 1, 2, 3].forEach(() => builder.storeRef(cell));
      cell = builder.endCell();
    }
    const body = quickly(() => decodeByLayout(cell, twice, set));
    assert.equal(body.broken, true);
    const last = body.fields.at(-1)?.value;
    assert.match(last?.type === 'text' ? last.value : '', /more than 50,000 fields/);
    assert.equal(
      quickly(() => fittingLayout(cell, [set])),
      undefined,
    );
  });
});

describe('hostile cells: written as objects by the local network', () => {
  it('up to the limit, saying what is left out', () => {
    const answer = quickly(() => JSON.stringify(encodeLegacyStack([{ type: 'cell', cell: foldedTree(30) }])));
    assert.ok(answer.length < 4_000_000, String(answer.length));
    assert.ok(answer.split('"b64"').length - 1 <= limits.stackObjectCells.most);
    assert.match(answer, /"left_out":"left out: an answer has at most 10000 cells/);
  });

  it('completely if they are realistic', () => {
    const answer = JSON.stringify(encodeLegacyStack([{ type: 'cell', cell: foldedTree(4) }]));
    assert.equal(answer.split('"b64"').length - 1, (4 ** 5 - 1) / 3);
    assert.ok(!answer.includes('left_out'));
  });
});

function readTokenContentOf(dictionary: Cell): ReturnType<typeof readTokenContent> {
  return quickly(() => readTokenContent(beginCell().storeUint(0, 8).storeMaybeRef(dictionary).endCell()));
}
