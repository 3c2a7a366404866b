import type { Account, AccountState } from '@ton/core';
import {
  Address,
  BitString,
  Cell,
  Dictionary,
  ExternalAddress,
  beginCell,
  storeAccount,
  storeMessage,
  storeMessageRelaxed,
  storeTransaction,
} from '@ton/core';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { bodyLines } from '../../../src/toolkit/contracts/opcodes/bodyLines';
import { decodeBodyCell } from '../../../src/toolkit/contracts/opcodes/decodeBody';
import type { BodyValue, DecodedBody } from '../../../src/toolkit/contracts/opcodes/decodedBody';
import { decodeStructure } from '../../../src/toolkit/contracts/opcodes/decodeStructure';
import { sampleTransaction } from '../cell/support/sampleTransaction';

const seed = 20_251_027;
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
const address = fc
  .tuple(fc.constantFrom(0, 0, 0, -1), bytes32)
  .map(([workchain, hash]) => new Address(workchain, hash));
const amount = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.constant(0n));
const lt = fc.bigInt({ min: 1n, max: 2n ** 50n });
const time = fc.integer({ min: 1_573_900_000, max: 2_000_000_000 });
const leaf = fc
  .uint8Array({ maxLength: 120 })
  .map((bytes) => beginCell().storeBuffer(Buffer.from(bytes)).endCell());

const state: fc.Arbitrary<AccountState> = fc.oneof(
  fc.constant({ type: 'uninit' as const }),
  bytes32.map((hash) => ({ type: 'frozen' as const, stateHash: BigInt(`0x${hash.toString('hex')}`) })),
  fc.tuple(leaf, leaf).map(([code, data]) => ({ type: 'active' as const, state: { code, data } })),
);
const account: fc.Arbitrary<Account> = fc
  .record({
    address,
    state,
    amount,
    lt,
    time,
    debt: fc.option(amount),
    cells: fc.bigInt({ min: 1n, max: 9999n }),
  })
  .map((given) => ({
    addr: given.address,
    storageStats: {
      used: { cells: given.cells, bits: given.cells * 300n },
      storageExtra: null,
      lastPaid: given.time,
      duePayment: given.debt,
    },
    storage: { lastTransLt: given.lt, balance: { coins: given.amount }, state: given.state },
  }));

function accountCell(value: Account): Cell {
  return beginCell().storeBit(1).store(storeAccount(value)).endCell();
}

function valueOf(body: DecodedBody | undefined, name: string): BodyValue | undefined {
  return body?.fields.find((field) => field.name === name)?.value;
}

describe('recognizing a cell', () => {
  it('an account is an account, in any state and workchain, with any amounts', () => {
    fc.assert(
      fc.property(account, (value) => {
        const decoded = decodeStructure(accountCell(value));
        assert.equal(decoded?.name, 'account');
        assert.deepEqual(valueOf(decoded, 'address'), { type: 'address', value: value.addr.toRawString() });
        assert.deepEqual(valueOf(decoded, 'balance'), { type: 'coins', value: value.storage.balance.coins });
        assert.deepEqual(valueOf(decoded, 'status'), { type: 'text', value: value.storage.state.type });
      }),
      { seed, numRuns: 300 },
    );
  });

  it('a shard account is one, even that of an account that does not exist', () => {
    fc.assert(
      fc.property(account, bytes32, lt, (value, hash, last) => {
        const shard = beginCell()
          .storeRef(accountCell(value))
          .storeBuffer(hash)
          .storeUint(last, 64)
          .endCell();
        const decoded = decodeStructure(shard);
        assert.equal(decoded?.name, 'shard_account');
        const inner = valueOf(decoded, 'account');
        assert.equal(inner?.type === 'body' ? inner.value.name : undefined, 'account');
        assert.deepEqual(valueOf(decoded, 'last_transaction_lt'), { type: 'int', value: last });
      }),
      { seed, numRuns: 100 },
    );
    const none = beginCell().storeRef(beginCell().storeBit(0).endCell()).storeUint(0, 320).endCell();
    const inner = valueOf(decodeStructure(none), 'account');
    assert.deepEqual(inner?.type === 'body' ? valueOf(inner.value, 'status') : undefined, {
      type: 'text',
      value: 'nonexist',
    });
  });

  it('a message is a message of its kind, as sent or as a contract creates it', () => {
    const body = leaf;
    const internal = fc
      .record({
        src: address,
        dest: address,
        amount,
        lt,
        time,
        body,
        flags: fc.tuple(fc.boolean(), fc.boolean()),
      })
      .map((m) => ({
        name: 'internal_message',
        cell: beginCell()
          .store(
            storeMessage({
              info: {
                type: 'internal',
                ihrDisabled: true,
                bounce: m.flags[0],
                bounced: m.flags[1],
                src: m.src,
                dest: m.dest,
                value: { coins: m.amount },
                ihrFee: 0n,
                forwardFee: m.amount / 7n,
                createdLt: m.lt,
                createdAt: m.time,
              },
              body: m.body,
            }),
          )
          .endCell(),
      }));
    const unsent = fc.record({ dest: address, amount, body }).map((m) => ({
      name: 'internal_message',
      cell: beginCell()
        .store(
          storeMessageRelaxed({
            info: {
              type: 'internal',
              ihrDisabled: true,
              bounce: true,
              bounced: false,
              dest: m.dest,
              value: { coins: m.amount },
              ihrFee: 0n,
              forwardFee: 0n,
              createdLt: 0n,
              createdAt: 0,
            },
            body: m.body,
          }),
        )
        .endCell(),
    }));
    const externalIn = fc.record({ dest: address, body }).map((m) => ({
      name: 'external_in_message',
      cell: beginCell()
        .store(storeMessage({ info: { type: 'external-in', dest: m.dest, importFee: 0n }, body: m.body }))
        .endCell(),
    }));
    const log = fc
      .option(fc.bigInt({ min: 0n, max: 2n ** 128n }), { nil: undefined })
      .map((topic) => (topic === undefined ? undefined : new ExternalAddress(topic, 256)));
    const externalOut = fc.record({ src: address, log, lt, time, body }).map((m) => ({
      name: 'external_out_message',
      cell: beginCell()
        .store(
          storeMessage({
            info: { type: 'external-out', src: m.src, dest: m.log, createdLt: m.lt, createdAt: m.time },
            body: m.body,
          }),
        )
        .endCell(),
    }));
    const unsentLog = fc.record({ log, body }).map((m) => ({
      name: 'external_out_message',
      cell: beginCell()
        .store(
          storeMessageRelaxed({
            info: { type: 'external-out', dest: m.log, createdLt: 0n, createdAt: 0 },
            body: m.body,
          }),
        )
        .endCell(),
    }));
    fc.assert(
      fc.property(fc.oneof(internal, unsent, externalIn, externalOut, unsentLog), ({ name, cell }) => {
        assert.equal(decodeStructure(cell)?.name, name);
      }),
      { seed, numRuns: 500 },
    );
  });

  it('noise is nothing, even with the first bits of a message or an account', () => {
    const start = fc.constantFrom(
      '',
      '1',
      '11',
      '1100',
      '110000',
      '10',
      '1000',
      '0',
      '0000',
      '0111',
      '0'.repeat(32),
    );
    fc.assert(
      fc.property(
        start,
        fc.integer({ min: 0, max: 900 }),
        fc.noBias(fc.uint8Array({ minLength: 113, maxLength: 113 })),
        fc.array(leaf, { maxLength: 4 }),
        (prefix, length, data, refs) => {
          const builder = beginCell();
          for (const bit of prefix) {
            builder.storeBit(bit === '1');
          }
          builder.storeBits(new BitString(Buffer.from(data), 0, Math.max(100, length)));
          refs.forEach((ref) => builder.storeRef(ref));
          assert.equal(decodeStructure(builder.endCell())?.name, undefined);
        },
      ),
      { seed, numRuns: 2_000 },
    );
  });

  it('a transaction is one, with its messages and its results', () => {
    const decoded = decodeStructure(beginCell().store(storeTransaction(sampleTransaction)).endCell());
    assert.equal(decoded?.name, 'transaction');
    const account = `0:${'0'.repeat(63)}5`;
    assert.deepEqual(valueOf(decoded, 'account'), { type: 'address', value: account });
    assert.deepEqual(valueOf(decoded, 'compute_skipped'), { type: 'text', value: 'no-gas' });
    assert.deepEqual(valueOf(decoded, 'total_fees'), { type: 'coins', value: 1n });
    assert.deepEqual(valueOf(decoded, 'bounce'), { type: 'text', value: 'negative-funds' });
    const message = valueOf(decoded, 'in_message');
    assert.equal(message?.type === 'body' ? message.value.name : undefined, 'internal_message');
  });

  it('bits that are not text are not a comment, even after 32 zeros', () => {
    const data = beginCell().storeUint(0, 32).storeUint(698_983_191, 32).storeBuffer(Buffer.alloc(32, 0xc3));
    assert.equal(decodeStructure(data.endCell())?.name, undefined);
    const comment = beginCell().storeUint(0, 32).storeStringTail('café\nau lait').endCell();
    assert.equal(decodeStructure(comment)?.name, 'text_comment');
  });

  it('amounts of a jetton are never shown as coins', () => {
    const amounts = [0x0f8a7ea5, 0x178d4519, 0x7362d09c, 0x595f07bc, 0x7bdd97de].map((code) =>
      beginCell()
        .storeUint(code, 32)
        .storeUint(7, 64)
        .storeCoins(123_000_000_000n)
        .storeAddress(new Address(0, Buffer.alloc(32, 1)))
        .storeAddress(null)
        .storeBit(0)
        .storeCoins(1n)
        .storeBit(0)
        .endCell(),
    );
    for (const cell of amounts) {
      const body = decodeBodyCell(cell, {}, 0);
      assert.ok(body);
      assert.match(bodyLines(body).join('\n'), /amount +123 000 000 000 base units/, body.name);
    }
  });

  it('a message to a workchain that the network does not have is none', () => {
    const cell = beginCell()
      .store(
        storeMessage({
          info: { type: 'external-in', dest: new Address(77, Buffer.alloc(32, 3)), importFee: 0n },
          body: Cell.EMPTY,
        }),
      )
      .endCell();
    assert.equal(decodeStructure(cell)?.name, undefined);
  });

  it('a dictionary of libraries, or anything else in an account, does not make it a message', () => {
    const libraries = Dictionary.empty(Dictionary.Keys.BigUint(256), {
      serialize: (value: { public: boolean; root: Cell }, builder) =>
        builder.storeBit(value.public).storeRef(value.root),
      parse: (slice) => ({ public: slice.loadBit(), root: slice.loadRef() }),
    });
    const root = beginCell().storeUint(5, 8).endCell();
    libraries.set(BigInt(`0x${root.hash().toString('hex')}`), { public: true, root });
    const cell = accountCell({
      addr: new Address(0, Buffer.alloc(32, 9)),
      storageStats: { used: { cells: 3n, bits: 500n }, storageExtra: null, lastPaid: 1_700_000_000 },
      storage: {
        lastTransLt: 5n,
        balance: { coins: 1n },
        state: { type: 'active', state: { code: root, data: root, libraries } },
      },
    });
    assert.equal(decodeStructure(cell)?.name, 'account');
  });
});
