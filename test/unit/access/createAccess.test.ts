import assert from 'node:assert/strict';
import { WorkbenchError } from '../../../src/toolkit/errors';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { TransportRequest } from '../../../src/toolkit/access/transport';

const network = {
  name: 'Test',
  kind: 'custom',
  v2: 'http://127.0.0.1:1/api/v2',
  v3: 'http://127.0.0.1:1/api/v3',
  globalId: -239,
} as const;
const account = '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8';

/** An access whose transport answers from a list and keeps what was asked. */
function scripted(
  answers: { status?: number; body: unknown; headers?: Record<string, string> }[],
  more = {},
) {
  const requests: TransportRequest[] = [];
  const access = createAccess({
    network,
    ...more,
    transport: (request) => {
      requests.push(request);
      const answer = answers.shift();
      assert.ok(answer, 'no answer left');
      return Promise.resolve({
        status: answer.status ?? 200,
        header: (name) => answer.headers?.[name],
        body: Buffer.from(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)),
      });
    },
  });
  return { access, requests };
}

describe('createAccess', () => {
  it('sends a v2 read as a query and returns the result in our forms', async () => {
    const { access, requests } = scripted([{ body: { ok: true, result: '123456789012345678901' } }]);
    assert.equal(await access.v2.getAddressBalance({ address: account }), 123456789012345678901n);
    assert.equal(
      requests[0]?.url,
      'http://127.0.0.1:1/api/v2/getAddressBalance?address=EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
    );
  });

  it('repeats the key of a list, and sends v3 hashes as hex and addresses as raw upper-case', async () => {
    const { access, requests } = scripted([
      { body: { traces: null, address_book: {}, metadata: {} } },
      { body: { accounts: [] } },
    ]);
    const answer = await access.v3.traces({ msg_hash: ['+/+/'.padEnd(43, 'A'), 'AB'.repeat(32)], limit: 5 });
    assert.equal(answer.traces, null);
    const query = new URL(requests[0]?.url ?? '').search;
    assert.equal(query, `?msg_hash=fbffbf${'0'.repeat(58)}&msg_hash=${'ab'.repeat(32)}&limit=5`);
    await access.v3.accountStates({ address: account });
    assert.equal(
      requests[1]?.url,
      `http://127.0.0.1:1/api/v3/accountStates?address=${encodeURIComponent(account.toUpperCase())}`,
    );
  });

  it('names the parameter that cannot be sent, before anything is sent', async () => {
    const { access, requests } = scripted([]);
    await assert.rejects(access.v3.traces({ account: 'EQnope' }), (error) => {
      assert.ok(WorkbenchError.is(error, 'parameter-invalid'));
      assert.equal(error.kind, 'input');
      assert.equal(error.details.field, 'account');
      assert.equal(error.details.reason, 'length');
      return true;
    });
    assert.equal(requests.length, 0);
  });

  it('reports the path of a field that does not match the endpoint', async () => {
    const { access } = scripted([
      { body: { ok: true, result: { last: { workchain: -1, shard: '1', seqno: 'x' } } } },
    ]);
    await assert.rejects(
      access.v2.getMasterchainInfo(),
      (error) => WorkbenchError.is(error, 'wrong-shape') && error.details.field === 'result.last.seqno',
    );
  });

  it('sends its client name, if it has one', async () => {
    for (const client of ['editor', undefined]) {
      const { access, requests } = scripted([{ body: { ok: true, result: 'active' } }], { client });
      await access.v2.getAddressState({ address: account });
      assert.equal(requests[0]?.headers['user-agent'], client);
    }
  });

  it('sends the key as a header only', async () => {
    const { access, requests } = scripted([{ body: { ok: true, result: 'active' } }], {
      apiKey: () => Promise.resolve('SECRET'),
    });
    await access.v2.getAddressState({ address: account });
    assert.equal(requests[0]?.headers['x-api-key'], 'SECRET');
    assert.doesNotMatch(requests[0]?.url ?? '', /SECRET/);
  });
});
