import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beginCell } from '@ton/core';
import { canonicalAddress } from '../../../src/toolkit/address/canonicalAddress';
import { readTransfers } from '../../../src/toolkit/webhook/payload/readTransfers';
import { startListen } from './support/commandLine';
import { startListener, stopListeners, temporaryDirectory } from './support/listener';
import { closeServer, listen } from './support/receiver';
import { bytes, payload, recipient, secret, sender, signed } from './support/sample';
import { runCommandLine } from '../../support/commandLine';
import { sendHttpRequest } from '../../../src/toolkit/webhook/send/sendHttpRequest';
import { WorkbenchError } from '../../../src/toolkit/base/errors';

const comment = beginCell().storeUint(0, 32).storeStringTail('Payment for order #1234').endCell();
const paid = payload({ bodyBase64Hash: comment.hash().toString('base64') });
const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

/** The v3 API of a network on which {@link paid} happened. */
function paidNetwork(): Server {
  const { txHash, traceId, date } = paid.data;
  const message = {
    hash: base64('12'.repeat(32)),
    source: canonicalAddress(sender),
    destination: canonicalAddress(recipient),
    value: '10500000000',
    bounced: false,
    message_content: { hash: paid.data.bodyBase64Hash, body: comment.toBoc().toString('base64') },
  };
  const transaction = {
    account: canonicalAddress(recipient),
    ...{ hash: base64(txHash), trace_id: base64(traceId), lt: '1', now: Date.parse(date) / 1_000 },
    description: { type: 'ord', aborted: false },
    ...{ in_msg: message, out_msgs: [] },
  };
  const trace = {
    trace_id: base64(traceId),
    trace_info: { trace_state: 'complete' },
    transactions_order: [base64(txHash)],
    transactions: { [base64(txHash)]: transaction },
  };
  return createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const isKnown = [...searchParams.values()].some((value) =>
      [txHash, base64(txHash)].includes(value.toLowerCase()),
    );
    const books = { address_book: {}, metadata: {} };
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify(
        pathname.endsWith('/transactions')
          ? { transactions: isKnown ? [transaction] : [], ...books }
          : pathname.endsWith('/traces')
            ? { traces: isKnown ? [trace] : [], ...books }
            : { jetton_wallets: [], ...books },
      ),
    );
  });
}

describe('webhook verify', () => {
  let server: Server;
  let network: string;
  let directory: string;
  beforeEach(async () => {
    server = paidNetwork();
    network = await listen(server);
    directory = await temporaryDirectory();
  });
  afterEach(async () => {
    await closeServer(server);
    await stopListeners();
  });

  const file = async (name: string, text: string): Promise<string> => {
    const whole = path.join(directory, name);
    await writeFile(whole, text);
    return whole;
  };
  const verify = (...args: string[]): ReturnType<typeof runCommandLine> =>
    runCommandLine(['webhook', 'verify', ...args, '--network', network]);

  it('compares a payload with the chain, field by field', async () => {
    const good = await verify(await file('good.json', JSON.stringify(paid, null, 2)));
    assert.equal(good.status, 0, good.stderr);
    assert.match(good.stdout, /✓ as recorded on .*10 fields equal, 0 different, 0 unknown/);
    const wrong = { ...paid, data: { ...paid.data, rawAmount: '10500000001' } };
    const bad = await verify(await file('bad.json', JSON.stringify(wrong)), '--json');
    assert.equal(bad.status, 1);
    const line = JSON.parse(bad.stdout) as { ok: boolean; fields: { field: string; verdict: string }[] };
    assert.equal(line.ok, false);
    assert.deepEqual(
      line.fields.filter(({ verdict }) => verdict !== 'equal').map(({ field }) => field),
      ['amount'],
    );
    assert.match(bad.stderr, /payment-differs/);
    const renamed = { ...paid, data: { ...paid.data, asset: 'DUCAT' } };
    const coin = await verify(await file('coin.json', JSON.stringify(renamed)), '--coin', 'ducat');
    assert.equal(coin.status, 0, coin.stderr);
  });

  it('reads the output of listen, an export, and a delivery in a journal by id', async () => {
    const journal = path.join(directory, 'journal');
    const secretFile = await file('secret', secret);
    const process = await startListen(['--secret-file', secretFile, '--journal', journal]);
    const body = bytes(paid);
    const send = { url: process.url, method: 'POST', timeoutMs: 5_000 };
    await sendHttpRequest({ ...send, headers: [signed(body)], body });
    await sendHttpRequest({ ...send, headers: [], body });
    const lines = await process.untilLines(2);
    const id = String(lines[0]?.['id']);
    const text = [{ url: process.url.href }, ...lines].map((line) => JSON.stringify(line)).join('\n');
    const told = await verify(await file('lines.jsonl', text), '--json');
    assert.equal(told.status, 0, told.stderr);
    assert.equal((JSON.parse(told.stdout) as { id: string }).id, id, 'what was not verified is passed over');
    await process.end('SIGTERM');
    const kept = await verify(id, '--journal', journal);
    assert.equal(kept.status, 0, kept.stderr);
    assert.match(kept.stdout, new RegExp(`^Delivery ${id}, reference "ref-1"`));
    const listener = await startListener({ journalDirectory: journal });
    const exported = path.join(directory, 'export.jsonl');
    await listener.export(exported, { verdicts: ['accepted'] });
    assert.equal((await verify(exported)).status, 0);
    const inUse = await verify(id, '--journal', journal);
    assert.equal(inUse.status, 0, 'also while a listener uses it');
  });

  it('says what was not found, and what contains no payment', async () => {
    const other = 'ee'.repeat(32);
    const elsewhere = { ...paid, data: { ...paid.data, txHash: other, traceId: other } };
    const missing = await verify(await file('missing.json', JSON.stringify(elsewhere)));
    assert.equal(missing.status, 1);
    assert.match(missing.stderr, /payment-not-found.*--network/);
    for (const [args, code] of [
      [[path.join(directory, 'absent.json')], 'deliveries-unreadable'],
      [[await file('broken.json', '{"a":1}\n{')], 'deliveries-unreadable'],
      [[await file('none.json', '{"event":"transfer.refunded"}')], 'no-payment'],
      [['some-id', '--journal', path.join(directory, 'absent')], 'deliveries-unreadable'],
      [['some-id', '--journal', directory], 'delivery-unknown'],
    ] as const) {
      const result = await verify(...args);
      assert.equal(result.status, 2, code);
      assert.match(result.stderr, new RegExp(code));
    }
  });

  it('finds transfers in any JSON without crashing', () => {
    for (const text of ['null', '[]', '[null,1,"x"]', '{"payment":{}}', '{"payment":7,"bodyBase64":3}']) {
      assert.throws(
        () => readTransfers(text),
        (error) => WorkbenchError.is(error, 'no-payment'),
        text,
      );
    }
    assert.equal(readTransfers(JSON.stringify([paid, paid])).length, 2);
  });
});
