import assert from 'node:assert/strict';
import { networkOfLink } from '../../../src/toolkit/access/networkOfLink';
import { configuredNetworks } from '../../../src/toolkit/access/resolveNetwork';
import type { Network } from '../../../src/toolkit/access/network';

const hash = 'ab'.repeat(32);
const staging: Network = {
  name: 'Staging',
  kind: 'custom',
  v3: 'https://ton.example.com/api/v3',
  explorer: 'https://scan.example.com',
  globalId: -3,
};
const networks = [...configuredNetworks, staging];
const nameOf = (link: string): string | undefined => networkOfLink(link, networks)?.network?.name;

describe('the network of a link', () => {
  it('is that of the explorer or the API that it is of', () => {
    for (const [link, name] of [
      [`https://tonviewer.com/transaction/${hash}`, 'Mainnet'],
      [` https://testnet.tonviewer.com/transaction/${hash}\n`, 'Testnet'],
      [`https://tonscan.org/tx/${hash}`, 'Mainnet'],
      [`https://testnet.tonscan.org/tx/${hash}`, 'Testnet'],
      [`https://toncenter.com/api/v3/traces?tx_hash=${hash}`, 'Mainnet'],
      [`https://testnet.toncenter.com/api/v3/traces?tx_hash=${hash}`, 'Testnet'],
      [`https://test-explorer.toncoin.org/transaction?hash=${hash}`, 'Testnet'],
      [`https://explorer.toncoin.org/transaction?hash=${hash}`, 'Mainnet'],
      [`https://retracer.ton.org/?tx=${hash}&testnet=true`, 'Testnet'],
      [`https://retracer.ton.org/?tx=${hash}&testnet=false`, 'Mainnet'],
      [`https://testnet.tonapi.io/v2/traces/${hash}`, 'Testnet'],
      [`http://127.0.0.1:8081/api/v3/traces?tx_hash=${hash}`, 'Local'],
      [`https://ton.example.com/api/v3/traces?tx_hash=${hash}`, 'Staging'],
      [`https://scan.example.com/tx/${hash}`, 'Staging'],
    ] as const) {
      assert.equal(nameOf(link), name, link);
    }
  });

  it('is not guessed for another host, and not there without one', () => {
    assert.deepEqual(networkOfLink(`https://tonviewer.com.evil.example:444/tx/${hash}`, networks), {
      host: 'tonviewer.com.evil.example:444',
      origin: 'https://tonviewer.com.evil.example:444',
      network: undefined,
    });
    for (const text of [hash, 'alice', `ton://transfer/0:${hash}`, 'https://', '']) {
      assert.equal(networkOfLink(text, networks), undefined, text);
    }
  });
});
