// Takes more than 20 s: one window goes through every way to compose and send a message.
import {
  Address,
  Cell,
  SendMode,
  beginCell,
  external,
  internal,
  loadMessage,
  storeMessage,
  toNano,
} from '@ton/core';
import { TonClient, WalletContractV5R1 } from '@ton/ton';
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { callControl } from '../../src/toolkit/localnet/callControl';
import { freePort } from '../support/freePort';
import { signTransfer } from '../support/transfer';
import { patience } from './support/patience';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

describe('sending a BoC after a rehearsal', () => {
  let workbench: Workbench;
  let v2: string;
  let control: string;
  let sendOnly: Server;
  let lossy: Server;
  const bob = Address.parse(namedAccounts[1]?.address ?? '');
  const nobody = new Address(0, Buffer.alloc(32, 7));

  before(async () => {
    const [port, otherPort, lossyPort] = [await freePort(), await freePort(), await freePort()];
    v2 = `http://127.0.0.1:${port}/api/v2`;
    control = `http://127.0.0.1:${port}/control`;
    const v3 = `http://127.0.0.1:${port}/api/v3`;
    sendOnly = await serveSendingOnly(v2, otherPort);
    lossy = await serveLosingMessages(`http://127.0.0.1:${port}`, lossyPort);
    const lossyApi = `http://127.0.0.1:${lossyPort}/api`;
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.ports': { localNetwork: port },
        'tonWorkbench.localNetwork.confirmSends': true,
        'tonWorkbench.networks': [
          { name: 'Real', v2, v3, kind: 'mainnet' },
          { name: 'Blind', v2: `http://127.0.0.1:${otherPort}/api/v2` },
          { name: 'Lossy', v2: `${lossyApi}/v2`, v3: `${lossyApi}/v3`, kind: 'testnet' },
        ],
      },
    });
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
  });
  after(async () => {
    await workbench?.close();
    sendOnly?.close();
    lossy?.close();
  });

  afterEach(async () => {
    await workbench.page.keyboard.press('Escape');
    await workbench.page.keyboard.press('Escape');
  });

  const copy = (text: string): Promise<void> =>
    workbench.page.evaluate((value) => {
      // A page that was closed takes the focus along.
      window.focus();
      return navigator.clipboard.writeText(value);
    }, text);
  const send = async (boc: Buffer): ReturnType<Workbench['messages']['dialog']> => {
    await copy(boc.toString('base64'));
    await workbench.runCommand('TON: Send BoC…');
    await workbench.quickInput.pick(/Clipboard/);
    return workbench.messages.dialog();
  };
  const switchTo = async (name: string): Promise<void> => {
    await workbench.runCommand('TON: Switch Network…');
    await workbench.quickInput.pick(new RegExp(name));
    await workbench.statusBar.item(new RegExp(`TON ${name}`)).waitFor();
  };
  const seqnoAbove = async (boc: Buffer): Promise<void> => {
    const { body } = loadMessage(Cell.fromBoc(boc)[0]!.beginParse());
    const seqno = body.beginParse().skip(96).loadUint(32);
    const alice = Address.parse(namedAccounts[0]?.address ?? '');
    for (const end = Date.now() + patience; Date.now() < end; await workbench.page.waitForTimeout(50)) {
      const client = new TonClient({ endpoint: `${v2}/jsonRPC` });
      if ((await client.runMethod(alice, 'seqno')).stack.readNumber() > seqno) {
        return;
      }
    }
  };
  const balance = (address: Address): Promise<bigint> =>
    new TonClient({ endpoint: `${v2}/jsonRPC` }).getBalance(address);

  const bobReceives = async (before: bigint, least: string): Promise<void> => {
    const end = Date.now() + patience;
    while ((await balance(bob)) - before <= toNano(least)) {
      assert.ok(Date.now() < end, `bob did not receive ${least} TON`);
      await workbench.page.waitForTimeout(100);
    }
  };

  it('shows what will happen, and only then sends', async () => {
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
    await workbench.editor.waitForTitle(/^report on rehearsal of /);
    await workbench
      .view('Traces')
      .row(/12\.5 TON/)
      .waitFor();
    assert.match(
      (await workbench.view('Traces').rows())[0]?.label ?? '',
      /^rehearsal, not sent: .*12\.5 TON/,
    );
    const text = await workbench.openDocumentText();
    assert.match(text, /^predicted trace$/m);
    await workbench.screenshot('rehearsal dark');
    assert.equal(await balance(bob), before, 'a rehearsal sends nothing');
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Send…' }).click();
    await workbench.messages.dialog();
    await workbench.messages.pressInDialog('Send 12.5 TON');
    await workbench.statusBar.item(/on Local\. It happened (exactly )?as rehearsed\./).waitFor();
    await workbench.screenshot('as rehearsed dark');
    assert.equal((await balance(bob)) > before, true);
    await workbench.messages.clearNotifications();
  });

  it('says why a message would be refused, and sends nothing', async () => {
    await workbench.setPictureTheme('light');
    const { boc } = await signTransfer(v2, nobody, '1');
    let dialog = await send(boc);
    assert.match(dialog.detail, /has no contract yet\./);
    await workbench.messages.pressInDialog('Send 1 TON');
    await workbench.statusBar.item(/as rehearsed/).waitFor();
    await workbench.messages.clearNotifications();
    const before = await balance(nobody);
    assert.ok(before > 0n);
    dialog = await send(boc);
    assert.match(dialog.message, /^Would fail: .*seqno 1, the wallet expects 2/);
    assert.match(dialog.detail, /refused: seqno 1, the wallet expects 2/);
    assert.deepEqual(dialog.buttons.sort(), ['Cancel', 'Send Anyway', 'Show Rehearsal']);
    await workbench.screenshot('refused dialog light');
    await workbench.messages.pressInDialog('Cancel');
    assert.equal(await balance(nobody), before, 'nothing was sent');
  });

  it('sends a message that is refused if the user insists, and reports the refusal', async () => {
    const { boc } = await signTransfer(v2, bob, '1');
    await new TonClient({ endpoint: `${v2}/jsonRPC` }).sendFile(boc);
    await seqnoAbove(boc);
    await send(boc);
    await workbench.messages.pressInDialog('Send Anyway');
    const told = await workbench.messages.waitForNotification(/exit code 133|refus|reject/i);
    await workbench.screenshot('sent anyway light');
    assert.doesNotMatch(told, /^Sent/);
    await workbench.messages.clearNotifications();
  });

  it('says that there is no account at an unknown address', async () => {
    const stranger = WalletContractV5R1.create({ workchain: 0, publicKey: Buffer.alloc(32, 3) });
    const body = stranger.createTransfer({
      seqno: 0,
      secretKey: Buffer.alloc(64, 3),
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to: bob, value: toNano('1') })],
    });
    const message = beginCell().store(storeMessage(external({ to: stranger.address, body })));
    const dialog = await send(message.endCell().toBoc());
    assert.match(dialog.detail, /refused: no such account: it has never received coins/);
    await workbench.messages.pressInDialog('Cancel');
  });

  it('warns if the outcome differs from the rehearsal', async () => {
    const { boc, sender } = await signTransfer(v2, bob, '5');
    const dialog = await send(boc);
    assert.match(dialog.detail, /succeeds/);
    // While the dialog is open the sender loses its coins.
    const address = sender.toRawString();
    await callControl(control, 'setAccount', { address, balance: toNano('1').toString() });
    await workbench.messages.pressInDialog('Send 5 TON');
    const told = await workbench.messages.waitForNotification(/not happen as rehearsed/);
    await workbench.screenshot('not as rehearsed light');
    assert.match(told, /1 transaction instead of 2\./);
    await callControl(control, 'setAccount', { address, balance: toNano('1000').toString() });
    await workbench.messages.clearNotifications();
  });

  it('composes a message step by step, with a back button', async () => {
    const before = await balance(bob);
    await workbench.runCommand('TON: Compose Message…');
    await workbench.quickInput.asks('TON: Compose Message');
    await workbench.quickInput.type('nobody at all');
    await workbench.quickInput.type('bob');
    await workbench.quickInput.pick('bob');
    await workbench.quickInput.asks(/Message to bob \(2\/4\)/);
    await workbench.quickInput.fill('0.3');
    assert.match(await workbench.quickInput.errorText(), /Position 1: .*0\.3ton/);
    await workbench.quickInput.fill('0.3ton');
    await workbench.quickInput.asks(/of 0\.3ton to bob/);
    await workbench.page.locator('.quick-input-widget .codicon-quick-input-back').click();
    await workbench.quickInput.asks(/Message to bob \(2\/4\)/);
    await workbench.quickInput.fill('0.4ton');
    await workbench.quickInput.asks(/of 0\.4ton to bob/);
    await workbench.quickInput.fill('comment "by hand"');
    await workbench.quickInput.pick('carol');
    const dialog = await workbench.messages.dialog();
    assert.match(dialog.detail, /carol \(.*\) sends 0\.4 TON to bob \(.*\), comment "by hand"/);
    assert.match(dialog.detail, /succeeds/);
    await workbench.screenshot('composed dialog light');
    await workbench.messages.pressInDialog('Send 0.4 TON');
    await bobReceives(before, '0.39');
    await workbench.statusBar.item(/as rehearsed/).waitFor();
    await workbench.messages.clearNotifications();
  });

  it("composes a message from one line, even in a contract's name", async () => {
    const before = await balance(bob);
    await workbench.runCommand('TON: Compose Message…');
    await workbench.quickInput.asks('TON: Compose Message');
    await workbench.quickInput.type('send bob 2ton body b(u32 7) as');
    await workbench.quickInput.row(/A contract is missing/).waitFor();
    await workbench.screenshot('compose refusal light');
    await workbench.quickInput.type('send bob 2ton body b(u32 7) as alice');
    await workbench.quickInput.pick('Compose this message');
    const dialog = await workbench.messages.dialog();
    assert.match(dialog.detail, /alice \(.*\), without a signature, sends 2 TON to bob/i);
    await workbench.messages.pressInDialog('Send');
    await bobReceives(before, '1.9');
    await workbench.statusBar.item(/as rehearsed/).waitFor();
    await workbench.messages.clearNotifications();
  });

  it('names the main network and the amount', async () => {
    await switchTo('Real');
    const before = await balance(bob);
    await workbench.compose(`send ${bob.toString()} 2ton`);
    await workbench.messages.waitForNotification(
      /MAIN NETWORK: 2 TON is more than one request may move, 1 TON/,
    );
    await workbench.messages.clearNotifications();
    await workbench.compose(`send ${bob.toString()} 0.5ton`);
    const asked = await workbench.messages.dialog();
    assert.equal(asked.message, 'Send to the main network?');
    assert.match(asked.detail, /MAIN NETWORK: this moves real coins/);
    await workbench.screenshot('main network hand-over');
    await workbench.messages.pressInDialog('Choose How to Sign…');
    await workbench.quickInput.pick(/Link and QR Code/);
    await workbench.editor.waitForTitle('Confirm in Your Wallet');
    await workbench.editor.webview().getByText('MAIN NETWORK: these are real coins.').waitFor();
    await workbench.inBothThemes('main network link');
    await workbench.messages.pressInNotification(/0.5 TON to/, 'Cancel');
    await workbench.messages.waitForNotification(/Stopped waiting.*the wallet may send it until/);
    await workbench.messages.clearNotifications();
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

  it('warns before another message while the outcome of an earlier one is unknown', async () => {
    await switchTo('Lossy');
    const first = await signTransfer(v2, bob, '7');
    await send(first.boc);
    await workbench.messages.pressInDialog('Send 7 TON');
    // Who cancels has handed the message over already.
    await workbench.messages.pressInNotification(/Sending to Lossy/, 'Cancel');
    const told = await workbench.messages.waitForNotification(/may still be executed/);
    assert.match(told, /Do not sign another message/);
    await workbench.screenshot('outcome unknown light');
    await workbench.messages.clearNotifications();
    const second = await signTransfer(v2, bob, '8');
    const warning = await send(second.boc);
    assert.match(warning.message, /The outcome of an earlier message is still unknown/);
    assert.match(warning.detail, /Lossy[\s\S]*both may be/);
    assert.deepEqual(warning.buttons.sort(), ['Cancel', 'Continue Anyway', 'Follow It']);
    await workbench.screenshot('open outcome dialog light');
    await workbench.messages.pressInDialog('Continue Anyway');
    assert.match((await workbench.messages.dialog()).detail, /sends 8 TON to/);
    await workbench.messages.pressInDialog('Cancel');
    // Once the network shows the first one, nothing is unknown any more.
    await new TonClient({ endpoint: `${v2}/jsonRPC` }).sendFile(first.boc);
    await seqnoAbove(first.boc);
    const third = await signTransfer(v2, bob, '9');
    assert.match((await send(third.boc)).detail, /sends 9 TON to/);
    await workbench.messages.pressInDialog('Cancel');
  });

  // A network that does not tell what it is counts as the main network.
  it('says that it could not rehearse, and still sends', async () => {
    await switchTo('Blind');
    const before = await balance(bob);
    const { boc } = await signTransfer(v2, bob, '3');
    const dialog = await send(boc);
    assert.equal(dialog.message, 'Send to the main network without a rehearsal?');
    assert.match(dialog.detail, /It could not be rehearsed here: .*\. What the network will do is unknown\./);
    assert.deepEqual(dialog.buttons.sort(), ['Cancel', 'Send Anyway']);
    await workbench.screenshot('no rehearsal dialog light');
    await workbench.messages.pressInDialog('Send Anyway');
    await workbench.messages.waitForNotification(/Sent: .* cannot be followed/);
    for (const end = Date.now() + patience; (await balance(bob)) === before && Date.now() < end;) {
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

/** A service that passes on everything but messages: those it takes, and never answers. */
async function serveLosingMessages(target: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void (async () => {
        const body = Buffer.concat(chunks).toString();
        if (/sendBoc|"method":"sendBoc/.test(`${request.url} ${body}`)) {
          return;
        }
        const answer = await fetch(`${target}${request.url}`, {
          method: request.method ?? 'GET',
          headers: { 'content-type': 'application/json' },
          ...(body === '' ? {} : { body }),
        });
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(await answer.text());
      })();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}
