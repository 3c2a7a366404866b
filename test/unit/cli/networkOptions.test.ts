import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readApiKey } from '../../../src/cli/networkOptions';
import { resolveNetwork } from '../../../src/toolkit/access/resolveNetwork';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { ErrorCode } from '../../../src/toolkit/base/errorCodes';

const withCode =
  (code: ErrorCode) =>
  (error: unknown): boolean =>
    WorkbenchError.is(error, code) && error.kind === 'input';

describe('cli: resolveNetwork', () => {
  it('accepts the names in any case', () => {
    assert.equal(resolveNetwork('MAINNET').network.v3, 'https://toncenter.com/api/v3');
    assert.equal(resolveNetwork('Testnet').network.kind, 'testnet');
    assert.equal(resolveNetwork('local').network.v2, 'http://127.0.0.1:8081/api/v2');
  });

  it('uses an origin for both APIs and prefers neither', () => {
    const { network, preferredApi } = resolveNetwork('http://127.0.0.1:4000/');
    assert.deepEqual(
      [network.v2, network.v3],
      ['http://127.0.0.1:4000/api/v2', 'http://127.0.0.1:4000/api/v3'],
    );
    assert.equal(network.kind, 'local');
    assert.equal(preferredApi, undefined);
  });

  it('uses a URL for one API, prefers that API, and assumes the other next to it', () => {
    const choice = resolveNetwork('https://node.example/ton/api/v2/');
    assert.equal(choice.preferredApi, 'v2');
    assert.equal(choice.network.v3, 'https://node.example/ton/api/v3');
    assert.equal(choice.network.kind, 'custom');
  });

  it('recognizes a public network by its URL', () => {
    assert.equal(resolveNetwork('https://toncenter.com').network.kind, 'mainnet');
    assert.equal(resolveNetwork('https://testnet.toncenter.com/api/v3').network.kind, 'testnet');
  });

  for (const text of [
    'moonnet',
    'ftp://a/api/v2',
    'http://host/other',
    'https://me:pw@host/api/v2',
    'http://host/api/v2?api_key=1',
    '',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(() => resolveNetwork(text), withCode('network-unknown'));
    });
  }
});

describe('cli: readApiKey', () => {
  const mainnet = resolveNetwork('mainnet').network;

  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-key-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('prefers the file to the variable', async () => {
    const file = path.join(folder, 'key');
    await writeFile(file, 'from-file\n');
    assert.equal(await readApiKey(mainnet, file, { TON_API_KEY: 'from-variable' }), 'from-file');
    assert.equal(await readApiKey(mainnet, undefined, { TON_API_KEY: 'from-variable' }), 'from-variable');
    assert.equal(await readApiKey(mainnet, undefined, {}), undefined);
  });

  it("does not send the variable's key to this machine, unless the key is given in a file", async () => {
    const file = path.join(folder, 'own-key');
    await writeFile(file, 'from-file\n');
    for (const place of [
      'local',
      'http://127.0.0.1:4000',
      'http://localhost:8081/api/v3',
      'http://[::1]:1',
    ]) {
      const { network } = resolveNetwork(place);
      assert.equal(await readApiKey(network, undefined, { TON_API_KEY: 'from-variable' }), undefined, place);
      assert.equal(await readApiKey(network, file, { TON_API_KEY: 'from-variable' }), 'from-file', place);
    }
    const { network } = resolveNetwork('https://service.example');
    assert.equal(await readApiKey(network, undefined, { TON_API_KEY: 'from-variable' }), 'from-variable');
  });

  it('refuses a file that is missing or contains something else', async () => {
    await assert.rejects(
      readApiKey(mainnet, path.join(folder, 'none'), {}),
      withCode('api-key-file-unreadable'),
    );
    await writeFile(path.join(folder, 'two'), 'two words');
    await assert.rejects(
      readApiKey(mainnet, path.join(folder, 'two'), {}),
      withCode('api-key-file-unreadable'),
    );
  });
});
