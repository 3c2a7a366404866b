import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { networkHere } from '../../../src/cli/networkHere';
import { systemProcesses } from '../../../src/toolkit/base/journal/processMark';
import { writeLocalNetworkFile } from '../../../src/toolkit/localnet/folder/localNetworkFile';

describe('cli: which network is local', () => {
  let folder: string;
  const v2Of = (name: string, environment: NodeJS.ProcessEnv = {}): string | undefined =>
    networkHere(name, { environment, folder }).network.v2;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'tonwb-here-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  it("is the terminal's, else the folder's, else the default one", () => {
    assert.equal(v2Of('local'), 'http://127.0.0.1:8081/api/v2');
    writeLocalNetworkFile(folder, { v2: 'http://127.0.0.1:5/api/v2', v3: 'http://127.0.0.1:5/api/v3' });
    assert.equal(v2Of('Local'), 'http://127.0.0.1:5/api/v2');
    const environment = { TON_LOCAL_V3: 'http://127.0.0.1:6/api/v3' };
    const { network } = networkHere('local', { environment, folder });
    assert.deepEqual(
      [network.name, network.kind, network.v2, network.v3],
      ['Local', 'local', 'http://127.0.0.1:6/api/v2', 'http://127.0.0.1:6/api/v3'],
    );
  });

  it("is the folder's also after it crashed, unless one runs in a folder around it", () => {
    const urlsAt = (port: number): { v2: string; v3: string } => ({
      v2: `http://127.0.0.1:${port}/api/v2`,
      v3: `http://127.0.0.1:${port}/api/v3`,
    });
    const gone = { pid: 1, started: 'once', machine: systemProcesses.self().machine };
    const below = path.join(folder, 'below');
    fs.mkdirSync(below);
    writeLocalNetworkFile(below, urlsAt(7), { self: () => gone, state: () => 'gone' });
    assert.equal(networkHere('local', { environment: {}, folder: below }).network.v2, urlsAt(7).v2);
    writeLocalNetworkFile(folder, urlsAt(5));
    assert.equal(networkHere('local', { environment: {}, folder: below }).network.v2, urlsAt(5).v2);
  });

  it('changes nothing for the other networks', () => {
    const environment = { TON_LOCAL_V2: 'http://127.0.0.1:6/api/v2' };
    assert.equal(v2Of('testnet', environment), 'https://testnet.toncenter.com/api/v2');
    assert.equal(v2Of('http://127.0.0.1:8081', environment), 'http://127.0.0.1:8081/api/v2');
  });

  it('says what is wrong with a URL in the environment', () => {
    assert.throws(() => v2Of('local', { TON_LOCAL_V2: 'somewhere' }), { code: 'network-unknown' });
  });

  it('needs the own networks only for a name of theirs', () => {
    const v2 = 'http://10.0.0.7/api/v2';
    fs.writeFileSync(path.join(folder, 'networks.json'), JSON.stringify([{ name: 'stand', v2 }]));
    assert.equal(v2Of('Stand', { TON_NETWORKS: 'networks.json' }), v2);
    for (const TON_NETWORKS of ['none.json', '[{"name": "stand"}]']) {
      const environment = { TON_NETWORKS };
      assert.equal(v2Of('testnet', environment), 'https://testnet.toncenter.com/api/v2');
      assert.equal(v2Of('http://127.0.0.1:9/api/v3', environment), 'http://127.0.0.1:9/api/v2');
      assert.throws(() => v2Of('stand', environment), { code: 'network-unknown', message: /TON_NETWORKS/ });
    }
  });
});
