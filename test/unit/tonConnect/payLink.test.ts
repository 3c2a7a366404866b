import { Address } from '@ton/core';
import assert from 'node:assert/strict';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import type { ExternalMessage } from '../../../src/toolkit/send/externalMessage';
import { startTestWallet } from '../../../src/toolkit/tonConnect/startTestWallet';
import type { RunningTestWallet } from '../../../src/toolkit/tonConnect/startTestWallet';
import type { WalletAnswer } from '../../../src/toolkit/tonConnect/walletBook';
import { testChain } from '../localnet/support/testChain';
import { FakeDApp } from './support/fakeDApp';
import { fakeNetwork } from './support/fakeNetwork';
import type { FakeNetwork } from './support/fakeNetwork';

const address = Address.parse(namedAccounts[1]!.address).toString({ bounceable: false });
const link = `ton://transfer/${address}?amount=5`;

describe('a link that the test wallet pays', function () {
  this.timeout(60_000);
  let chain: LocalChain;
  let network: FakeNetwork;
  let running: RunningTestWallet;
  /** Seqnos of what was handed over, in order. */
  let seqnos: (number | undefined)[];
  /** Hands the messages that wait over. */
  let release: () => void;

  beforeEach(async () => {
    chain = await testChain();
    network = fakeNetwork(chain);
    seqnos = [];
    const send = network.send.bind(network);
    const gate = new Promise<void>((resolve) => (release = resolve));
    network.send = async (message: ExternalMessage, signal) => {
      seqnos.push(message.signed?.seqno);
      await gate;
      return send(message, signal);
    };
    running = await startTestWallet({ network, approval: 'all', port: 0, version: '1.2.3' });
  });
  afterEach(() => running.close());

  it('does not sign the seqno of a payment that is on its way', async () => {
    const dApp = new FakeDApp();
    dApp.listen(running.wallet);
    const answered = (): Promise<WalletAnswer> =>
      new Promise((resolve) => {
        const stop = running.wallet.onEvent((event) => {
          if (event.type === 'answer') {
            stop();
            resolve(event.answer);
          }
        });
      });
    const connected = answered();
    await dApp.connect(running.wallet);
    await connected;
    const paid = answered();
    const messages = [{ address, amount: '7' }];
    dApp.send(running.wallet, 'sendTransaction', { network: '-239', messages });
    const hashes = [running.wallet.payLink(link), running.wallet.payLink(link)];
    release();
    const all = [(await paid).hash, ...(await Promise.all(hashes))];
    assert.equal(new Set(all).size, 3);
    assert.deepEqual(seqnos, [0, 1, 2]);
    const received = chain.ledger.transactions.filter(
      ({ account }) => account.address === namedAccounts[1]!.address,
    );
    assert.equal(received.length, 3, 'each is executed');
  });
});
