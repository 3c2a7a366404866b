import assert from 'node:assert/strict';
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { ErrorCode } from '../../../src/toolkit/base/errorCodes';
import { SteppedClock } from '../../support/steppedClock';
import { refusedEarly, startListener, stopListeners, temporaryDirectory } from './support/listener';
import { bytes, payload, recipient, secret, signed } from './support/sample';

const order = { reference: 'ref-1', amount: '10.5', asset: 'TON', recipient };

async function rejects(work: Promise<unknown>, code: ErrorCode): Promise<void> {
  await assert.rejects(work, (error) => WorkbenchError.is(error, code));
}

describe('webhook listener', () => {
  afterEach(stopListeners);

  it('accepts a signed delivery: written to the journal, order paid, small answer without the payload', async () => {
    const listener = await startListener({ orders: [order] });
    const answer = await listener.deliver(payload());
    assert.equal(answer.status, 200);
    assert.equal(answer.json.received, true);
    assert.ok(answer.text.length < 200 && !answer.text.includes('ref-1'));
    const [told] = listener.told;
    assert.equal(told?.verdict, 'accepted');
    assert.equal(told?.reason, null);
    assert.equal(told?.secret, 'shop');
    assert.equal(told?.transfer, 'success');
    assert.equal(told?.id, answer.json.id);
    assert.deepEqual(
      listener.orders().map(({ reference, state, txHash, time }) => ({ reference, state, txHash, time })),
      [{ reference: 'ref-1', state: 'paid', txHash: payload().data.txHash, time: payload().data.date }],
    );
    const full = listener.get(told?.id ?? '');
    assert.deepEqual(full?.body, bytes(payload()));
    assert.equal(full?.verdict, 'accepted');
  });

  it('answers each verdict with its status', async () => {
    const listener = await startListener({ orders: [order] });
    const cases: [value: unknown, status: number, verdict: string, transfer: string | null][] = [
      [payload({ status: 'pending' }), 200, 'unknown-status', 'pending'],
      [payload({ status: 'failed', rawAmount: '1' }), 200, 'mismatch', 'failed'],
      [payload({ status: 'failed', errorCode: 36 }), 200, 'transfer-failed', 'failed'],
      [payload({ rawAmount: '10500000001' }), 200, 'mismatch', 'success'],
      [payload({ reference: 'ref-2' }), 200, 'unknown-order', 'success'],
      [payload(), 200, 'accepted', 'success'],
      [payload(), 200, 'repeat', 'success'],
      [payload({ status: 'failed' }), 200, 'transfer-failed', 'failed'],
      [payload({ assetTicker: null as unknown as string }), 200, 'repeat', 'success'],
      [{ ...payload(), event: 'transfer.refunded' }, 400, 'wrong-event', null],
      [payload({ rawAmount: 'x' }), 400, 'malformed', null],
      ['nonsense', 400, 'malformed', null],
    ];
    for (const [value, status, verdict, transfer] of cases) {
      const answer = await listener.deliver(value);
      const told = listener.told.at(-1);
      assert.deepEqual(
        [answer.status, told?.status, told?.verdict, told?.transfer, answer.json.verdict],
        [status, status, verdict, transfer, verdict],
      );
      assert.equal(told?.reason === null, verdict === 'accepted');
    }
    const broken = await listener.deliver(payload({ date: 'soon' }));
    assert.equal(broken.json.path, 'data.date');
  });

  it('refuses in the order of checks: path, method, host, browser, encoding, size, signature', async () => {
    const clock = new SteppedClock();
    const listener = await startListener({ allowedHosts: ['shop.example', '*.tunnel.example'] }, { clock });
    const body = bytes(payload());
    const good = signed(body);
    const post = `POST /webhook HTTP/1.1\r\n`;
    const host = `Host: 127.0.0.1:${listener.port}\r\n`;
    const rest = `${good.join(': ')}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body.toString()}`;
    const cases: [request: string, status: number][] = [
      [`POST /other HTTP/1.1\r\nHost: evil.example\r\n${rest}`, 404],
      [`POST /webhook/ HTTP/1.1\r\n${host}${rest}`, 404],
      [`GET /webhook HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`, 405],
      [`${post}Host: evil.example\r\nOrigin: https://evil.example\r\n${rest}`, 421],
      [`${post}Host: 127.0.0.1:1\r\n${rest}`, 421],
      [`${post}${rest}`, 421],
      [`${post}${host}${host}${rest}`, 421],
      [`${post}Host: tunnel.example\r\n${rest}`, 421],
      [`${post}${host}Origin: null\r\nContent-Encoding: gzip\r\n${rest}`, 403],
      [`${post}${host}Sec-Fetch-Site: none\r\n${rest}`, 403],
      [`${post}${host}Content-Encoding: gzip\r\n${rest}`, 415],
      [`${post}${host}Connection: close\r\nContent-Length: 1048577\r\n\r\n`, 413],
      [`${post}${host}Connection: close\r\nContent-Length: 2\r\n\r\n{}`, 401],
      [`${post}${host}${rest}`, 200],
      [`${post}Host: localhost:${listener.port}\r\n${rest}`, 200],
      [`${post}Host: [::1]:${listener.port}\r\n${rest}`, 200],
      [`${post}Host: Shop.Example\r\n${rest}`, 200],
      [`${post}Host: shop.example:443\r\n${rest}`, 200],
      [`${post}Host: a.tunnel.example\r\n${rest}`, 200],
      [`POST /webhook?from=test HTTP/1.1\r\n${host}${rest}`, 200],
    ];
    for (const [request, status] of cases) {
      const answer = await (status === 413 ? refusedEarly(listener, clock, request) : listener.raw(request));
      assert.equal(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]), status, request);
    }
    assert.equal(listener.told.length, cases.length - 2, 'all that reached the path are told, and no others');
    assert.ok(listener.told.every(({ verdict, reason }) => reason !== null || verdict === 'accepted'));
  });

  it('accepts nothing compressed, oversized, or re-signed', async () => {
    const listener = await startListener();
    const body = bytes(payload());
    const zipped = gzipSync(body);
    assert.equal((await listener.post(zipped, [signed(zipped), ['Content-Encoding', 'gzip']])).status, 415);
    const huge = bytes(payload({ commentToSender: 'x'.repeat(2 * 1024 * 1024) }));
    const refused = await listener.post(huge, [signed(huge)]);
    assert.equal(refused.status, 413);
    assert.equal(listener.told.at(-1)?.verdict, 'too-large');
    const vast = Buffer.alloc(24 * 1024 * 1024, 0x20);
    assert.equal(
      (await listener.post(vast, [signed(vast)])).status,
      413,
      'answered, not reset, while it still sends',
    );
    const limit = bytes(payload({ commentToSender: '' }));
    const full = bytes(payload({ commentToSender: 'x'.repeat(1024 * 1024 - limit.length) }));
    assert.equal(full.length, 1024 * 1024);
    assert.equal((await listener.deliver(full)).status, 200, 'exactly the limit is taken');
    assert.equal((await listener.post(body, [signed(body, 'other')])).status, 401);
    assert.equal((await listener.post(body, [])).status, 401);
    assert.equal(
      (await listener.post(body, [signed(body), ['X-TonPay-Signature', 'sha256=00']])).status,
      401,
    );
  });

  it('recognizes a repeat, even if two arrive at once', async () => {
    const listener = await startListener({ orders: [order] });
    const answers = await Promise.all(Array.from({ length: 20 }, () => listener.deliver(payload())));
    assert.ok(answers.every(({ status }) => status === 200));
    const verdicts = listener.told.map(({ verdict }) => verdict).sort();
    assert.deepEqual(verdicts, ['accepted', ...Array.from({ length: 19 }, () => 'repeat')]);
  });

  it('remembers deliveries, orders, and repeats after a restart', async () => {
    const journalDirectory = await temporaryDirectory();
    const first = await startListener({ orders: [order], journalDirectory });
    await first.deliver(payload());
    await first.deliver('broken');
    await first.close();
    const second = await startListener({ orders: [order], journalDirectory });
    assert.equal(second.list().total, 2);
    assert.equal(second.orders()[0]?.state, 'paid');
    await second.deliver(payload());
    assert.equal(second.told[0]?.verdict, 'repeat');
  });

  it('refuses everything without a secret, accepts several, and names the one that matched', async () => {
    const listener = await startListener({ secrets: [] });
    await listener.deliver(payload());
    assert.equal(listener.told[0]?.verdict, 'bad-signature');
    assert.match(listener.told[0]?.reason ?? '', /no secret/);
    listener.change({
      secrets: [
        { name: 'new', value: 'something-new' },
        { name: 'current', value: secret },
      ],
    });
    await listener.deliver(payload());
    assert.equal(listener.told[1]?.secret, 'current');
    assert.throws(
      () => listener.change({ secrets: [{ name: 'empty', value: '' }] }),
      (error) => WorkbenchError.is(error, 'secret-empty'),
    );
    await rejects(startListener({ secrets: [{ name: 'empty', value: '' }] }), 'secret-empty');
  });

  it('keeps secrets and credentials out of the journal and of what it reports', async () => {
    const listener = await startListener();
    const body = bytes(payload({ commentToRecipient: `the secret is ${secret}` }));
    await listener.post(
      body,
      [
        signed(body),
        ['Authorization', 'Bearer very-private'],
        ['Cookie', 'a=very-private'],
        ['X-Note', secret],
      ],
      `/webhook?key=${secret}`,
    );
    assert.equal(listener.told[0]?.verdict, 'accepted');
    const full = listener.get(listener.told[0]?.id ?? '');
    assert.equal(full?.bodyRedacted, true);
    await listener.close();
    for (const name of await readdir(listener.directory)) {
      const text = await readFile(path.join(listener.directory, name), 'utf8');
      assert.ok(!text.includes(secret) && !text.includes('very-private'));
      const { mode } = await stat(path.join(listener.directory, name));
      assert.equal(process.platform === 'win32' ? 0 : mode & 0o077, 0, 'only the owner reads it');
    }
    assert.ok(!JSON.stringify(listener.told.map(({ payment: _payment, ...rest }) => rest)).includes(secret));
  });

  it('lists, filters, searches, pages, exports, and clears', async () => {
    const listener = await startListener({ orders: [order] });
    await listener.deliver(payload());
    await listener.deliver(payload({ reference: 'Some-Other "one"' }));
    await listener.deliver('broken');
    assert.deepEqual(
      listener.list().items.map((item) => (JSON.parse(item) as { verdict: string }).verdict),
      ['malformed', 'unknown-order', 'accepted'],
    );
    assert.equal(listener.list({ verdicts: ['accepted', 'malformed'] }).total, 2);
    assert.equal(listener.list({ text: 'some-other "ONE"' }).total, 1);
    const before = (JSON.parse(listener.list().items[0] ?? '') as { id: string }).id;
    assert.equal(listener.list({ before, limit: 1 }).items.length, 1);
    const file = path.join(listener.directory, 'export.jsonl');
    assert.equal(await listener.export(file, { text: 'ref-1' }), 1);
    const exported = JSON.parse(await readFile(file, 'utf8')) as { body: string; bodyBase64: string };
    assert.deepEqual(JSON.parse(exported.body), payload());
    assert.deepEqual(Buffer.from(exported.bodyBase64, 'base64'), bytes(payload()));
    await listener.clear();
    assert.equal(listener.list().total, 0);
    assert.equal(listener.orders()[0]?.state, 'open');
    await listener.deliver(payload());
    assert.equal(listener.told.at(-1)?.verdict, 'accepted');
  });

  it('refuses a taken port, a journal in use, a bad path, and a target that leads back to itself', async () => {
    const listener = await startListener();
    await rejects(startListener({ port: listener.port }), 'port-in-use');
    await rejects(startListener({ journalDirectory: listener.directory }), 'journal-in-use');
    await rejects(startListener({ path: 'webhook' }), 'path-invalid');
    await rejects(startListener({ path: '/a?b' }), 'path-invalid');
    await rejects(startListener({ forward: { url: 'ftp://x/', which: 'all' } }), 'forward-invalid');
    await rejects(startListener({ forward: { url: 'https://a:b@x/', which: 'all' } }), 'forward-invalid');
    const { port } = listener;
    await listener.close();
    await rejects(
      startListener({ port, forward: { url: `http://localhost:${port}/webhook`, which: 'all' } }),
      'forward-to-itself',
    );
    assert.equal((await startListener({ port })).port, port, 'a refused start leaves nothing behind');
  });
});
