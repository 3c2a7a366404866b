import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { openListener } from '../../../src/toolkit/webhook/listener/listenerCore';
import type { ListenerCore, ListenerOptions } from '../../../src/toolkit/webhook/listener/listenerCore';
import type { Delivery } from '../../../src/toolkit/webhook/delivery/delivery';
import type { HeaderList } from '../../../src/toolkit/webhook/delivery/signature';
import { providerNames, providerOf } from '../../../src/toolkit/webhook/provider/providerOf';
import type { ProviderChoice } from '../../../src/toolkit/webhook/provider/providerOf';
import { meets } from '../../../src/toolkit/webhook/send/scenarios';
import { scenariosOf } from '../../../src/toolkit/webhook/send/scenariosOf';
import { sendScenario } from '../../../src/toolkit/webhook/send/sendScenario';
import { bytes, payload } from './support/sample';

const secrets: Record<string, string> = {
  'standard-webhooks': `whsec_${Buffer.from('a key of twenty-four byt').toString('base64')}`,
};
const secretOf = (name: string): string => secrets[name] ?? 'a-token-or-secret';
const now = Date.parse('2026-01-15T14:30:00.000Z');

describe('webhook providers', () => {
  const listeners: ListenerCore[] = [];
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-providers-'));
  });
  afterEach(async () => {
    await Promise.all(listeners.splice(0).map((listener) => listener.close()));
    await rm(folder, { recursive: true, force: true });
  });

  const listen = async (
    provider: ProviderChoice,
    more: Partial<ListenerOptions> = {},
  ): Promise<{ url: URL; told: Delivery[]; listener: ListenerCore }> => {
    const told: Delivery[] = [];
    const listener = await openListener(
      {
        port: 0,
        secrets: [{ name: 'shop', value: secretOf(provider.name) }],
        journalDirectory: path.join(folder, String(listeners.length)),
        provider,
        ...more,
      },
      { onRecorded: (json) => void told.push(JSON.parse(json) as Delivery) },
    );
    listeners.push(listener);
    return { url: new URL(listener.url), told, listener };
  };

  for (const name of providerNames.filter((one) => one !== 'ton-pay')) {
    it(`${name}: our listener answers every scenario as a receiver should`, async () => {
      const provider = providerOf({ name });
      const names = scenariosOf(provider).map((scenario) => scenario.name);
      assert.ok(names.includes('wrong-secret') && names.includes('no-signature') && names.length >= 9);
      // The slow body takes its three seconds with any provider.
      for (const scenario of scenariosOf(provider).filter((one) => one.name !== 'slow')) {
        const { url, told } = await listen({ name });
        // Nobody has to answer 400 where the format of bodies is the sender's.
        const open = scenario.name === 'refunded';
        const result = await sendScenario({
          ...{ url, scenario: scenario.name, secret: secretOf(name), provider, once: true, timeScale: 0 },
        });
        assert.equal(
          result.ok || (open && meets(result.status, '2xx')),
          true,
          `${scenario.name}: ${result.status}`,
        );
        if (scenario.name === 'duplicate') {
          assert.deepEqual(
            told.map(({ verdict }) => verdict),
            ['accepted', 'repeat'],
          );
        }
        if (scenario.expected === '401') {
          assert.deepEqual(
            told.map(({ verdict }) => verdict),
            ['bad-signature'],
          );
        }
      }
    });
  }

  it('are refused by an unknown name', () => {
    assert.throws(
      () => providerOf({ name: 'toString' }),
      (error) => WorkbenchError.is(error, 'provider-unknown'),
    );
  });

  it('tonapi: a delivery has no amount, so it says to read the chain, and no order becomes paid', async () => {
    const { url, told, listener } = await listen({ name: 'tonapi' });
    const provider = providerOf({ name: 'tonapi' });
    await sendScenario({ url, scenario: 'success', secret: secretOf('tonapi'), provider });
    assert.equal(told[0]?.payment, null);
    assert.match(told[0]?.warnings.join() ?? '', /read the transaction on the chain/);
    assert.deepEqual(listener.orders(), []);
    const parse = (value: object): string => provider.parse(bytes(value)).kind;
    const tx = { account_id: `0:${'ab'.repeat(32)}`, lt: 5, tx_hash: 'cd'.repeat(32) };
    assert.equal(parse(tx), 'notification');
    assert.equal(parse({ ...tx, event_type: 'account_tx' }), 'notification');
    assert.equal(parse({ event_type: 'mempool_msg', boc: 'te6' }), 'notification');
    assert.equal(parse({ ...tx, event_type: 'account_txs' }), 'other-event');
    assert.equal(parse({ ...tx, account_id: 'x' }), 'malformed');
    assert.equal(parse({ ...tx, tx_hash: 'x' }), 'malformed');
    assert.equal(parse({ ...tx, lt: 'x' }), 'malformed');
  });

  it('tonapi: every scenario tells the logical time of a real transaction as it is', () => {
    const provider = providerOf({ name: 'tonapi' });
    const context = {
      ...{ provider, payload: payload(), lt: 55_001_002_000_003n },
      ...{ secret: secretOf('tonapi'), signatureHeaders: provider.signatureHeaders },
    };
    for (const scenario of scenariosOf(provider).filter(({ name }) => name !== 'not-json')) {
      for (const { body } of scenario.plan(context).deliveries) {
        assert.match(body.toString(), /"lt":55001002000003,/, scenario.name);
      }
    }
  });

  it('tonapi: repeats are known by their transaction, also after a restart', async () => {
    const journalDirectory = path.join(folder, 'kept');
    const provider = providerOf({ name: 'tonapi' });
    const wish = { scenario: 'success', secret: secretOf('tonapi'), provider, payload: payload() } as const;
    const first = await listen({ name: 'tonapi' }, { journalDirectory });
    await sendScenario({ ...wish, url: first.url });
    await listeners.pop()?.close();
    const second = await listen({ name: 'tonapi' }, { journalDirectory });
    await sendScenario({ ...wish, url: second.url });
    assert.deepEqual(
      second.told.map(({ verdict }) => verdict),
      ['repeat'],
    );
  });

  it('bicycle: exactly 200 is delivered, with or without a token, and a user may pay many times', async () => {
    const provider = providerOf({ name: 'bicycle' });
    assert.deepEqual(
      [200, 201, 204, 302, 500].map((status) => provider.delivery.isDelivered(status)),
      [true, false, false, false, false],
    );
    const names = scenariosOf(provider, false).map(({ name }) => name);
    assert.ok(!names.includes('wrong-secret') && names.includes('success'));
    const orders = [
      {
        reference: 'user-7',
        rawAmount: '10500000000',
        asset: 'TON',
        recipient: payload().data.recipientAddr,
      },
    ];
    const { url, told } = await listen({ name: 'bicycle' }, { secrets: [], orders });
    for (const [reference, txHash, rawAmount] of [
      ['user-7', 'aa', '10500000000'],
      ['user-7', 'bb', '10500000000'],
      ['user-7', 'bb', '10500000000'],
      ['user-7', 'cc', '1'],
      ['user-8', 'dd', '10500000000'],
    ] as const) {
      const sent = payload({ reference, txHash: txHash.repeat(32), rawAmount });
      await sendScenario({ url, scenario: 'success', secret: '', provider, payload: sent });
    }
    assert.deepEqual(
      told.map(({ verdict }) => verdict),
      ['accepted', 'accepted', 'repeat', 'mismatch', 'unknown-order'],
    );
    assert.deepEqual(
      told.map(({ payment }) => payment?.amount),
      ['10.5', '10.5', '10.5', '0.000000001', '10.5'],
      'in the units of the asset',
    );
  });

  it('standard webhooks: five minutes of tolerance, several signatures, and other versions are skipped', () => {
    const provider = providerOf({ name: 'standard-webhooks' });
    const secret = secretOf('standard-webhooks');
    const body = bytes({ type: 'x' });
    const problem = (headers: ReturnType<typeof provider.sign>, at = now): string => {
      const verdict = provider.verify(headers, body, [{ name: 'k', value: secret }], [], undefined, at);
      return verdict.ok ? 'ok' : verdict.problem;
    };
    const headers = provider.sign(body, secret, [], now);
    assert.equal(problem(headers), 'ok');
    assert.equal(problem(headers, now + 300_000), 'ok');
    assert.equal(problem(headers, now + 301_000), 'too-old');
    assert.equal(problem(headers, now - 301_000), 'too-old');
    const [id, time, [name, value]] = headers as [never, never, [string, string]];
    assert.equal(problem([id, time, [name, `v1,AAAA ${value} v1a,xx`]]), 'ok');
    assert.equal(problem([id, time, [name, value.replace('v1,', 'v2,')]]), 'no-prefix');
    assert.equal(problem([id, [`webhook-timestamp`, 'soon'], [name, value]]), 'too-old');
    assert.equal(problem([['webhook-id', 'msg_other'], time, [name, value]]), 'no-match');
    assert.equal(problem([id, time]), 'missing');
    assert.equal(problem([...headers, [name, value]]), 'several');
  });

  it('standard webhooks: a repeat is told by its id in the headers, whatever the body', async () => {
    const provider = providerOf({ name: 'standard-webhooks' });
    const { url, told } = await listen({ name: 'standard-webhooks' });
    const body = bytes({ type: 'invoice.paid', id: 'always the same' });
    const post = async (headers: HeaderList): Promise<void> => {
      await fetch(url, { method: 'POST', headers: Object.fromEntries(headers), body: new Uint8Array(body) });
    };
    const [first, second] = [0, 1].map(() => provider.sign(body, secretOf('standard-webhooks'), []));
    for (const headers of [first, first, second]) {
      await post(headers ?? []);
    }
    assert.deepEqual(
      told.map(({ verdict }) => verdict),
      ['accepted', 'repeat', 'accepted'],
    );
  });

  it('standard webhooks: a secret that is no key accepts nothing, not even what an empty key has signed', () => {
    const provider = providerOf({ name: 'standard-webhooks' });
    const body = bytes({ type: 'x' });
    const forged = provider.sign(body, '', [], now);
    for (const value of ['whsec_', 'whsec_!!!', '???', '']) {
      const verdict = provider.verify(forged, body, [{ name: 'k', value }], [], undefined, now);
      assert.equal(verdict.ok ? 'ok' : verdict.problem, 'no-secret', value);
    }
  });

  it('hmac: any header, prefix, encoding, and algorithm', () => {
    for (const algorithm of ['sha1', 'sha256', 'sha384', 'sha512'] as const) {
      for (const encoding of ['hex', 'base64'] as const) {
        const hmac = { header: 'X-Hub-Signature', prefix: `${algorithm}=`, encoding, algorithm };
        const provider = providerOf({ name: 'hmac', hmac });
        const body = bytes('{"a":1}');
        const [[name, value]] = provider.sign(body, 'key', []) as [[string, string]];
        assert.equal(name, 'X-Hub-Signature');
        const verify = (given: string, bytes = body): string => {
          const verdict = provider.verify(
            [['x-hub-signature', given]],
            bytes,
            [{ name: 'k', value: 'key' }],
            [],
          );
          return verdict.ok ? 'ok' : verdict.problem;
        };
        assert.equal(verify(value), 'ok');
        assert.equal(verify(value, bytes('{"a": 1}')), 'no-match');
        assert.equal(verify(value.slice(algorithm.length + 1)), 'no-prefix');
        assert.equal(verify(value.slice(0, -1)), 'wrong-length');
      }
    }
  });
});
