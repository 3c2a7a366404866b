import assert from 'node:assert/strict';
import { beginCell, Cell, loadShardAccount, toNano } from '@ton/core';
import type { Account } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import fc from 'fast-check';
import { storageUsed } from '../../../src/toolkit/accounts/makeShardAccount';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import { sendAs } from '../../../src/toolkit/localnet/control/sendAs';
import { setAccount } from '../../../src/toolkit/localnet/control/accountCommands';
import { addressOf, testChain } from './support/testChain';

/** Sends everything back: its balance then takes fewer bytes, and nothing else changes. */
const router = `
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val back = createMessage({ bounce: false, value: 0, dest: in.senderAddress });
  back.send(SEND_MODE_CARRY_ALL_BALANCE);
}
fun onBouncedMessage(in: InMessageBounced) {}
`;

const bob = addressOf('bob');

function accountAt(chain: LocalChain, address: string): Account {
  const current = chain.ledger.accounts.get(address)?.current ?? '';
  const { account } = loadShardAccount(Cell.fromBase64(current).beginParse());
  assert.ok(account != null, `no account ${address}`);
  return account;
}

function checkUsed(chain: LocalChain, address: string): void {
  const { storage, storageStats } = accountAt(chain, address);
  assert.deepEqual(storageStats.used, storageUsed(storage));
}

describe('the storage that an account uses', () => {
  let code: Cell;
  before(async () => {
    const compiled = await runTolkCompiler({ entrypointFileName: 'a.tolk', fsReadCallback: () => router });
    assert.ok(compiled.status === 'ok', compiled.status === 'error' ? compiled.message : '');
    code = Cell.fromBase64(compiled.codeBoc64);
  });

  it('is right from the first block', async () => {
    const chain = await testChain();
    for (const { address } of chain.ledger.accounts.values()) {
      checkUsed(chain, address);
    }
  });

  /** Trees with up to some hundred cells, of which many are the same. */
  const tree = fc.letrec<{ cell: Cell }>((tie) => ({
    cell: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.integer({ min: 0, max: 7 }).map((value) => beginCell().storeUint(value, 3).endCell()),
      fc
        .tuple(fc.bigInt({ min: 0n, max: 2n ** 200n }), fc.array(tie('cell'), { maxLength: 4 }))
        .map(([value, refs]) =>
          refs.reduce((build, ref) => build.storeRef(ref), beginCell().storeUint(value, 201)).endCell(),
        ),
    ),
  })).cell;

  it('matches what the emulator counts after any edit, and coin transfers keep it so', async () => {
    const chain = await testChain();
    let number = 0;
    await fc.assert(
      fc.asyncProperty(
        tree,
        fc.bigInt({ min: 0n, max: 2n ** 70n }),
        fc.option(fc.bigInt({ min: 1n, max: 2n ** 100n })),
        fc.constantFrom('nothing', 'router'),
        fc.bigInt({ min: toNano('0.05'), max: toNano('1000') }),
        async (data, balance, currency, kind, value) => {
          number += 1;
          const address = `0:${number.toString(16).padStart(64, '0')}`;
          await setAccount(chain, {
            address,
            balance,
            extraCurrencies: currency === null ? undefined : new Map([[7, currency]]),
            ...(kind === 'router' ? { code, data } : {}),
          });
          await chain.mine();
          checkUsed(chain, address);
          for (const body of [Cell.EMPTY, beginCell().storeUint(1, 32).endCell()]) {
            await sendAs(chain, { from: bob, to: address, value, body });
            await chain.mine();
            assert.equal(chain.carried, 0);
            checkUsed(chain, address);
          }
          // A second edit: one field changes, what was counted before does not stay.
          await setAccount(chain, { address, balance: balance / 3n });
          await chain.mine();
          checkUsed(chain, address);
          await sendAs(chain, { from: bob, to: address, value });
          const transactions = chain.ledger.transactions.length;
          await chain.mine();
          assert.ok(chain.ledger.transactions.length > transactions, 'the message was executed');
          checkUsed(chain, address);
        },
      ),
      { numRuns: 40 },
    );
  });
});
