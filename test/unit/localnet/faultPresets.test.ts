import assert from 'node:assert/strict';
import { callControl } from '../../../src/toolkit/localnet/callControl';
import { readFaults } from '../../../src/toolkit/localnet/control/controlCommands';
import type { LocalnetStatus } from '../../../src/toolkit/localnet/control/localnetStatus';
import { describeFaults, faultPresets, noFaults } from '../../../src/toolkit/localnet/faults/faults';
import { startLocalnet } from '../../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../../src/toolkit/base/log';

describe('faults of the local network by name', () => {
  it('are all read by the control command, and described', () => {
    for (const { faults } of faultPresets) {
      assert.deepEqual(readFaults({ ...faults }), faults);
    }
    assert.deepEqual(
      faultPresets.map(({ faults }) => describeFaults(faults)),
      [
        '1 request a second',
        '100 % fail (429)',
        '3 s slower',
        '33 % fail (500, 503, html, cut)',
        '100 % fail (503)',
      ],
    );
    assert.equal(describeFaults(noFaults), 'as usual');
    assert.equal(describeFaults({ ...noFaults, keys: ['a'] }), 'an API key is needed');
  });

  it('are in the status while they last', async () => {
    const localnet = await startLocalnet({ port: 0, log: silentLog });
    try {
      const told = (fits: (status: LocalnetStatus) => boolean): Promise<void> =>
        new Promise((resolve) => {
          const stop = localnet.onStatus((status) => {
            if (fits(status)) {
              stop();
              resolve();
            }
          });
        });
      assert.equal(localnet.status().faults, undefined);
      const [{ faults }] = faultPresets as [(typeof faultPresets)[number]];
      const misbehaves = told((status) => status.faults?.requestsPerSecond === 1);
      await callControl(localnet.control, 'faults', faults);
      await misbehaves;
      assert.equal((await callControl(localnet.control, 'status', {})).faults?.requestsPerSecond, 1);
      const behaves = told((status) => status.faults === undefined);
      await callControl(localnet.control, 'faults', {});
      await behaves;
    } finally {
      await localnet.close();
    }
  });
});
