import assert from 'node:assert/strict';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { NetworkEntry } from '../../../src/toolkit/access/probeNetwork';
import { networkEntry, probeNetwork, readNetworkUrls } from '../../../src/toolkit/access/probeNetwork';
import { readNetworkSettings } from '../../../src/toolkit/access/network';
import type { Localnet } from '../../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../../src/toolkit/base/log';

describe('adding a network', () => {
  it('accepts an origin, the URL of one API, or those of both', () => {
    const both = { v2: 'https://a.example/api/v2', v3: 'https://a.example/api/v3' };
    assert.deepEqual(readNetworkUrls('https://a.example/'), { ...both, guessed: ['v2', 'v3'] });
    assert.deepEqual(readNetworkUrls(' https://a.example/api/v2/ '), { ...both, guessed: ['v3'] });
    assert.deepEqual(readNetworkUrls('https://b.example/x/v3, https://a.example/v2'), {
      v2: 'https://a.example/v2',
      v3: 'https://b.example/x/v3',
      guessed: [],
    });
    for (const text of [
      '',
      'a.example',
      'ftp://a.example',
      'https://me:secret@a.example',
      'https://a.example/v2?key=1',
      'https://a.example/rpc',
      'https://a.example/v2 https://b.example/v2',
      'https://a.example/v2 https://b.example/v3 https://c.example',
    ]) {
      assert.throws(() => readNetworkUrls(text), { code: 'network-unknown' }, text);
    }
  });

  describe('with a service that answers', () => {
    let local: Localnet;
    before(async () => (local = await startLocalnet({ port: 0, log: silentLog })));
    after(() => local.close());

    const entryAt = async (url: string): Promise<NetworkEntry> => {
      const urls = readNetworkUrls(url);
      const network = { name: 'Mine', kind: 'custom', globalId: -3, v2: urls.v2, v3: urls.v3 } as const;
      return networkEntry('Mine', urls, await probeNetwork(createAccess({ network })));
    };

    it('keeps the APIs that answer, with the global id in their blocks', async () => {
      const { v2, v3 } = local;
      assert.deepEqual(await entryAt(new URL(v2).origin), { name: 'Mine', v2, v3, globalId: -239 });
    });

    it('asks v2 for the global id if v3 does not answer, and drops an assumed API', async () => {
      const { v2 } = local;
      const network = { name: 'Mine', kind: 'custom', globalId: -3, v2 } as const;
      const probe = await probeNetwork(createAccess({ network }));
      const entry = networkEntry('Mine', { v2, v3: 'http://127.0.0.1:9/v3', guessed: ['v3'] }, probe);
      assert.deepEqual(entry, { name: 'Mine', v2, globalId: -239 });
      assert.deepEqual(readNetworkSettings([entry], []).problems, []);
    });

    it('keeps a given URL even if it does not answer now', async () => {
      const entry = await entryAt(`${local.v2} http://127.0.0.1:9/v3`);
      assert.equal(entry.v3, 'http://127.0.0.1:9/v3');
    });
  });
});
