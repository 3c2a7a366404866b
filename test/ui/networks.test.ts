// Takes more than 20 s: one window goes through networks, their keys, and their failures.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { freePort } from '../support/freePort';
import { until } from '../support/until';
import type { Workbench } from './support/workbench';
import { patience } from './support/patience';
import { openWorkbench } from './support/workbench';

const key = 'k-1234567890-secret';
const hash = Buffer.alloc(32, 1).toString('base64');
const block = {
  '@type': 'ton.blockIdExt',
  workchain: -1,
  shard: '-9223372036854775808',
  seqno: 7,
  root_hash: hash,
  file_hash: hash,
};

describe('networks and keys', () => {
  let workbench: Workbench;
  let server: Server;
  let port: number;
  /** A service of two networks that has no traces. */
  let indexer: Server;
  const traced: string[] = [];
  let stalled: ServerResponse[] = [];
  let isLimited = false;
  let explorer: string;
  const keys: (string | undefined)[] = [];

  /** Begins to run a get-method. */
  const askSeqno = async (): Promise<void> => {
    await workbench.runCommand('TON: Run Get-Method…');
    await workbench.quickInput.asks('(1/3)');
    await workbench.quickInput.fill(namedAccounts[0]?.address ?? '');
    await workbench.quickInput.asks('(2/3)');
    await workbench.quickInput.fill('seqno');
    await workbench.quickInput.asks('(3/3)');
    await workbench.quickInput.fill('');
  };

  /** A v2 service that takes one key, tells its version, and never answers a get-method. */
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const given = request.headers['x-api-key'];
    keys.push(typeof given === 'string' ? given : undefined);
    if (isLimited) {
      const headers = { 'content-type': 'application/json', 'retry-after': '0' };
      response.writeHead(429, headers).end('{"ok":false,"code":429,"error":"Ratelimit exceed"}');
      return;
    }
    if (request.url?.includes('runGetMethod')) {
      stalled.push(response);
      return;
    }
    if (request.url?.startsWith('/api/v3')) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
      return;
    }
    const ok = given === undefined || given === key;
    response.writeHead(ok ? 200 : 401, { 'content-type': 'application/json', 'x-api-version': '2.1.11' });
    response.end(
      JSON.stringify(
        ok
          ? {
              ok: true,
              result: { '@type': 'blocks.masterchainInfo', last: block, state_root_hash: hash, init: block },
            }
          : { ok: false, code: 401, error: 'API key does not exist' },
      ),
    );
  };

  before(async () => {
    server = createServer(answer).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    ({ port } = server.address() as AddressInfo);
    indexer = createServer((request, response) => {
      traced.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"traces":[]}');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => indexer.once('listening', resolve));
    explorer = `http://127.0.0.1:${(indexer.address() as AddressInfo).port}`;
    const gone = `http://127.0.0.1:${await freePort()}`;
    workbench = await openWorkbench({
      settings: {
        'tonWorkbench.networks': [
          { name: 'Mine', v2: `http://127.0.0.1:${port}/api/v2`, globalId: -3 },
          { name: 'Broken', v2: 'ftp://nowhere' },
          { name: 'Linked', v3: `${explorer}/linked/api/v3` },
          { name: 'Next', v3: `${explorer}/next/api/v3` },
          { name: 'Gone', v2: `${gone}/api/v2`, v3: `${gone}/api/v3` },
        ],
      },
    });
  });
  after(async () => {
    await workbench?.close();
    stalled.forEach((response) => response.destroy());
    stalled = [];
    server?.closeAllConnections();
    server?.close();
    indexer?.closeAllConnections();
    indexer?.close();
  });

  it('opens a link on the network that it names, and looks again after a switch', async () => {
    const trace = 'ab'.repeat(32);
    await workbench.runCommand('TON: Switch Network…');
    await workbench.quickInput.pick(/Mine/);
    await workbench.statusBar.item('TON Mine').waitFor();
    await workbench.runCommand('TON: Open Trace…');
    await workbench.quickInput.fill(`${explorer}/transaction/${trace}`);
    const none = `No trace on this network has a transaction or message with the hash ${trace}`;
    await workbench.messages.waitForNotification(`Linked: ${none}`);
    assert.ok(
      traced.length > 0 && traced.every((url) => url.startsWith('/linked/api/v3/')),
      traced.join('\n'),
    );
    // Nothing is typed again.
    await workbench.messages.pressInNotification(`Linked: ${none}`, 'Switch Network…');
    await workbench.quickInput.pick(/Next/);
    await workbench.messages.waitForNotification(`Next: ${none}`);
    const hash64 = encodeURIComponent(Buffer.from(trace, 'hex').toString('base64'));
    assert.ok(
      traced.some(
        (url) => url.startsWith('/next/api/v3/traces') && (url.includes(trace) || url.includes(hash64)),
      ),
      traced.join('\n'),
    );
    await workbench.messages.clearNotifications();
    // An account's link asks before the workspace is switched.
    await workbench.runCommand('TON: Open Account…');
    await workbench.quickInput.fill(`${explorer}/${namedAccounts[0]?.address ?? ''}`);
    assert.match(
      (await workbench.messages.dialog()).detail,
      /The link belongs to Linked, but this workspace is on Next/,
    );
    await workbench.messages.pressInDialog('Switch to Linked');
    await workbench.statusBar.item('TON Linked').waitFor();
    // A document that opens takes the focus from a list that is open.
    await workbench.editor.waitForTitle(/ on Linked$/);
    await workbench.messages.clearNotifications();
    await workbench.runCommand('TON: Switch Network…');
    await workbench.quickInput.pick(/Mine/);
    await workbench.statusBar.item('TON Mine').waitFor();
  });

  it('marks the main network in the status bar, and reports an unusable setting', async () => {
    await workbench.runCommand('TON: Switch Network…');
    const items = await workbench.quickInput.readItems();
    assert.ok(
      items.some(({ label }) => /"Broken": v2 must be/.test(label)),
      JSON.stringify(items),
    );
    await workbench.screenshot('switch network dark');
    await workbench.quickInput.pick(/Mainnet/);
    const item = workbench.statusBar.item('TON Mainnet');
    await item.waitFor();
    assert.match((await item.getAttribute('class')) ?? '', /warning-kind/);
  });

  it('stores a key for one host, tests it, and removes it after confirmation', async () => {
    const setKey = async (value: string, action?: string): Promise<void> => {
      await workbench.runCommand('TON: API Key…');
      await workbench.quickInput.pick('Mine');
      if (action !== undefined) {
        await workbench.quickInput.pick(action);
      }
      await workbench.quickInput.asks(/API Key for/);
      await workbench.quickInput.fill(value);
      await workbench.messages.pressInNotification(/was saved/, 'Test It');
    };
    await setKey('wrong-key-000');
    await workbench.messages.waitForNotification(/API key is missing or unknown/);
    assert.ok(keys.includes('wrong-key-000'));
    await workbench.messages.clearNotifications();
    await setKey(key, 'Replace…');
    await workbench.messages.waitForNotification(/accepts this API key/);
    assert.equal(keys.at(-1), key);
    await workbench.messages.clearNotifications();
    await workbench.runCommand('TON: API Key…');
    await workbench.quickInput.pick('Mine');
    await workbench.quickInput.pick('Remove…');
    const dialog = await workbench.messages.dialog();
    assert.match(dialog.message, /Remove the API key/);
    await workbench.messages.pressInDialog('Remove');
  });

  // The web host has no native logger, so its output channels stay empty; the channel's own redaction is a unit test.
  it('never writes a key into the console or the server log', () => {
    const log = workbench.consoleText();
    assert.match(log, /API key is missing or unknown/, 'the refusal is there, so that something is read');
    for (const secret of [key, 'wrong-key-000']) {
      assert.ok(!log.includes(secret) && !workbench.host.log().includes(secret));
    }
  });

  it('adds a network in three steps, with the APIs that answer', async () => {
    await workbench.runCommand('TON: Switch Network…');
    // Below the networks, where it may need to be scrolled to.
    await workbench.quickInput.type('Add Network');
    await workbench.quickInput.pick(/Add Network…/);
    await workbench.quickInput.asks('TON: Add Network (1/3)');
    await workbench.quickInput.type('mine');
    assert.match(await workbench.quickInput.errorText(), /already taken/);
    await workbench.quickInput.fill('Staging');
    await workbench.quickInput.asks('TON: Add Network (2/3)');
    await workbench.quickInput.type('ftp://127.0.0.1');
    assert.match(await workbench.quickInput.errorText(), /not an http or https URL/);
    await workbench.quickInput.fill('http://127.0.0.1:9');
    await workbench.quickInput.asks('TON: Add Network (3/3)');
    const [unreachable] = await workbench.quickInput.readItems();
    assert.match(unreachable?.label ?? '', /Change the URL/);
    await workbench.quickInput.accept();
    await workbench.quickInput.asks('TON: Add Network (2/3)');
    await workbench.quickInput.fill(`http://127.0.0.1:${port}`);
    await workbench.quickInput.asks('TON: Add Network (3/3)');
    const [add] = await workbench.quickInput.readItems();
    assert.match(add?.label ?? '', /Add Staging and Switch to It/);
    assert.match(add?.description ?? '', /v2 answers: block 7, version 2\.1\.11; v3 does not answer$/);
    await workbench.screenshot('add network dark');
    await workbench.quickInput.accept();
    await workbench.statusBar.item('TON Staging').waitFor();
    await workbench.runCommand('TON: Switch Network…');
    const items = await workbench.quickInput.readItems();
    const staging = items.find(({ label }) => label.includes('Staging'));
    assert.match(staging?.description ?? '', new RegExp(`127\\.0\\.0\\.1:${port} \\(v2, no v3\\)`));
    await workbench.quickInput.cancel();
  });

  it('says what a network lacks, and cancels a call that hangs', async () => {
    await workbench.runCommand('TON: Switch Network…');
    await workbench.quickInput.pick(/Mine/);
    await workbench.statusBar.item('TON Mine').waitFor();
    await workbench.runCommand('TON: Open Trace…');
    await workbench.quickInput.fill('00'.repeat(32));
    await workbench.messages.waitForNotification(/has no v3 API/);
    await workbench.messages.clearNotifications();
    await askSeqno();
    await workbench.messages.waitForNotification('seqno on Mine');
    await workbench.screenshot('progress dark');
    await until(() => stalled.length > 0, 'the call');
    assert.equal(stalled.length, 1);
    const closed = new Promise((resolve) => stalled[0]?.once('close', resolve));
    await workbench.messages.pressInNotification('seqno on Mine', 'Cancel');
    await closed;
    await workbench.messages.notification('seqno on Mine').waitFor({ state: 'hidden' });
  });

  it('offers to set a key where a service without one answers that it is asked too often', async () => {
    isLimited = true;
    await askSeqno();
    const toast = workbench.messages.notification(/too many requests|rate limit/i);
    await toast.waitFor();
    await workbench.screenshot('rate limited dark');
    isLimited = false;
    await toast.locator('.monaco-button', { hasText: 'Set API Key…' }).click();
    await workbench.quickInput.row('Mine').waitFor();
    await workbench.quickInput.cancel();
    await workbench.messages.clearNotifications();
  });

  it('says that a network cannot be reached: in the list of methods, in the error, and in the status bar', async () => {
    await workbench.runCommand('TON: Switch Network…');
    await workbench.quickInput.pick(/Gone/);
    await workbench.statusBar.item('TON Gone').waitFor();
    await workbench.runCommand('TON: Run Get-Method…');
    await workbench.quickInput.fill('EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMS');
    await workbench.page.getByText('The methods of this contract cannot be read').first().waitFor();
    await workbench.screenshot('unreachable methods dark');
    await workbench.statusBar.item('TON Gone').locator('.codicon-debug-disconnect').waitFor();
    await workbench.quickInput.accept();
    await workbench.quickInput.accept();
    const toast = workbench.messages.notification(/cannot be reached|could not be reached/);
    await toast.waitFor();
    assert.deepEqual(await toast.locator('.monaco-button').allInnerTexts(), [
      'Retry',
      'Switch Network…',
      'Show Log',
    ]);
    await workbench.screenshot('unreachable error dark');
    // What was asked for goes on where it can: the contract and the method are not asked for again.
    const asked = stalled.length;
    await toast.locator('.monaco-button', { hasText: 'Switch Network…' }).click();
    await workbench.quickInput.pick(/Mine/);
    await workbench.messages.notification(/ on Mine/).waitFor();
    for (const end = Date.now() + patience; stalled.length === asked && Date.now() < end;) {
      await workbench.page.waitForTimeout(50);
    }
    await workbench.messages.pressInNotification(/ on Mine/, 'Cancel');
    assert.equal(stalled.length, asked + 1);
  });
});
