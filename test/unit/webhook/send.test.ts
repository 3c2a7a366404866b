import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { WorkbenchError, errorSentences } from '../../../src/toolkit/base/errors';
import type { CheckRow } from '../../../src/toolkit/webhook/check/shopRules';
import {
  brokenRules,
  checkName,
  describeReadHeaders,
  fixesOf,
} from '../../../src/toolkit/webhook/check/shopRules';
import type { Delivery } from '../../../src/toolkit/webhook/delivery/delivery';
import { signBody, verifySignature } from '../../../src/toolkit/webhook/delivery/signature';
import { parsePayload } from '../../../src/toolkit/webhook/payload/payload';
import {
  samplePayload,
  settableFields,
  withFields,
} from '../../../src/toolkit/webhook/payload/samplePayload';
import { transferPayload } from '../../../src/toolkit/webhook/payload/transferPayload';
import { providerOf } from '../../../src/toolkit/webhook/provider/providerOf';
import { parseEndpoint } from '../../../src/toolkit/webhook/send/parseEndpoint';
import { resendDelivery } from '../../../src/toolkit/webhook/send/resendDelivery';
import type { ScenarioName } from '../../../src/toolkit/webhook/send/scenarios';
import { scenarios } from '../../../src/toolkit/webhook/send/scenarios';
import { sendHttpRequest } from '../../../src/toolkit/webhook/send/sendHttpRequest';
import type { SendResult } from '../../../src/toolkit/webhook/send/sendScenario';
import { sendScenario } from '../../../src/toolkit/webhook/send/sendScenario';
import { deliveryListNodes } from '../../../src/toolkit/webhook/views/boardNodes';
import { endpointRules } from '../../../src/toolkit/workflows/checkEndpoint';
import { checkedRows } from '../../support/checkedRows';
import { HastyClock } from '../../support/hastyClock';
import { SteppedClock } from '../../support/steppedClock';
import { until } from '../../support/until';
import type { TestListener } from './support/listener';
import { startListener, stopListeners } from './support/listener';
import type { TestReceiver } from './support/receiver';
import { startReceiver } from './support/receiver';
import { bytes, payload, recipient, secret, sender, signed } from './support/sample';

/** Resolves when the head of an answer has come to a client in this process. */
function answerBegins(): Promise<void> {
  return new Promise((resolve) => {
    const channel = 'http.client.response.finish';
    const look = (): void => {
      unsubscribe(channel, look);
      resolve();
    };
    subscribe(channel, look);
  });
}

describe('sending webhooks', () => {
  const receivers: TestReceiver[] = [];
  const receive = async (...parameters: Parameters<typeof startReceiver>): Promise<TestReceiver> => {
    const receiver = await startReceiver(...parameters);
    receivers.push(receiver);
    return receiver;
  };
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
    await stopListeners();
  });

  const send = (url: URL, scenario: ScenarioName, more: object = {}): Promise<SendResult> =>
    sendScenario({ url, scenario, secret, timeScale: 0.001, ...more });

  it("shortens only the service's waits: a slow body takes its three seconds at any scale", async () => {
    const receiver = await receive((_, response) => response.end());
    for (const timeScale of [0.001, 1, 100]) {
      const clock = new HastyClock();
      assert.equal((await send(receiver.url, 'slow', { timeScale, clock, once: true })).ok, true);
      assert.deepEqual(clock.slept, [600, 600, 600, 600, 600]);
    }
    const busy = await receive((_, response) => response.writeHead(503).end());
    const clock = new HastyClock();
    await send(busy.url, 'slow', { timeScale: 0.01, clock });
    assert.deepEqual(
      clock.slept.filter((ms) => ms !== 600),
      [10, 50, 150],
    );
  });

  it('delivers like the service: signed under the documented name, retried after 1, 5, and 15 s', async () => {
    const receiver = await receive((_, response, number) => response.writeHead(number < 4 ? 500 : 204).end());
    const clock = new HastyClock();
    const waits: (number | undefined)[] = [];
    const result = await send(receiver.url, 'success', {
      timeScale: 1,
      clock,
      onAttempt: (_: unknown, waitMs: number | undefined) => waits.push(waitMs),
    });
    assert.deepEqual(clock.slept, [1_000, 5_000, 15_000]);
    assert.deepEqual(waits, [1_000, 5_000, 15_000, undefined]);
    assert.deepEqual(
      result.attempts.map(({ status }) => status),
      [500, 500, 500, 204],
    );
    assert.equal(result.ok && result.delivered, true);
    const headers = receiver.seen[0]?.rawHeaders ?? [];
    const pairs = headers.flatMap((name, index) =>
      index % 2 === 0 ? [[name, headers[index + 1] ?? ''] as [string, string]] : [],
    );
    for (const [name, isSent] of [
      ['X-Pay-Signature', true],
      ['X-TonPay-Signature', false],
    ] as const) {
      const verdict = verifySignature(
        pairs,
        receiver.seen[0]?.body ?? Buffer.alloc(0),
        [{ name: 's', value: secret }],
        [name],
      );
      assert.equal(verdict.ok, isSent, name);
    }
    assert.ok(receiver.seen.every(({ body }) => body.equals(receiver.seen[0]?.body ?? Buffer.alloc(0))));
  });

  it('gives up after three retries, on network errors too', async () => {
    const receiver = await receive((_, response) => response.socket?.destroy());
    const result = await send(receiver.url, 'success');
    assert.equal(result.delivered, false);
    assert.deepEqual(
      result.attempts.map(({ error }) => error?.code),
      Array.from({ length: 4 }, () => 'endpoint-closed'),
    );
    await receiver.close();
    const refused = await send(receiver.url, 'success');
    assert.equal(refused.attempts[0]?.error?.code, 'endpoint-refused');
  });

  it('ends if a test is refused as it should be, and labels each delivery with its scenario', async () => {
    const receiver = await receive((_, response) => response.writeHead(401).end());
    const refused = await send(receiver.url, 'wrong-secret');
    assert.deepEqual([refused.ok, refused.delivered, refused.attempts.length], [true, false, 1]);
    assert.equal((await send(receiver.url, 'success')).attempts.length, 4, 'an unexpected status is retried');

    const listener = await startListener({});
    const own = new URL(listener.url);
    await send(own, 'wrong-secret');
    await send(own, 'duplicate');
    const told = listener.told.slice().reverse();
    assert.deepEqual(
      told.map(({ test }) => test?.scenario),
      ['duplicate', 'duplicate', 'wrong-secret'],
    );
    const nodes = deliveryListNodes(told);
    assert.deepEqual(
      nodes.map(({ label, standing }) => [label.replace(/:.*/, ''), standing]),
      [
        ['duplicate', 'good'],
        ['wrong-secret', 'good'],
      ],
    );
    assert.match(nodes[0]?.description ?? '', /^2 deliveries /);
    assert.equal(nodes[0]?.children?.length, 2);
    assert.equal(nodes[1]?.label, 'wrong-secret: refused, as expected');
    // A delivery that claims to be a test, but is answered differently than the test expects.
    const odd = { ...told[0]!, test: { scenario: 'altered', run: '0'.repeat(16) } };
    assert.match(deliveryListNodes([odd])[0]?.label ?? '', /^altered: .*; expected 401$/);
    assert.equal(deliveryListNodes([odd])[0]?.standing, 'bad');
    // A payment that should fit its order, and does not, is nothing that should be.
    const wrong = { ...told[0]!, verdict: 'mismatch', reason: 'another recipient' } as const;
    assert.match(deliveryListNodes([wrong])[0]?.label ?? '', /^duplicate: mismatch, .*another recipient$/);
    assert.equal(deliveryListNodes([wrong])[0]?.standing, 'bad');
    // A delivery that is sent again is not part of the test.
    const kept = listener.get(told[2]?.id ?? '');
    await resendDelivery(kept!, { url: own, retries: 0 });
    assert.equal(listener.told.at(-1)?.test, undefined);
  });

  it('follows no redirect', async () => {
    const receiver = await receive((_, response) =>
      response.writeHead(307, { Location: '/elsewhere' }).end(),
    );
    const result = await send(receiver.url, 'success');
    assert.equal(result.delivered, false);
    assert.ok(receiver.seen.every(({ url }) => url === '/webhook'));
  });

  it("waits for an answer only as long as the time limit, even within the answer's body", async () => {
    const policy = { timeoutMs: 10_000, retryDelaysMs: [], isDelivered: () => true };
    const { tonPay } = await import('../../../src/toolkit/webhook/provider/tonPay');
    const provider = { ...tonPay, delivery: policy };
    for (const begin of [false, true]) {
      const receiver = await receive((_, response) => {
        if (begin) {
          response.writeHead(200).write('x');
        }
      });
      const begun = begin ? answerBegins() : undefined;
      const clock = new SteppedClock();
      let isOver = false;
      const result = send(receiver.url, 'success', { provider, clock }).finally(() => (isOver = true));
      await until(() => receiver.seen.length > 0, 'the request has come');
      await begun;
      clock.advance(9_999);
      await nextTurn();
      assert.equal(isOver, false);
      clock.advance(1);
      assert.equal((await result).attempts[0]?.error?.code, 'endpoint-timeout');
    }
  });

  it('can be canceled, between attempts and inside one', async () => {
    const silent = await receive(() => undefined);
    const controller = new AbortController();
    const inside = send(silent.url, 'success', { signal: controller.signal });
    void until(() => silent.seen.length > 0, 'the request has come').then(() => controller.abort());
    await assert.rejects(inside, (error) => WorkbenchError.is(error, 'aborted'));
    const failing = await receive((_, response) => response.writeHead(500).end());
    const second = new AbortController();
    const between = send(failing.url, 'success', {
      timeScale: 1,
      signal: second.signal,
      onAttempt: () => second.abort(),
    });
    await assert.rejects(between, (error) => WorkbenchError.is(error, 'aborted'));
    assert.equal(failing.seen.length, 1);
  });

  it('requires https outside this machine, and refuses credentials', () => {
    for (const good of [
      'http://127.0.0.1:1/x',
      'http://localhost/x',
      'http://[::1]/x',
      'http://a.localhost/',
      'https://shop.example/x',
    ]) {
      assert.equal(parseEndpoint(good).href, new URL(good).href);
    }
    assert.equal(parseEndpoint('localhost:3000/webhook').href, 'http://localhost:3000/webhook');
    assert.equal(parseEndpoint('127.0.0.1:3000').href, 'http://127.0.0.1:3000/');
    assert.equal(parseEndpoint('[::1]:3000/x?y=1').href, 'http://[::1]:3000/x?y=1');
    for (const [bad, code] of [
      ['user:pass@localhost/', 'endpoint-invalid'],
      ['shop.example/x', 'endpoint-invalid'],
      ['localhost.evil.example:80/', 'endpoint-invalid'],
      ['http://shop.example/x', 'https-required'],
      ['http://127.0.0.1.evil.example/', 'https-required'],
      ['http://localhost.evil.example/', 'https-required'],
      ['https://user:pass@shop.example/', 'endpoint-invalid'],
      ['ftp://localhost/', 'endpoint-invalid'],
      ['webhook', 'endpoint-invalid'],
    ] as const) {
      assert.throws(
        () => parseEndpoint(bad),
        (error) =>
          WorkbenchError.is(error, code) &&
          // A row of a list shows no more.
          (code !== 'endpoint-invalid' || errorSentences(error).length < 85),
        bad,
      );
    }
  });

  it('sets each documented field, and keeps the two amounts consistent', () => {
    const base = samplePayload();
    for (const field of settableFields) {
      const set = withFields(base, { [field]: '7' });
      const found = field in set.data ? set.data : set;
      assert.equal(String((found as unknown as Record<string, unknown>)[field]), '7', field);
    }
    const comment = (fields: Record<string, string>, from = base): unknown =>
      withFields(from, fields).data.commentToRecipient;
    assert.equal(comment({}), `Payment for ${base.data.reference}`);
    assert.equal(comment({ reference: 'order-1' }), 'Payment for order-1');
    assert.equal(comment({ reference: 'order-1', commentToRecipient: 'rent' }), 'rent');
    const own = withFields(base, { commentToRecipient: 'rent' });
    assert.equal(comment({ reference: 'order-1' }, own), 'rent');
    assert.equal(withFields(base, { 'data.amount': '2' }).data.rawAmount, '2000000000');
    assert.equal(withFields(base, { rawAmount: '1' }).data.amount, '0.000000001');
    const both = withFields(base, { amount: '1', rawAmount: '1' }).data;
    assert.deepEqual([both.amount, both.rawAmount], ['1', '1']);
    assert.throws(
      () => withFields(base, { fee: '1' }),
      (error) => WorkbenchError.is(error, 'field-unknown'),
    );
    assert.throws(
      () => withFields(base, { errorCode: 'x' }),
      (error) => WorkbenchError.is(error, 'field-invalid'),
    );
    assert.notEqual(samplePayload().data.reference, base.data.reference);
    assert.equal(parsePayload(bytes(base)).kind, 'transfer');
  });

  it('each scenario has the effect on the listener that its name says', async () => {
    const fields = { reference: 'ref-1', amount: '10.5', recipientAddr: recipient };
    const expected: Partial<Record<ScenarioName, [verdicts: string[], status: number]>> = {
      success: [['accepted'], 200],
      failed: [['transfer-failed'], 200],
      duplicate: [['accepted', 'repeat'], 200],
      concurrent: [['accepted', 'repeat'], 200],
      retry: [['accepted', 'repeat'], 200],
      'wrong-secret': [['bad-signature'], 401],
      altered: [['bad-signature'], 401],
      reserialized: [['bad-signature'], 401],
      'no-signature': [['bad-signature'], 401],
      'unknown-reference': [['unknown-order'], 200],
      'amount-off-by-one': [['mismatch'], 200],
      'wrong-asset': [['mismatch'], 200],
      refunded: [['wrong-event'], 400],
      'not-json': [['malformed'], 400],
      huge: [['too-large'], 413],
      slow: [['accepted'], 200],
    };
    for (const { name } of scenarios) {
      const orders = [{ reference: 'ref-1', amount: '10.5', asset: 'TON', recipient }];
      const listener = await startListener({ orders });
      const result = await send(new URL(listener.url), name, { fields, once: true, clock: new HastyClock() });
      const [verdicts, status] = expected[name] ?? [[], 0];
      assert.deepEqual(listener.told.map((told) => told.verdict).sort(), verdicts, name);
      assert.equal(result.status, status, name);
      assert.equal(result.ok, true, name);
      assert.equal(verdictReason(listener, name), true, name);
    }
  });

  it('resends a kept delivery as received, edited and newly signed, or edited without that', async () => {
    const listener = await startListener();
    await listener.deliver(payload());
    const kept = listener.get(listener.told[0]?.id ?? '');
    assert.ok(kept);
    const url = new URL(listener.url);
    await resendDelivery(kept, { url, retries: 0 });
    const body = bytes(payload({ reference: 'edited' }));
    await resendDelivery(kept, { url, body, secret, retries: 0 });
    await resendDelivery(kept, { url, body, retries: 0 });
    assert.deepEqual(
      listener.told.map(({ verdict }) => verdict),
      ['accepted', 'repeat', 'accepted', 'bad-signature'],
    );
    await assert.rejects(resendDelivery({ ...kept, bodyRedacted: true }, { url }), (error) =>
      WorkbenchError.is(error, 'body-not-kept'),
    );
  });

  it('makes a payload from a real transfer', async () => {
    const made = transferPayload(
      {
        amount: '1.5',
        rawAmount: 1500000000n,
        asset: 'TON',
        sender,
        recipient,
        txHash: 'ab'.repeat(32),
        traceId: 'cd'.repeat(32),
        comment: 'rent',
        success: true,
        time: 1_700_000_000,
      },
      { reference: 'ref-9' },
    );
    assert.equal(parsePayload(bytes(made)).kind, 'transfer');
    assert.equal(made.data.date, '2023-11-14T22:13:20.000Z');
    const receiver = await receive((_, response) => response.end());
    const result = await send(receiver.url, 'success', { payload: made });
    assert.equal(result.reference, 'ref-9');
    assert.deepEqual(JSON.parse(receiver.seen[0]?.body.toString() ?? ''), made);
  });
});

function verdictReason({ told }: TestListener, name: ScenarioName): boolean {
  const reason = told.find(({ verdict }) => verdict !== 'accepted')?.reason ?? '';
  return name === 'reserialized' ? /re-serialized/.test(reason) : true;
}

describe('checking a webhook endpoint', () => {
  const receivers: TestReceiver[] = [];
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
    await stopListeners();
  });

  const receive = async (...parameters: Parameters<typeof startReceiver>): Promise<TestReceiver> => {
    const receiver = await startReceiver(...parameters);
    receivers.push(receiver);
    return receiver;
  };

  it('finds nothing wrong with our own listener', async () => {
    const listener = await startListener();
    const rows = await checkedRows({ url: new URL(listener.url), secret });
    assert.deepEqual(
      rows.filter(({ ok }) => !ok),
      [],
    );
    assert.deepEqual(
      [...new Set(rows.map(({ scenario }) => scenario))],
      scenarios.map(({ name }) => name),
    );
    assert.ok(rows.every(({ ms }) => ms > 0));
  });

  it('reports what is wrong with a receiver that accepts everything, and with one that refuses everything', async () => {
    const check = async (status: number): Promise<string[]> => {
      const receiver = await startReceiver((_, response) => response.writeHead(status).end());
      receivers.push(receiver);
      const rows = await checkedRows({ url: receiver.url, secret });
      assert.ok(rows.every(({ ok, note }) => ok || (note ?? '').length > 20));
      return rows.filter(({ ok }) => !ok).map(({ scenario }) => scenario);
    };
    assert.deepEqual(await check(200), [
      'wrong-secret',
      'altered',
      'reserialized',
      'no-signature',
      'not-json',
      'huge',
    ]);
    assert.deepEqual(await check(401), [
      'success',
      'success',
      'success',
      'failed',
      'duplicate',
      'concurrent',
      'retry',
      'reserialized',
      'unknown-reference',
      'amount-off-by-one',
      'wrong-asset',
      'refunded',
      'not-json',
      'slow',
    ]);
  });

  it('reports each cause once: consequences of an earlier rule say so, and nothing is exaggerated', async () => {
    const notes = async (status: number): Promise<Map<string, string | null>> => {
      const receiver = await receive((_, response) => response.writeHead(status).end());
      const rows = await checkedRows({ url: receiver.url, secret });
      assert.match(status === 401 ? (rows[0]?.note ?? '') : 'refuses the signature', /refuses the signature/);
      return new Map(rows.filter(({ ok }) => !ok).map(({ scenario, note }) => [scenario, note]));
    };
    const open = await notes(200);
    assert.match(open.get('wrong-secret') ?? '', /mark orders as paid/);
    for (const scenario of ['altered', 'reserialized', 'no-signature']) {
      assert.match(open.get(scenario) ?? '', /^A signature with another secret is accepted too/, scenario);
    }
    const closed = await notes(401);
    for (const scenario of ['success', 'concurrent', 'reserialized', 'refunded', 'slow']) {
      assert.match(closed.get(scenario) ?? '', /^Follows from the first rule/, scenario);
    }
    assert.match((await notes(404)).get('wrong-secret') ?? '', /^Follows from the first rule/);
  });

  /** Verifies over JSON.stringify of what it parsed, in X-Pay-Signature. */
  const receiveParsed = (answers: { genuine: number; forged: number }): Promise<TestReceiver> =>
    receive(({ rawHeaders, body }, response) => {
      let status = 400;
      try {
        const signed = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
        const given = rawHeaders[rawHeaders.indexOf('X-Pay-Signature') + 1];
        status = given === signBody(signed, secret) ? answers.genuine : answers.forged;
      } catch {
        // What is not JSON.
      }
      response.writeHead(status).end();
    });
  const rowsOf = async ({ url }: TestReceiver): Promise<readonly CheckRow[]> => checkedRows({ url, secret });
  const find = (rows: readonly CheckRow[], name: string): CheckRow | undefined =>
    rows.find((row) => checkName(row) === name);

  it('sees a signature over parsed JSON, also at a receiver that does not know the sample order', async () => {
    const rows = await rowsOf(await receiveParsed({ genuine: 404, forged: 401 }));
    const own = rows.filter(({ ok, follows }) => !ok && follows !== true).map(checkName);
    assert.deepEqual(own, ['success', 'reserialized', 'reserialized']);
    assert.match(find(rows, 'reserialized')?.note ?? '', /^It gets the same answer as a genuine.* raw bytes/);
    assert.match(brokenRules(rows), /^3 of 19 rules; 10 more follow from that$/);
    // A receiver that gives the same answer to all may do so because of the URL.
    const nowhere = await rowsOf(await receiveParsed({ genuine: 404, forged: 404 }));
    assert.equal(find(nowhere, 'reserialized')?.follows, true);
    assert.match(find(nowhere, 'wrong-secret')?.note ?? '', /Check again once genuine ones are accepted/);
  });

  it('says the same of an optional header, whether or not it knows the sample order', async () => {
    for (const genuine of [200, 404]) {
      const row = find(await rowsOf(await receiveParsed({ genuine, forged: 401 })), 'X-TonPay-Signature');
      assert.deepEqual([row?.ok, row?.tolerated], [true, true], String(genuine));
      assert.match(row?.note ?? '', /^Not read\. The documented header is enough/);
    }
  });

  it('tolerates another refusal than 401, but no other failure', async () => {
    const refused = await rowsOf(await receiveParsed({ genuine: 200, forged: 403 }));
    for (const name of ['wrong-secret', 'altered', 'no-signature']) {
      const row = find(refused, name);
      assert.deepEqual([row?.ok, row?.tolerated], [true, true], name);
      assert.equal(row?.note, 'It is refused, which is what counts; 401 would say why.');
    }
    const failed = await rowsOf(await receiveParsed({ genuine: 200, forged: 500 }));
    assert.equal(find(failed, 'wrong-secret')?.ok, false);
    assert.match(find(failed, 'wrong-secret')?.note ?? '', /answer with 401/);
  });

  it('tolerates another refusal of a huge body, and says so', async () => {
    const receiver = await receive((_, response) => response.writeHead(400).end());
    const [row] = await checkedRows({ url: receiver.url, secret, only: ['huge'] });
    assert.deepEqual([row?.ok, row?.tolerated], [true, true]);
    assert.match(row?.note ?? '', /413 would say why/);
    const documented = await receive((_, response) => response.writeHead(413).end());
    const [kept] = await checkedRows({ url: documented.url, secret, only: ['huge'] });
    assert.deepEqual([kept?.ok, kept?.tolerated, kept?.note], [true, false, null]);
  });

  it('stops at a receiver that is late for the first delivery: it would be for each', async () => {
    const receiver = await receive(() => undefined);
    const clock = new SteppedClock();
    const checked = checkedRows({ url: receiver.url, secret, clock });
    await until(() => receiver.seen.length > 0, 'the first delivery has come');
    clock.advance(10_000);
    const [row, ...others] = await checked;
    assert.match(row?.note ?? '', /gives up after 10 s.*The other rules were not checked/);
    assert.deepEqual(others, []);
  });

  it('says to answer Bicycle with exactly 200, once', async () => {
    const receiver = await receive((_, response) => response.writeHead(204).end());
    const provider = providerOf({ name: 'bicycle' });
    const rows = await checkedRows({ url: receiver.url, secret, provider, only: ['success', 'duplicate'] });
    assert.deepEqual(
      rows.map(({ ok, follows = false }) => [ok, follows]),
      [
        [false, false],
        [false, true],
      ],
    );
    assert.equal(rows[0]?.rule, 'accept a delivery with exactly 200 within 10 s');
    assert.match(rows[0]?.note ?? '', /anything but 200 as a failure/);
    const [fix, ...others] = fixesOf(rows, 'express', provider.receiver());
    assert.deepEqual([fix?.code, others], ['response.status(200).end();\n', []]);
  });

  it('does not judge a receiver that looks for the sample payment on the chain, nor its header names', async () => {
    const receiver = await receive((_, response) => response.writeHead(503).end());
    const rows = await checkedRows({ url: receiver.url, secret, only: ['success'] });
    assert.match(rows[0]?.note ?? '', /^It answers that it cannot tell now\. .*--orders-url/);
    assert.equal(describeReadHeaders(rows), undefined);
  });

  it('tests each header name separately, and the rest with one that is read', async () => {
    const check = async (
      names: readonly string[],
      signatureHeaders?: string[],
    ): Promise<readonly CheckRow[]> => {
      const listener = await startListener({ signatureHeaders: names });
      return checkedRows({ url: new URL(listener.url), secret, signatureHeaders });
    };
    const broken = (rows: readonly CheckRow[]): (string | undefined)[] =>
      rows.filter(({ ok }) => !ok).map(({ header, scenario }) => header ?? scenario);
    const [documented, sdk] = ['X-Pay-Signature', 'X-TonPay-Signature'] as const;
    const onlySdk = await check([sdk]);
    assert.deepEqual(broken(onlySdk), [documented], 'the fault that loses every payment, and no other');
    assert.match(onlySdk.find(({ ok }) => !ok)?.note ?? '', /no payment would be noticed/);
    assert.equal(describeReadHeaders(onlySdk), `It reads the signature from ${sdk} only.`);
    const onlyDocumented = await check([documented]);
    assert.deepEqual(broken(onlyDocumented), []);
    assert.match(onlyDocumented.find(({ header }) => header === sdk)?.note ?? '', /SDK/);
    assert.equal(describeReadHeaders(onlyDocumented), `It reads the signature from ${documented} only.`);
    const both = await check([documented, sdk]);
    assert.deepEqual(broken(both), []);
    assert.equal(describeReadHeaders(both), `It reads the signature from ${documented} and from ${sdk}.`);
    assert.deepEqual(
      both.map(({ scenario, rule }) => ({ scenario, rule })),
      endpointRules({}),
    );
    const own = await check(['X-Own', 'X-Other'], ['X-Own', 'X-Third']);
    assert.deepEqual(broken(own), ['X-Third'], 'names that the user gives are all wanted');
    const single = await check(['X-Own'], ['X-Own']);
    assert.deepEqual([broken(single), single.length, describeReadHeaders(single)], [[], 17, undefined]);
  });

  it('names the reference that was really sent', async () => {
    const receiver = await receive((_, response) => response.writeHead(200).end());
    const sent = await sendScenario({
      url: receiver.url,
      secret,
      scenario: 'unknown-reference',
      fields: { reference: 'mine' },
    });
    assert.match(sent.reference, /^unknown-/);
    const usual = await sendScenario({
      url: receiver.url,
      secret,
      scenario: 'success',
      fields: { reference: 'mine' },
    });
    assert.equal(usual.reference, 'mine');
  });

  it('reports a 2xx for a refund as a note', async () => {
    const receiver = await startReceiver((_, response) => response.writeHead(200).end());
    receivers.push(receiver);
    const [row] = await checkedRows({ url: receiver.url, secret, only: ['refunded'] });
    assert.equal(row?.ok, true);
    assert.match(row?.note ?? '', /400/);
  });

  it('says at once if nothing is listening', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await assert.rejects(
      checkedRows({ url: new URL(`http://127.0.0.1:${port}/`), secret }),
      (error) => WorkbenchError.is(error, 'endpoint-refused') && error.kind === 'network',
    );
  });
});

describe('forwarding webhooks', () => {
  const receivers: TestReceiver[] = [];
  afterEach(async () => {
    await stopListeners();
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
  });

  const forwarded = async (
    which: 'verified' | 'all',
    handle: Parameters<typeof startReceiver>[0],
  ): Promise<{ listener: TestListener; receiver: TestReceiver }> => {
    const receiver = await startReceiver(handle);
    receivers.push(receiver);
    return { listener: await startListener({ forward: { url: receiver.url.href, which } }), receiver };
  };
  const isForwarded = (told: Delivery): boolean => told.forwarded !== null;

  it('passes bytes and end-to-end headers on unchanged, and keeps the answer with the delivery', async () => {
    const { listener, receiver } = await forwarded('verified', (_, response) =>
      response.writeHead(202).end('thanks'),
    );
    const body = Buffer.from(`${JSON.stringify(payload(), null, 3)}\r\n`);
    const headers: [string, string][] = [
      [
        'x-PAY-signature',
        (await import('../../../src/toolkit/webhook/delivery/signature')).signBody(body, secret),
      ],
      ['X-Twice', 'one'],
      ['X-Twice', 'two'],
      ['Authorization', 'Bearer for-the-app'],
      ['Connection', 'close, X-Hop'],
      ['X-Hop', 'not on'],
      ['TE', 'trailers'],
    ];
    await listener.post(body, headers);
    const told = await listener.untilTold(isForwarded);
    const [seen] = receiver.seen;
    assert.deepEqual(seen?.body, body);
    const got = seen?.rawHeaders ?? [];
    assert.deepEqual(got, [
      ...headers.slice(0, 4).flat(),
      'X-Ton-Workbench-Forwarded',
      got[9],
      'Host',
      receiver.url.host,
      'Content-Length',
      String(body.length),
      'Connection',
      'close',
    ]);
    const { ms, at, ...result } = told.forwarded ?? { ms: 0, at: undefined };
    assert.deepEqual(result, { url: receiver.url.href, status: 202, error: null, answer: 'thanks' });
    assert.ok(ms > 0 && at !== undefined && at >= told.receivedAt);
    assert.equal(listener.get(told.id)?.forwarded?.status, 202);
    const { directory } = listener;
    await listener.close();
    const again = await startListener({ journalDirectory: directory });
    assert.equal(again.get(told.id)?.forwarded?.answer, 'thanks', 'after a restart too');
  });

  it('detects a route that leads back to the listener: one delivery stays one', async () => {
    // A proxy under a name of its own, as a tunnel is: it changes no header but Host.
    const target: { url?: URL } = {};
    const proxy = await startReceiver(({ rawHeaders, body }, response) => {
      const headers = rawHeaders.flatMap((name, index) =>
        index % 2 === 0 && !/^(host|connection|content-length)$/i.test(name)
          ? [[name, rawHeaders[index + 1] ?? ''] as [string, string]]
          : [],
      );
      void sendHttpRequest({
        ...{ url: target.url ?? proxy.url, method: 'POST', headers, body, timeoutMs: 5_000 },
      }).then(({ status, text }) => response.writeHead(status).end(text));
    });
    receivers.push(proxy);
    const first = await startListener({ forward: { url: proxy.url.href, which: 'all' } });
    target.url = new URL(first.url);
    await first.deliver(payload());
    const told = await first.untilTold(isForwarded);
    assert.equal(told.forwarded?.status, 508);
    assert.match(told.forwarded.answer, /forward-loop/);
    assert.equal(first.list().total, 1);
    // Two listeners that forward to one another: each takes it once.
    const second = await startListener({ forward: { url: first.url, which: 'all' } });
    target.url = new URL(second.url);
    await first.deliver(payload({ reference: 'ref-2' }));
    await second.untilTold(isForwarded);
    await first.untilTold((delivery) => delivery.reference === 'ref-2' && isForwarded(delivery));
    assert.deepEqual([first.list().total, second.list().total, proxy.seen.length], [2, 1, 2]);
    // What came this way can be sent to the first one again by hand.
    const kept = second.get((JSON.parse(second.list().items[0] ?? '') as Delivery).id);
    assert.ok(kept);
    const again = await resendDelivery(kept, { url: new URL(first.url), retries: 0 });
    assert.equal(again.attempts[0]?.status, 200);
    const many = Array.from({ length: 8 }, (_, index) => `listener-${index}`).join(', ');
    const body = bytes(payload({ reference: 'ref-3' }));
    await first.post(body, [signed(body), ['x-ton-workbench-forwarded', many]]);
    const last = await first.untilTold(
      ({ forwarded, reference }) => forwarded !== null && reference === 'ref-3',
    );
    assert.match(last.forwarded?.error ?? '', /too many listeners/);
  });

  it('forwards many at once without a warning', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', onWarning);
    // As many as are forwarded at once are held until all of them are there.
    const atOnce = 32;
    const held: ServerResponse[] = [];
    const { listener, receiver } = await forwarded('verified', (_, response, number) => {
      held.push(response);
      if (number >= atOnce) {
        held.splice(0).forEach((one) => one.end());
      }
    });
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => listener.deliver(payload({ reference: `many-${index}` }))),
    );
    await until(() => receiver.seen.length >= 40, 'all are forwarded');
    process.off('warning', onWarning);
    assert.equal(receiver.seen.length, 40);
    assert.deepEqual(warnings, []);
  });

  it('passes on only verified deliveries, or all', async () => {
    const verified = await forwarded('verified', (_, response) => response.end());
    await verified.listener.deliver(payload());
    await verified.listener.post(bytes(payload()), []);
    await verified.listener.untilTold(isForwarded);
    assert.equal(verified.receiver.seen.length, 1);
    const all = await forwarded('all', (_, response) => response.end());
    await all.listener.post(bytes(payload()), []);
    const told = await all.listener.untilTold(isForwarded);
    assert.equal(told.verdict, 'bad-signature');
    assert.equal(all.receiver.seen.length, 1);
  });

  it('answers before the target does, follows no redirect, and says why there was no answer', async () => {
    let release: (() => void) | undefined;
    const { listener } = await forwarded('verified', (_, response, number) => {
      if (number === 1) {
        release = () => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
      } else {
        response.socket?.destroy();
      }
    });
    const answer = await listener.deliver(payload());
    assert.equal(answer.status, 200);
    assert.equal(listener.told[0]?.forwarding, true);
    (await until(() => release, 'the target has it'))();
    assert.equal((await listener.untilTold(isForwarded)).forwarded?.status, 302);
    await listener.deliver(payload({ reference: 'two' }));
    const failed = await listener.untilTold((told) => told.reference === 'two' && isForwarded(told));
    assert.equal(failed.forwarded?.status, null);
    assert.match(failed.forwarded?.error ?? '', /closed/);
  });
});
