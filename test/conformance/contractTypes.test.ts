import assert from 'node:assert/strict';
import { methodsOf } from '../../src/editor/contracts/contractTypes';
import type { Services } from '../../src/editor/services';
import { readProject } from '../../src/toolkit/abi/readProject';
import type { ProjectContract } from '../../src/toolkit/abi/projectContract';
import { createAccess } from '../../src/toolkit/access/createAccess';
import type { Access } from '../../src/toolkit/access/createAccess';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/log';

/** What a deployed contract's methods are, over the network. */
describe('the get-methods of a deployed contract', function () {
  this.timeout(60_000);
  let localnet: Localnet;
  let access: Access;

  before(async () => {
    localnet = await startLocalnet({ port: 0, log: silentLog });
    const { v2, v3 } = localnet;
    access = createAccess({ network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 } });
  });
  after(() => localnet.close());

  const services = (client: Access, files: ProjectContract[], chosen?: string): Services =>
    ({
      connections: { to: () => Promise.resolve(client) },
      project: { list: () => Promise.resolve(files), chosen: () => chosen },
    }) as unknown as Services;

  it('are those of the wallet that its code is, over either API', async () => {
    const [alice] = localnet.accounts;
    assert.ok(alice);
    const { v2 } = localnet;
    const onlyV2 = createAccess({ network: { name: 'V2', kind: 'custom', v2, globalId: -239 } });
    for (const client of [access, onlyV2]) {
      const found = await methodsOf(services(client, []), client.network, alice.address);
      assert.equal(found.name, 'wallet v5 r1');
      const seqno = found.methods.find(({ name }) => name === 'seqno');
      assert.deepEqual(seqno?.signature?.parameters, []);
      assert.equal(seqno.origin, 'known interface, wallet');
    }
  });

  it('are those of the source that the user has chosen', async () => {
    const files = await readProject([
      { path: 'contracts/my.tolk', text: 'get fun seqno(at: uint8): bool {} fun onInternalMessage() {}' },
    ]);
    const [, bob] = localnet.accounts;
    assert.ok(bob);
    const found = await methodsOf(services(access, files, 'my'), access.network, bob.address);
    const seqno = found.methods.find(({ name }) => name === 'seqno');
    assert.equal(seqno?.origin, 'Tolk source, contracts/my.tolk');
    assert.deepEqual(seqno.signature?.parameters, [
      { name: 'at', type: { kind: 'int', bits: 8, signed: false } },
    ]);
  });

  it('are none of an account without code', async () => {
    const found = await methodsOf(services(access, []), access.network, `0:${'5a'.repeat(32)}`);
    assert.deepEqual([found.codeHash, found.methods], [undefined, []]);
  });
});
