import { Address, beginCell, Cell, loadMessage } from '@ton/core';
import { UserRejectsError } from '@tonconnect/sdk';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { hurryTimers } from '../support/hurryTimers';
import { lastError, launchHere, runCommandLine } from '../support/commandLine';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';
import { askToConnect, connected, openDApp, startManifestSite } from '../support/testDApp';
import type { DAppStorage, ManifestSite } from '../support/testDApp';
import { ownsAddress, verifiesProof, verifiesSignedData } from '../support/tonConnectProofs';
import { until } from '../support/until';
import { startWalletCommand } from '../support/walletCommand';
import type { WalletCommand } from '../support/walletCommand';

describe('the test wallet against @tonconnect/sdk', () => {
  let localnet: LocalnetCommand;
  let site: ManifestSite;
  let folder: string;
  let wallet: WalletCommand;
  let endHurry = (): void => undefined;

  before(async () => {
    localnet = await startLocalnetCommand();
    site = await startManifestSite();
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-wallet-'));
  });
  after(async () => {
    site.close();
    await localnet.stop();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => endHurry());
  afterEach(() => (wallet as WalletCommand | undefined)?.stop());

  const inTenMinutes = (): number => Math.floor(Date.now() / 1000) + 600;
  const friendly = (name: string): string =>
    Address.parse(localnet.rawOf(name)).toString({ bounceable: false });

  for (const account of ['alice', 'bob']) {
    it(`connects, proves, pays once, signs, and disconnects as ${account}`, async () => {
      wallet = await startWalletCommand(localnet.origin, '--approve', 'all', '--account', account);
      assert.equal(wallet.ready.account, account);
      const dApp = openDApp(site.manifestUrl, wallet.ready.walletsList);
      const connecting = connected(dApp);
      await askToConnect(dApp, wallet.ready, 'nonce-42');
      const { account: shown, connectItems, device } = await connecting;
      assert.equal(shown.address, wallet.ready.address);
      assert.equal(shown.chain, '-239');
      assert.ok(ownsAddress(shown), 'the state init leads to the address and has the key');
      const proof = connectItems?.tonProof;
      assert.ok(proof !== undefined && 'proof' in proof);
      assert.equal(proof.proof.payload, 'nonce-42');
      assert.equal(proof.proof.domain.value, site.domain);
      assert.ok(verifiesProof(shown, proof.proof), 'the proof verifies');
      assert.ok(!verifiesProof(shown, { ...proof.proof, payload: 'nonce-43' }), 'another payload does not');
      assert.equal(device.appName, 'ton-workbench');

      const { boc } = await dApp.sendTransaction({
        validUntil: inTenMinutes(),
        network: '-239',
        from: shown.address,
        messages: [
          { address: friendly('carol'), amount: '250000000' },
          {
            address: friendly('carol'),
            amount: '1',
            payload: beginCell().storeUint(7, 32).endCell().toBoc().toString('base64'),
          },
        ],
      });
      const message = loadMessage(Cell.fromBase64(boc).beginParse());
      assert.equal(message.info.type, 'external-in');
      await localnet.untilIdle();
      assert.deepEqual(await localnet.valuesSent(account, 'carol'), ['250000000', '1']);
      const asked = wallet.lines.find(
        ({ method, request }) => method === 'sendTransaction' && request !== undefined,
      );
      assert.match(asked?.asks ?? '', /^pay .*0\.25 TON/);
      assert.equal(asked?.rehearsal, null, 'nobody is asked, so that nothing is rehearsed');

      const payloads = [
        { type: 'text' as const, text: 'Rent for March: ünïcode\n2 lines' },
        { type: 'binary' as const, bytes: Buffer.from([0, 255, 7]).toString('base64') },
        {
          type: 'cell' as const,
          schema: 'note#_ text:uint8 = Note;',
          cell: beginCell().storeUint(5, 8).endCell().toBoc().toString('base64'),
        },
      ];
      for (const payload of payloads) {
        const signed = await dApp.signData(payload);
        assert.ok(verifiesSignedData(shown.publicKey ?? '', signed), payload.type);
        assert.ok(!verifiesSignedData(shown.publicKey ?? '', { ...signed, timestamp: signed.timestamp + 1 }));
        assert.equal(signed.domain, site.domain);
      }
      await dApp.disconnect();
      const { answered } = await wallet.take(
        ({ answer, method }) => answer !== undefined && method === 'disconnect',
      );
      assert.equal(answered, true);
    });
  }

  it('rejects, and refuses what wallets must refuse', async () => {
    const script = path.join(folder, 'decisions.json');
    await writeFile(script, '["approve", "reject", "wrong-network"]');
    wallet = await startWalletCommand(
      localnet.origin,
      '--approve',
      'all',
      '--script',
      script,
      '--account',
      'bob',
    );
    const dApp = openDApp(site.manifestUrl, wallet.ready.walletsList);
    const connecting = connected(dApp);
    await askToConnect(dApp, wallet.ready);
    await connecting;
    const pay = (change: object = {}, amount = '1'): Promise<unknown> =>
      dApp.sendTransaction({
        ...{ validUntil: inTenMinutes(), messages: [{ address: friendly('dave'), amount }] },
        ...change,
      });
    await assert.rejects(pay(), UserRejectsError);
    await assert.rejects(pay(), /another network/);
    // What the SDK would not let through itself is tried without it in the unit tests.
    await assert.rejects(pay({ from: localnet.ready.accounts[0]?.address }), /Bad request|from/i);
    await assert.rejects(pay({}, '1.5'), /amount/);
    await localnet.untilIdle();
    assert.deepEqual(await localnet.valuesSent('bob', 'dave'), []);
  });

  it('loses nothing and answers once when the wallet is killed before, during, and after a decision', async () => {
    endHurry = hurryTimers();
    const state = path.join(folder, 'killed');
    const start = async (port: string): Promise<WalletCommand> =>
      startWalletCommand(localnet.origin, '--account', 'frank', '--state', state, '--port', port);
    wallet = await start('0');
    const port = new URL(wallet.ready.bridge).port;
    const store: DAppStorage = new Map();
    const dApp = openDApp(site.manifestUrl, wallet.ready.walletsList, store);
    const connecting = connected(dApp);
    await askToConnect(dApp, wallet.ready);
    const restart = async (): Promise<void> => {
      await wallet.stop('SIGKILL');
      wallet = await start(port);
      // The SDK gives up a stream that breaks, until its page gets the focus again: this is what it does then.
      dApp.pauseConnection();
      await dApp.unPauseConnection();
    };
    // Before the decision about the connection.
    await wallet.take(({ request }) => request === 1);
    await restart();
    await wallet.take(({ request }) => request === 1);
    wallet.type('approve');
    await connecting;
    // Before the decision about a payment.
    const paying = dApp.sendTransaction({
      validUntil: inTenMinutes(),
      messages: [{ address: friendly('grace'), amount: '1000' }],
    });
    await wallet.take(({ request }) => request === 2);
    await restart();
    const askedAgain = await wallet.take(({ request }) => request === 2);
    assert.equal(askedAgain.rehearsal?.accepted, true);
    wallet.type('approve');
    assert.ok((await paying).boc.length > 0);
    // While it is carried out: killed at once, it goes on by itself.
    const payingAgain = dApp.sendTransaction({
      validUntil: inTenMinutes(),
      messages: [{ address: friendly('grace'), amount: '1000' }],
    });
    await wallet.take(({ request }) => request === 3);
    wallet.type('answer-late 3 1');
    while ((await localnet.valuesSent('frank', 'grace')).length < 2) {
      // The network makes a block within milliseconds.
    }
    await restart();
    assert.ok((await payingAgain).boc.length > 0);
    await localnet.untilIdle();
    assert.deepEqual(await localnet.valuesSent('frank', 'grace'), ['1000', '1000'], 'each was paid once');
    // After the answer: a dApp that starts again is connected, and gets no answer twice.
    await restart();
    const again = openDApp(site.manifestUrl, wallet.ready.walletsList, store);
    const restored = connected(again);
    await again.restoreConnection();
    assert.equal((await restored).account.address, wallet.ready.address);
    dApp.pauseConnection();
    const signing = again.signData({ type: 'text', text: 'still here' });
    await wallet.take(({ request }) => request === 4);
    wallet.type('approve');
    assert.equal((await signing).payload.type, 'text');
  });

  it('refuses to exist for any other network, as the payment API does', async () => {
    wallet = await startWalletCommand(localnet.origin);
    for (const [command, code] of [
      ['wallet', 'wallet-local-only'],
      ['payments', 'payment-local-only'],
    ] as const) {
      const run = await runCommandLine([command, '--network', 'mainnet', '--port', '0', '--json']);
      assert.deepEqual([run.stdout, lastError(run).code], ['', code]);
    }
  });

  it('reads also what was typed before it was ready, and lists its lines after another one', async () => {
    const input = Readable.from(['approve\n', 'sumbit\n']);
    const running = launchHere(['wallet', '--network', localnet.origin, '--json'], folder, {}, { input });
    await until(() => running.written().stderr.includes('No request is pending.'));
    await until(() =>
      /none of the lines[^]* approve-lose-answer [^]* submit-twice /.test(running.written().stderr),
    );
    running.stop();
    await running.ended;
  });

  it('decides nothing that was not shown yet, whatever is typed', async () => {
    wallet = await startWalletCommand(localnet.origin, '--account', 'heidi');
    const dApp = openDApp(site.manifestUrl, wallet.ready.walletsList);
    const connecting = connected(dApp);
    await askToConnect(dApp, wallet.ready);
    await wallet.take(({ request }) => request === 1);
    wallet.type('approve');
    await connecting;
    const typing = setInterval(() => ['approve', 'approve 2'].forEach((line) => wallet.type(line)), 5);
    try {
      await dApp.sendTransaction({
        validUntil: inTenMinutes(),
        messages: [{ address: friendly('grace'), amount: '5' }],
      });
    } finally {
      clearInterval(typing);
    }
    const asked = await wallet.take(({ request, answer }) => request === 2 || answer === 2);
    assert.equal(asked.request, 2, 'the request stands before its answer');
    assert.equal(asked.rehearsal?.accepted, true);
  });
});
