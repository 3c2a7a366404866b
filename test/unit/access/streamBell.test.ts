import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { networkAt } from '../../../src/toolkit/access/resolveNetwork';
import { StreamBell } from '../../../src/toolkit/access/streamBell';
import { SteppedClock } from '../../support/steppedClock';
import { until } from '../../support/until';

describe('a stream as a reason to look', () => {
  it('opens no connection any more once it is closed', async () => {
    let opened = 0;
    const clock = new SteppedClock();
    const origin = 'http://127.0.0.1:9';
    const access = createAccess({
      ...{ network: networkAt(origin, origin), clock },
      requestsPerSecond: () => undefined,
      streamTransport: () => {
        opened += 1;
        return new Promise(() => undefined);
      },
    });
    const bell = new StreamBell({ access, clock });
    const types = ['account_state_change'] as const;
    bell.listen({ types, addresses: ['a'] });
    await until(() => opened === 1, 'the connection');
    bell.listen({ types, addresses: ['a'] });
    bell.listen({ types, addresses: ['b'] });
    await until(() => opened === 2, 'the other connection');
    bell.close();
    bell.listen({ types, addresses: ['c'] });
    for (let turn = 0; turn < 20; turn += 1) {
      await nextTurn();
    }
    assert.equal(opened, 2);
  });
});
