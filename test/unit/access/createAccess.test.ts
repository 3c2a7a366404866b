import assert from 'node:assert/strict';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { HastyClock } from '../../support/hastyClock';
import { v2Endpoints } from '../../../src/toolkit/access/v2/v2Endpoints';
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

  it('sends a parameter under its other name where the service takes no other, and remembers that', async () => {
    const taken = { ok: true, result: { config: { bytes: 'te6ccgEBAQEAAgAAAA==' } } };
    const { access, requests } = scripted([
      { status: 422, body: { ok: false, error: 'param is required', code: 422 } },
      { body: taken },
      { body: taken },
    ]);
    await access.v2.getConfigParam({ config_id: 8 });
    await access.call(v2Endpoints.getConfigParam, { param: 9 });
    assert.deepEqual(
      requests.map(({ url }) => new URL(url).search),
      ['?config_id=8', '?param=8', '?param=9'],
    );
    const wrong = scripted([
      { status: 422, body: { ok: false, error: 'no such seqno', code: 422 } },
      { status: 422, body: { ok: false, error: 'config_id is required', code: 422 } },
    ]);
    await assert.rejects(wrong.access.v2.getConfigParam({ config_id: 8, seqno: 7 }), /no such seqno/);
    await assert.rejects(wrong.access.call(v2Endpoints.getConfigParam, { config_id: 8, param: 8 }), {
      code: 'parameter-invalid',
    });
  });

  it('reads what a C++ service answers when it fails: nothing, a page, plain text, 404, and 542', async () => {
    const told = async (status: number, body: unknown): Promise<[string, string, string | undefined]> => {
      const error: unknown = await scripted(
        Array.from({ length: 4 }, () => ({ status, body })),
        { clock: new HastyClock() },
      )
        .access.v2.jsonRPC({ jsonrpc: '2.0', id: '1', method: 'getConsensusBlock', params: {} })
        .catch((failed: unknown) => failed);
      assert.ok(WorkbenchError.is(error));
      return [error.code, error.message, error.hint];
    };
    const failed = 'v2 /jsonRPC failed on the service';
    assert.deepEqual((await told(500, '')).slice(0, 2), ['service-failure', `${failed} (status 500).`]);
    assert.deepEqual((await told(500, '<html><h1>Internal error</h1></html>')).slice(0, 2), [
      'service-failure',
      `${failed} (status 500): Internal error.`,
    ]);
    assert.deepEqual((await told(500, 'Internal server error')).slice(0, 2), [
      'service-failure',
      `${failed} (status 500): Internal server error.`,
    ]);
    assert.deepEqual(
      (await told(404, { ok: false, error: 'Not Found', code: 404, '@extra': '_' })).slice(0, 2),
      ['not-found', 'v2 /jsonRPC does not exist on this service (status 404): Not Found.'],
    );
    assert.equal(
      (await told(404, { ok: false, error: 'transaction was not found', code: 404 }))[1],
      'v2 /jsonRPC found nothing (status 404): transaction was not found.',
    );
    assert.equal((await told(422, { ok: false, error: 'Unknown method', code: 422 }))[0], 'not-found');
    const unread = await told(542, {
      ok: false,
      error: 'Unsupported stack entry type: tvm.Builder',
      code: 542,
    });
    assert.deepEqual([unread[0], unread[2]], ['service-failure', 'Check the values, or try again later.']);
    const none = await told(542, { ok: false, error: 'no workers available (0)', code: 542 });
    assert.deepEqual([none[0], none[2]], ['service-failure', 'Try again later.']);
  });

  it('says that a missing key is the likely cause, and how to set one, where that is likely', async () => {
    const hintOf = async (
      origin: string,
      { status, body, key }: { status: number; body: unknown; key?: string },
    ): Promise<string> => {
      const { access } = scripted(
        Array.from({ length: 4 }, () => ({ status, body })),
        {
          network: { ...network, v2: `${origin}/api/v2` },
          clock: new HastyClock(),
          apiKey: () => Promise.resolve(key),
        },
      );
      const error: unknown = await access.v2.getMasterchainInfo().catch((failed: unknown) => failed);
      assert.ok(WorkbenchError.is(error) && error.hint !== undefined);
      return error.hint;
    };
    const [open, own, here] = ['https://toncenter.com', 'https://ton.example', 'http://127.0.0.1:1'];
    const refused = { status: 429, body: { ok: false, result: 'Ratelimit exceed', code: 429 } };
    const late = { status: 500, body: { error: 'timeout: context deadline exceeded' } };
    const busy = { status: 503, body: '<html><title>503</title></html>' };
    const broken = { status: 500, body: { ok: false, error: 'cannot apply', code: 500 } };
    const said = /^The likely cause is that no API key is set: set one with TON: API Key….*--api-key-file/;
    for (const [origin, answer] of [
      [open, refused],
      [open, late],
      [open, busy],
      [own, refused],
    ] as const) {
      assert.match(await hintOf(origin, answer), said, `${origin} ${answer.status}`);
    }
    for (const [origin, answer] of [
      [own, late],
      [own, busy],
      [here, refused],
      [here, late],
      [open, broken],
      ...[refused, late, busy].map((one) => [open, { ...one, key: 'k'.repeat(32) }] as const),
    ] as const) {
      assert.doesNotMatch(await hintOf(origin, answer), /likely|no API key/, `${origin} ${answer.status}`);
    }
  });

  it('does not ask again for a while what the service does not have, but a probe does', async () => {
    const clock = new HastyClock();
    const lacking = { status: 404, body: { ok: false, error: 'Not Found', code: 404, '@extra': '_' } };
    const missing = { code: 'not-found', message: /does not exist on this service/ };
    const { access, requests } = scripted([lacking, lacking, lacking], { clock });
    for (let call = 0; call < 3; call += 1) {
      await assert.rejects(access.v2.getConfigAll(), missing);
    }
    assert.equal(requests.length, 1);
    await assert.rejects(access.call(v2Endpoints.getConfigAll, {}, { isProbe: true }), missing);
    await clock.sleep(60_000);
    await assert.rejects(access.v2.getConfigAll(), missing);
    assert.equal(requests.length, 3);
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
