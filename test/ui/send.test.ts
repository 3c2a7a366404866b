import { Address } from '@ton/core';
import { TonClient } from '@ton/ton';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { freePort } from '../support/freePort';
import { signTransfer } from '../support/transfer';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

describe('sending a BoC after a rehearsal', function () {
  this.timeout(180_000);
  let workbench: Workbench;
  let v2: string;
  let sendOnly: Server;
  const bob = Address.parse(namedAccounts[1]?.address ?? '');
  const nobody = new Address(0, Buffer.alloc(32, 7));

  before(async () => {
    const [port, otherPort] = [await freePort(), await freePort()];
    v2 = `http://127.0.0.1:${port}/api/v2`;
    const v3 = `http://127.0.0.1:${port}/api/v3`;
    sendOnly = await serveSendingOnly(v2, otherPort);
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.localNetwork.port': port,
        'tonWorkbench.networks': [
          { name: 'Real', v2, v3, kind: 'mainnet' },
          { name: 'Blind', v2: `http://127.0.0.1:${otherPort}/api/v2` },
        ],
      },
    });
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
  });
  after(async () => {
    await workbench?.close();
    sendOnly?.close();
  });

  afterEach(async () => {
    await workbench.page.keyboard.press('Escape');
    await workbench.page.keyboard.press('Escape');
  });

  const copy = (text: string): Promise<void> =>
    workbench.page.evaluate((value) => navigator.clipboard.writeText(value), text);
  const send = async (boc: Buffer): ReturnType<Workbench['messages']['dialog']> => {
    await copy(boc.toString('base64'));
    await workbench.runCommand('TON: Send BoC…');
    await workbench.quickInput.pick(/The clipboard/);
    return workbench.messages.dialog();
  };
  const switchTo = async (name: string): Promise<void> => {
    await workbench.runCommand('TON: Switch Network…');
    await workbench.quickInput.pick(new RegExp(name));
    await workbench.statusBar.item(new RegExp(`TON ${name}`)).waitFor();
  };
  const balance = (address: Address): Promise<bigint> =>
    new TonClient({ endpoint: `${v2}/jsonRPC` }).getBalance(address);

  it('says what will happen, shows it, and only then sends it', async () => {
    const before = await balance(bob);
    const { boc } = await signTransfer(v2, bob, '12.5', 'rent');
    const dialog = await send(boc);
    assert.equal(dialog.message, 'Send to Local?');
    assert.match(dialog.detail, /alice \(.*\) sends 12\.5 TON to bob \(.*\), comment "rent"/);
    assert.match(dialog.detail, /Rehearsed against block \d+: succeeds, fees 0\.\d+.* TON/);
    assert.ok(dialog.detail.includes(`12.5 TON to ${bob.toString()}`), dialog.detail);
    assert.deepEqual(dialog.buttons.sort(), ['Cancel', 'Send 12.5 TON', 'Show Rehearsal']);
    await workbench.screenshot('send dialog dark');
    await workbench.messages.pressInDialog('Show Rehearsal');
    await workbench.editor.waitForTitle(/^rehearsal of /);
    await workbench
      .view('Traces')
      .row(/12\.5 TON/)
      .waitFor();
    assert.match((await workbench.view('Traces').rows())[0]?.label ?? '', /^rehearsal: .*12\.5 TON/);
    const text = await workbench.openDocumentText();
    assert.match(text, /^predicted trace$/m);
    await workbench.screenshot('rehearsal dark');
    assert.equal(await balance(bob), before, 'a rehearsal sends nothing');
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Send…' }).click();
    await workbench.messages.dialog();
    await workbench.messages.pressInDialog('Send 12.5 TON');
    const told = await workbench.messages.waitForNotification(/Sent: .* as rehearsed/);
    await workbench.screenshot('as rehearsed dark');
    assert.match(told, /on Local\. It happened (exactly )?as rehearsed\./);
    assert.equal((await balance(bob)) > before, true);
    await workbench.messages.clearNotifications();
  });

  it('says why a message would be refused, and sends nothing', async () => {
    await workbench.setTheme('light');
    const { boc } = await signTransfer(v2, nobody, '1');
    let dialog = await send(boc);
    assert.match(dialog.detail, /has no contract yet\./);
    await workbench.messages.pressInDialog('Send 1 TON');
    await workbench.messages.waitForNotification(/as rehearsed/);
    await workbench.messages.clearNotifications();
    const before = await balance(nobody);
    assert.ok(before > 0n);
    dialog = await send(boc);
    assert.equal(dialog.message, 'Local would refuse this message.');
    assert.match(dialog.detail, /refused: seqno 1, the wallet expects 2/);
    assert.deepEqual(dialog.buttons.sort(), ['Cancel', 'Send Anyway', 'Show Rehearsal']);
    await workbench.screenshot('refused dialog light');
    await workbench.messages.pressInDialog('Cancel');
    assert.equal(await balance(nobody), before, 'nothing was sent');
  });

  it('names the main network and the amount', async () => {
    await switchTo('Real');
    const before = await balance(bob);
    const { boc } = await signTransfer(v2, bob, '2.25');
    const dialog = await send(boc);
    assert.equal(dialog.message, 'Send to the main network?');
    assert.match(dialog.detail, /cannot be taken back/);
    assert.match(dialog.detail, /Rehearsed against block/);
    assert.deepEqual(dialog.buttons.sort(), ['Cancel', 'Send 2.25 TON', 'Show Rehearsal']);
    await workbench.screenshot('main network dialog light');
    await workbench.messages.pressInDialog('Cancel');
    assert.equal(await balance(bob), before, 'nothing was sent');
  });

  it('says that it could not rehearse, and sends all the same', async () => {
    await switchTo('Blind');
    const before = await balance(bob);
    const { boc } = await signTransfer(v2, bob, '3');
    const dialog = await send(boc);
    assert.equal(dialog.message, 'Send to Blind?');
    assert.match(dialog.detail, /It could not be rehearsed: .*\. What it will do is not known\./);
    assert.deepEqual(dialog.buttons.sort(), ['Cancel', 'Send 3 TON']);
    await workbench.screenshot('no rehearsal dialog light');
    await workbench.messages.pressInDialog('Send 3 TON');
    await workbench.messages.waitForNotification(/Sent: .* cannot be followed/);
    for (const end = Date.now() + 10_000; (await balance(bob)) === before && Date.now() < end;) {
      await workbench.page.waitForTimeout(100);
    }
    assert.equal((await balance(bob)) > before, true);
  });
});

/** A service that passes messages on and answers nothing else. */
async function serveSendingOnly(target: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const name = (request.url ?? '').split('/').at(-1) ?? '';
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void (async () => {
        response.setHeader('content-type', 'application/json');
        if (!name.startsWith('sendBoc')) {
          response.statusCode = 404;
          response.end(JSON.stringify({ ok: false, error: 'not served here', code: 404 }));
          return;
        }
        const answer = await fetch(`${target}/${name}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: Buffer.concat(chunks).toString(),
        });
        response.statusCode = answer.status;
        response.end(await answer.text());
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}
