import assert from 'node:assert/strict';
import { localNetworkWords } from '../../../src/toolkit/localnet/localNetworkWords';

describe('the words for a running local network', () => {
  it('say which network it was forked from, and how far its clock is ahead', () => {
    const fork = { network: 'Mainnet' };
    const days = 86_400;
    assert.equal(localNetworkWords({ ahead: 0 }), '');
    assert.equal(localNetworkWords({ ahead: 0, fork }), '(fork of Mainnet)');
    assert.equal(localNetworkWords({ ahead: 30 * days, fork }), '(fork of Mainnet, +30 d)');
    assert.deepEqual(
      [0.5, 59, 60, 3599, 3600, days - 1, days].map((ahead) => localNetworkWords({ ahead })),
      ['', '(+59 s)', '(+1 min)', '(+59 min)', '(+1 h)', '(+23 h)', '(+1 d)'],
    );
  });
});
