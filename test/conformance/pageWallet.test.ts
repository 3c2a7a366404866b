import { Address } from '@ton/core';
import assert from 'node:assert/strict';
import { startLocalnet } from '../../src/library/localnet';
import type { Localnet } from '../../src/library/localnet';
import { failureNotes } from '../../src/library/failureNotes';
import { judgeOutcome } from '../../src/library/judgeOutcome';
import { openPageWallet } from '../../src/library/openPageWallet';
import type { PageWallet } from '../../src/library/openPageWallet';
import type { TonOptions } from '../../src/library/pageWalletTypes';
import { startManifestSite } from '../support/testDApp';
import type { ManifestSite } from '../support/testDApp';
import { until } from '../support/until';

/** The wallet of an end-to-end test, without a browser: its page is written here. */
describe("the wallet of a test's page", () => {
  let net: Localnet;
  let site: ManifestSite;
  let opened: PageWallet;
  let post: (path: string, body: object) => Promise<void>;
  let next: number;

  before(async () => {
    [net, site] = await Promise.all([startLocalnet(), startManifestSite()]);
  });
  after(async () => {
    site.close();
    await net.close();
  });
  afterEach(() => opened.close());

  const patience = 60_000;
  const client = '5e'.repeat(32);
  const bob = (): string => Address.parse(net.accounts[1]?.address ?? '').toString({ bounceable: false });
  const open = async (options: TonOptions = {}): Promise<void> => {
    opened = await openPageWallet(options, net, () => patience);
    const [, origin = ''] = /const origin = "([^"]+)"/.exec(opened.script) ?? [];
    next = 1;
    post = async (path, body) => {
      const { ok } = await fetch(origin + path, { method: 'POST', body: JSON.stringify(body) });
      assert.ok(ok, path);
    };
    const request = { manifestUrl: site.manifestUrl, items: [{ name: 'ton_addr' }] };
    await post('/injected/connect', { client, request });
  };
  const ask = (method: string, address = bob()): Promise<void> => {
    const params = [JSON.stringify({ messages: [{ address, amount: '5' }] })];
    return post(`/injected/message?client=${client}`, { method, params, id: `${next++}` });
  };

  it('pays only if the test says so', async () => {
    await open();
    await opened.wallet.approve();
    await ask('sendTransaction');
    const wrong = { decision: 'rejct' } as never;
    await assert.rejects(opened.wallet.approve(wrong), {
      code: 'usage',
      message: /"rejct" .*approve, reject,/,
    });
    const rejected = await opened.wallet.reject();
    assert.deepEqual([rejected.number, rejected.error?.code, rejected.hash], [2, 300, undefined]);
    await ask('sendTransaction');
    const paid = await opened.wallet.approve();
    assert.deepEqual(await judgeOutcome(paid), { pass: true, why: undefined });
  });

  it('tells who waits in vain what was refused', async () => {
    await open();
    await opened.wallet.approve();
    await ask('sendTransaction', net.accounts[1]?.address);
    await until(() => opened.wallet.answers.length === 2);
    async function theTest(): Promise<void> {
      await opened.wallet.approve({ timeout: 1 });
    }
    const error = await theTest().catch((one: unknown) => one as Error);
    assert.match(
      error?.message ?? '',
      /within 1 ms; request 2 \(sendTransaction\) was refused at once with code 1: .+/,
    );
    assert.match(error?.stack ?? '', /\n +at (?:async )?theTest \(.*pageWallet\.test.*/);
    assert.equal(
      (error?.stack ?? '').split('\n').findIndex((line) => /theTest/.test(line)),
      1,
    );
  });

  it('submits the last signed message, and has the trace of each submission', async () => {
    await open();
    await opened.wallet.approve();
    await assert.rejects(opened.wallet.relay(), { code: 'wallet-not-signed', message: /signed no message/ });
    await ask('signMessage');
    const signed = await opened.wallet.approve();
    await assert.rejects(judgeOutcome(signed), { code: 'trace-not-found', message: /relay\(\) submits it/ });
    await assert.rejects(opened.wallet.relay(signed.number, 'sumbit' as never), { code: 'usage' });
    assert.deepEqual(opened.relayed, [], 'nothing was submitted');
    const submitted = await opened.wallet.relay(undefined, 'submit-twice');
    const [first, second] = submitted;
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual([first.number, first.accepted, second.accepted], [signed.number, true, false]);
    assert.deepEqual(await judgeOutcome(first), { pass: true, why: undefined });
    assert.match((await judgeOutcome(second)).why ?? '', /133/);
    assert.match((await judgeOutcome(submitted)).why ?? '', /^submission 2 of 2: .*133/);
    await ask('sendTransaction');
    await until(() => opened.undecided.length === 1);
    const notes = await failureNotes(opened);
    assert.deepEqual(
      notes.map(({ name }) => name),
      [
        ...['trace of request 2, submission 1', 'page of request 2, submission 1'],
        ...['trace of request 2, submission 2', 'page of request 2, submission 2', 'request 3 is undecided'],
      ],
    );
    assert.match(notes[0]?.body ?? '', /^sign for a relayer: pay bob [^\n]*\n\nNothing failed\.\n/);
    assert.match(notes[1]?.body ?? '', /^<!DOCTYPE html>[^]*<script type="application\/json" id="page">/);
    assert.match(notes[2]?.body ?? '', /133/);
    assert.match(notes[4]?.body ?? '', /^request 3 \(pay bob [^)]*\) waits for a decision\n$/);
    await assert.rejects(opened.wallet.relay(99), { code: 'wallet-not-signed', message: /Request 99/ });
  });

  it('is refused with a word that it does not know', async () => {
    const refused = openPageWallet({ features: ['v1' as never] }, net, () => patience);
    await assert.rejects(refused, {
      code: 'wallet-features-unknown',
      message: /"v1"\. Give some of these.*no-sign-message/,
      stack: /^WorkbenchError: [^\n]*$/,
    });
    await open({ features: ['no-sign-message'] });
    await opened.wallet.approve();
    await ask('signMessage');
    await until(() => opened.wallet.answers.length === 2);
    await assert.rejects(opened.wallet.approve({ timeout: 1 }), { message: /signMessage.* code 400/ });
  });
});
