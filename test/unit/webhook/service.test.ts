import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { openListener } from '../../../src/toolkit/webhook/listener/listenerCore';
import { settableFields } from '../../../src/toolkit/webhook/payload/samplePayload';
import type { HmacSettings } from '../../../src/toolkit/webhook/provider/hmacSettings';
import { providerNames, providerOf } from '../../../src/toolkit/webhook/provider/providerOf';
import { headersToRead } from '../../../src/toolkit/webhook/send/headersToSend';
import { canReplay, resendDelivery } from '../../../src/toolkit/webhook/send/resendDelivery';
import { scenariosOf } from '../../../src/toolkit/webhook/send/scenariosOf';
import { sendScenario, sentFields } from '../../../src/toolkit/webhook/send/sendScenario';
import { describeWaits } from '../../../src/toolkit/webhook/views/sentNodes';
import { noSecretNode } from '../../../src/toolkit/webhook/views/deliveryNodes';
import { checkedRows } from '../../support/checkedRows';
import { startReceiver } from './support/receiver';
import { payload } from './support/sample';

describe('the service of a webhook listener', () => {
  const provider = (name: string): ReturnType<typeof providerOf> => providerOf({ name });

  it('can be each one of the setting, under its own title', () => {
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      contributes: {
        configuration: {
          properties: Record<string, { default: unknown; enum?: string[]; enumItemLabels?: string[] }>;
        }[];
      };
    };
    const setting = manifest.contributes.configuration
      .map(({ properties }) => properties['tonWorkbench.webhooks.service'])
      .find((one) => one !== undefined);
    assert.deepEqual(setting?.enum, providerNames);
    assert.equal(setting?.default, providerOf().name);
    // The other settings say the rest of an HMAC.
    const titles = providerNames.map((name) => provider(name).title.replace(/ \(.*/, ''));
    assert.deepEqual(setting?.enumItemLabels, titles);
  });

  it('gets a test secret of its form, and takes no other', () => {
    for (const name of providerNames) {
      const { secretForm } = provider(name);
      assert.equal(secretForm.problem(secretForm.make()), undefined, name);
      assert.notEqual(secretForm.make(), secretForm.make());
    }
    assert.match(provider('standard-webhooks').secretForm.make(), /^whsec_/);
    assert.match(provider('bicycle').secretForm.make(), /^[0-9a-f]{48}$/);
    assert.match(provider('standard-webhooks').secretForm.problem('my secret!') ?? '', /base64.*whsec_/);
    assert.match(provider('tonapi').secretForm.problem('two words') ?? '', /without spaces/);
    assert.equal(provider('hmac').secretForm.problem('my secret!'), undefined);
  });

  it('takes no text that is not base64 for a key of Standard Webhooks: it would be an empty one', () => {
    const service = provider('standard-webhooks');
    const body = Buffer.from('{}');
    const forged = service.sign(body, 'whsec_', []);
    const verdict = service.verify(forged, body, [{ name: 'odd', value: '!!!' }], []);
    assert.equal(!verdict.ok && verdict.problem, 'no-secret');
  });

  it('says what is wrong with the settings of an HMAC', () => {
    const usual: HmacSettings = { header: 'X-Code', prefix: 'HMAC ', encoding: 'hex', algorithm: 'sha256' };
    assert.equal(providerOf({ name: 'hmac', hmac: usual }).signatureHeaders[0], 'X-Code');
    for (const [change, words] of [
      [{ header: 'X Code' }, /"X Code" is not the header/],
      [{ header: undefined }, /is not the header/],
      [{ prefix: ' x' }, /" x" is not the prefix/],
      [{ algorithm: 'md5' }, /"md5" is not the hash of an HMAC/],
      [{ encoding: 'base58' }, /"base58" is not the encoding/],
    ] as const) {
      assert.throws(
        () => providerOf({ name: 'hmac', hmac: { ...usual, ...change } as HmacSettings }),
        (error) =>
          WorkbenchError.is(error) &&
          error.code === 'hmac-invalid' &&
          words.test(error.message) &&
          error.hint !== undefined,
      );
    }
  });

  it('offers the fields that its deliveries tell of', () => {
    const of = (name: string): string[] => sentFields(provider(name), payload()).toSorted();
    assert.deepEqual(of('tonapi'), ['recipientAddr', 'txHash']);
    assert.deepEqual(of('bicycle'), [
      'amount',
      'commentToRecipient',
      'date',
      'rawAmount',
      'recipientAddr',
      'reference',
      'senderAddr',
      'txHash',
    ]);
    assert.deepEqual(of('ton-pay'), settableFields.toSorted());
  });

  it('has its scenarios in its own words: no signature and no reference where it has none', async () => {
    for (const name of ['tonapi', 'bicycle']) {
      const texts = scenariosOf(providerOf({ name })).flatMap(({ title, rule }) => [title, rule]);
      assert.deepEqual(
        texts.filter((text) => /sign|secret|reference/.test(text)),
        [],
        name,
      );
      assert.ok(texts.includes('a delivery with another token') && texts.includes('a body that is not JSON'));
    }
    assert.ok(
      scenariosOf(providerOf({ name: 'bicycle' })).some(
        ({ title }) => title === 'a transfer with an unknown user_id',
      ),
    );
    const receiver = await startReceiver((_, response) => response.end());
    try {
      const provider = providerOf({ name: 'tonapi' });
      const rows = await checkedRows({
        ...{ url: receiver.url, secret: 'a-token', provider },
        only: ['wrong-secret', 'no-signature'],
      });
      assert.equal(rows[1]?.note, 'Another token is accepted too, so tokens do not seem to be checked.');
    } finally {
      await receiver.close();
    }
  });

  it('is listened to with the headers of the settings only if it has several', () => {
    assert.deepEqual(headersToRead(provider('ton-pay'), ['X-Mine']), ['X-Mine']);
    assert.deepEqual(headersToRead(provider('bicycle'), ['X-Mine']), ['Authorization']);
  });

  it('tells its waits, and what a listener without a secret does', () => {
    const waits = (name: string): string | undefined => describeWaits(provider(name).delivery.retryDelaysMs);
    assert.equal(waits('ton-pay'), '1, 5, and 15 s');
    assert.equal(waits('standard-webhooks'), '5 s, 5 min, and 30 min');
    assert.deepEqual([waits('tonapi'), waits('bicycle')], ['1, 5, and 15 s', undefined]);
    assert.equal(noSecretNode(provider('ton-pay')).label, 'every delivery is refused: there is no secret');
    assert.equal(noSecretNode(provider('tonapi')).label, 'every delivery is refused: there is no token');
    assert.equal(noSecretNode(provider('bicycle')).label, 'every delivery is accepted: there is no token');
  });

  it('has its deliveries signed anew for a resend, if they would not be genuine as they came', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tonwb-service-'));
    try {
      for (const name of providerNames) {
        const service = provider(name);
        const secret = service.secretForm.make();
        const listener = await openListener({
          ...{ port: 0, provider: { name }, journalDirectory: path.join(folder, name) },
          secrets: [{ name: 'test', value: secret }],
        });
        try {
          const url = new URL(listener.url);
          await sendScenario({ url, provider: service, secret, scenario: 'success', once: true });
          const [first] = listener.list().items.map((item) => JSON.parse(item) as { id: string });
          const kept = listener.get(first?.id ?? '');
          assert.ok(kept);
          const again = { url, provider: service, retries: 0 };
          const anew = await resendDelivery(kept, { ...again, secret });
          assert.equal(anew.attempts[0]?.status, 200, name);
          if (canReplay(service)) {
            assert.equal((await resendDelivery(kept, again)).attempts[0]?.status, 200, name);
          }
        } finally {
          await listener.close();
        }
      }
      assert.deepEqual(
        providerNames.filter((name) => canReplay(provider(name))),
        ['ton-pay', 'hmac'],
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
