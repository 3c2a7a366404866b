import { Address, Cell, SendMode, beginCell, internal, toNano } from '@ton/core';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import assert from 'node:assert/strict';
import type { Access } from '../../../src/toolkit/access/createAccess';
import type { ComposedMessage } from '../../../src/toolkit/send/prepareComposed';
import { prepareComposed, signComposed } from '../../../src/toolkit/send/prepareComposed';
import { absentAccount } from '../../../src/toolkit/execution/emulator/emulator';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import { mineWith, testChain } from '../localnet/support/testChain';

const to = new Address(0, Buffer.alloc(32, 9));
const composed: ComposedMessage = {
  sender: { kind: 'wallet', name: 'alice' },
  to,
  value: toNano('1.5'),
  bounce: false,
  body: beginCell().storeUint(7, 32).storeRef(Cell.EMPTY).endCell(),
  init: { code: beginCell().storeUint(1, 8).endCell(), data: Cell.EMPTY },
};

describe('signComposed', () => {
  for (const account of namedAccounts.slice(0, 2)) {
    it(`signs like @ton/ton for a wallet ${account.kind}, and the wallet accepts it`, async () => {
      const chain = await testChain();
      const state = chain.ledger.accounts.get(account.address)!.current;
      const message = signComposed(composed, account, state);
      const publicKey = Buffer.from(account.publicKey, 'hex');
      const { value, bounce, body, init } = composed;
      const settings = {
        seqno: 0,
        secretKey: Buffer.from(account.secretKey, 'hex'),
        timeout: 0xffffffff,
        sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
        messages: [internal({ to, value, bounce, body, init: init! })],
      };
      const expected =
        account.kind === 'v5r1'
          ? WalletContractV5R1.create({ publicKey }).createTransfer(settings)
          : WalletContractV4.create({ workchain: 0, publicKey }).createTransfer(settings);
      assert.ok(message.body.equals(expected), 'the same request, bit for bit');
      const block = await mineWith(chain, message.cell.toBoc());
      assert.equal(block.transactions.length, 2);
      const received = chain.ledger.accounts.get(`0:${'09'.repeat(32)}`)!;
      assert.equal(received.facts.balance > toNano('1.4'), true);
    });
  }

  it('refuses an account that is not the wallet of its key', () => {
    const [alice] = namedAccounts;
    assert.throws(() => signComposed(composed, alice!, absentAccount), { code: 'wallet-not-usable' });
  });

  it('is only done on local networks, which is checked before any request', async () => {
    for (const kind of ['mainnet', 'testnet', 'custom'] as const) {
      // An access that cannot answer: a question to it would be another error.
      const access = { network: { name: 'Real', kind } } as Access;
      for (const sender of [composed.sender, { kind: 'contract', address: to } as const]) {
        await assert.rejects(prepareComposed(access, { ...composed, sender }, namedAccounts), {
          code: 'compose-local-only',
        });
      }
    }
  });
});
