import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sendHttpRequest } from '../../../src/toolkit/webhook/send/sendHttpRequest';
import { signBody } from '../../../src/toolkit/webhook/delivery/signature';
import { startListen } from './support/commandLine';
import type { ListenProcess } from './support/commandLine';
import { startListener, stopListeners, temporaryDirectory } from './support/listener';
import { startReceiver } from './support/receiver';
import { bytes, payload, recipient, secret } from './support/sample';
import { runCommandLine } from '../../support/commandLine';
import { itOnPosix } from '../../support/itOnPosix';
import { until } from '../../support/until';

describe('webhook command', () => {
  const processes: ListenProcess[] = [];
  let directory: string;
  let secretFile: string;

  const listen = async (...parameters: Parameters<typeof startListen>): Promise<ListenProcess> => {
    const started = await startListen(...parameters);
    processes.push(started);
    return started;
  };

  async function post(url: URL, value: unknown, key = secret): Promise<number> {
    const body = bytes(value);
    const headers: [string, string][] = [['X-TonPay-Signature', signBody(body, key)]];
    const answer = await sendHttpRequest({ url, method: 'POST', headers, body, timeoutMs: 5_000 });
    return answer.status;
  }

  beforeEach(async () => {
    directory = await temporaryDirectory();
    secretFile = path.join(directory, 'shop-secret');
    await writeFile(secretFile, `${secret}\n`);
  });

  afterEach(async () => {
    await Promise.all(processes.splice(0).map((one) => one.end('SIGKILL')));
    await stopListeners();
  });

  it('listen prints the address, then one JSON line per request', async () => {
    const orders = path.join(directory, 'orders.json');
    await writeFile(
      orders,
      JSON.stringify([{ reference: 'ref-1', amount: '10.5', asset: 'TON', recipient }]),
    );
    const crlf = path.join(directory, 'second');
    await writeFile(crlf, 'second-secret\r\n');
    const one = await listen(['--secret-file', secretFile, '--secret-file', crlf, '--orders', orders]);
    assert.match(one.url.href, /^http:\/\/127\.0\.0\.1:\d+\/webhook$/);
    await post(one.url, payload());
    await post(one.url, payload(), 'second-secret');
    await post(one.url, payload({ reference: 'other' }));
    await post(one.url, payload(), 'wrong');
    await sendHttpRequest({
      url: one.url,
      method: 'GET',
      headers: [],
      body: Buffer.alloc(0),
      timeoutMs: 5_000,
    });
    const lines = await one.untilLines(5);
    assert.deepEqual(
      lines.map(({ status, verdict, secret: name, transfer, reference }) => [
        status,
        verdict,
        name,
        transfer,
        reference,
      ]),
      [
        [200, 'accepted', 'shop-secret', 'success', 'ref-1'],
        [200, 'repeat', 'second', 'success', 'ref-1'],
        [200, 'unknown-order', 'shop-secret', 'success', 'other'],
        [401, 'bad-signature', null, null, null],
        [405, 'malformed', null, null, null],
      ],
    );
    for (const line of lines) {
      assert.deepEqual(Object.keys(line), [
        'version',
        'id',
        'receivedAt',
        'status',
        'verdict',
        'reason',
        'rules',
        'warnings',
        'event',
        'reference',
        'transfer',
        'payment',
        'secret',
        'forwarded',
      ]);
      assert.equal(line.reason === null, line.verdict === 'accepted');
    }
    const { data } = payload();
    const { amount, asset, txHash, traceId, bodyBase64Hash } = lines[0]?.payment as typeof data;
    assert.deepEqual(
      [amount, asset, txHash, traceId, bodyBase64Hash],
      [data.amount, data.asset, data.txHash, data.traceId, data.bodyBase64Hash],
    );
    assert.deepEqual([lines[0]?.event, lines[0]?.warnings], ['transfer.completed', []]);
    // Windows ends a process without asking it.
    assert.equal(await one.end('SIGTERM'), process.platform === 'win32' ? 'SIGTERM' : 0);
  });

  it('listen has each verdict, with its status and, for all but accepted, a reason', async () => {
    const orders = path.join(directory, 'orders.json');
    await writeFile(orders, JSON.stringify([{ reference: 'ref-1', amount: '10.5', asset: 'TON' }]));
    const one = await listen(['--secret-file', secretFile, '--orders', orders]);
    const failed = { status: 'failed', errorCode: 36, errorMessage: 'Not enough TON' };
    const sent: [value: unknown, verdict: string, status: number, transfer: string | null][] = [
      [payload({ rawAmount: '10500000001' }), 'mismatch', 200, 'success'],
      [payload(failed), 'transfer-failed', 200, 'failed'],
      [payload(), 'accepted', 200, 'success'],
      [payload(), 'repeat', 200, 'success'],
      [payload({ reference: 'x' }), 'unknown-order', 200, 'success'],
      [{ ...payload(), event: 'transfer.refunded' }, 'wrong-event', 400, null],
      ['{"event":', 'malformed', 400, null],
      ['x'.repeat(1024 * 1024 + 1), 'too-large', 413, null],
    ];
    for (const [value, , status] of sent) {
      assert.equal(await post(one.url, value), status);
    }
    assert.equal(await post(one.url, payload(), 'forged'), 401);
    const lines = await one.untilLines(sent.length + 1);
    const expected = [...sent.map(([, ...rest]) => rest), ['bad-signature', 401, null]];
    assert.deepEqual(
      lines.map(({ verdict, status, transfer }) => [verdict, status, transfer]),
      expected,
    );
    for (const line of lines) {
      assert.equal(line.reason === null, line.verdict === 'accepted', String(line.verdict));
      assert.ok(!Number.isNaN(Date.parse(String(line.receivedAt))) && typeof line.id === 'string');
      assert.ok(Array.isArray(line.rules) && line.forwarded === null);
      const isVerified = !['bad-signature', 'too-large'].includes(String(line.verdict));
      assert.equal(line.secret, isVerified ? 'shop-secret' : null, String(line.verdict));
    }
  });

  it('listen accepts every well-formed success if there are no orders', async () => {
    const one = await listen(['--secret-file', secretFile]);
    await post(
      one.url,
      payload({ reference: 'a', asset: 'whatever', rawAmount: '1', amount: '0.000000001' }),
    );
    assert.equal((await one.untilLines(1))[0]?.verdict, 'accepted');
  });

  it("send prints the receiver's error for people when it refused", async () => {
    const one = await listen(['--secret-file', secretFile]);
    const args = ['webhook', 'send', '--url', one.url.href, '--time-scale', '0.001', '--scenario', 'success'];
    const other = path.join(directory, 'other');
    await writeFile(other, 'another secret');
    const { status, stdout, stderr } = await runCommandLine([...args, '--secret-file', other]);
    assert.equal(status, 1);
    assert.match(stdout, /attempt 1: 401 in [\d.]+ ms: .*no-match.*; again in/);
    assert.match((JSON.parse(stderr) as { message: string }).message, /no-match/);
    assert.doesNotMatch(stdout + stderr, /another secret/);
  });

  it('marks required options in its help', async () => {
    const { stdout } = await runCommandLine(['webhook', 'send', '--help']);
    for (const name of ['--url', '--secret-file', '--scenario']) {
      assert.match(stdout, new RegExp(`${name} <\\w+>\\s+required:`), name);
    }
    assert.doesNotMatch(stdout, /--json\s+required/);
  });

  it('listen refuses the next deliveries on purpose', async () => {
    const how = ['--refuse-next', '1', '--refuse-with', '503'];
    const one = await listen(['--secret-file', secretFile, ...how]);
    assert.equal(await post(one.url, payload()), 503);
    assert.equal(await post(one.url, payload()), 200);
    const [refused, accepted] = await one.untilLines(2);
    assert.deepEqual(
      [refused?.verdict, refused?.onPurpose, accepted?.verdict],
      ['on-purpose', { how: 'status', status: 503, number: 1, of: 1 }, 'accepted'],
    );
  });

  it('listen forwards, and its line waits for the answer', async () => {
    let release: (() => void) | undefined;
    const app = await startReceiver((_, response) => {
      release = () => response.writeHead(201).end('ok');
    });
    const one = await listen(['--secret-file', secretFile, '--forward', app.url.href]);
    assert.equal(await post(one.url, payload()), 200);
    const answer = await until(() => release, 'it is forwarded');
    assert.deepEqual(one.lines, []);
    answer();
    const [line] = await one.untilLines(1);
    assert.equal((line?.forwarded as { status: number }).status, 201);
    await app.close();
  });

  it('refuses bad input with status 2', async () => {
    const empty = path.join(directory, 'empty');
    await writeFile(empty, '\n');
    const orders = path.join(directory, 'orders.json');
    await writeFile(orders, '[{}]');
    const cases: [args: string[], code: string][] = [
      [['listen', '--secret-file', empty], 'secret-empty'],
      [['listen', '--secret-file', path.join(directory, 'absent')], 'secret-file-unreadable'],
      [['listen', '--secret-file', secretFile, '--port', '70000'], 'port-invalid'],
      [['listen', '--secret-file', secretFile, '--orders', orders], 'orders-invalid'],
      [
        ['send', '--url', 'http://shop.example/', '--secret-file', secretFile, '--scenario', 'success'],
        'https-required',
      ],
      [
        ['send', '--url', 'http://localhost/', '--secret-file', secretFile, '--scenario', 'x'],
        'scenario-unknown',
      ],
      [
        [
          'send',
          '--url',
          'http://localhost/',
          '--secret-file',
          secretFile,
          '--scenario',
          'success',
          '--set',
          'a=1',
        ],
        'field-unknown',
      ],
    ];
    for (const [args, code] of cases) {
      const { status, stderr } = await runCommandLine(['webhook', ...args]);
      assert.equal(status, 2, code);
      assert.equal((JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { code: string }).code, code);
    }
  });

  it('check says what statuses cannot show, and refuses an invalid header at once', async () => {
    const listener = await startListener();
    const to = ['--url', listener.url, '--secret-file', secretFile];
    const checked = await runCommandLine(['webhook', 'check', ...to, '--time-scale', '0.1']);
    assert.match(checked.stdout, /look at that order/);
    const bad = await runCommandLine([
      'webhook',
      'send',
      ...to,
      '--scenario',
      'success',
      '--header',
      'bad header',
    ]);
    assert.deepEqual([bad.status, bad.stderr.includes('header-invalid')], [2, true]);
    const elsewhere = ['--url', new URL('/elsewhere', listener.url).href, '--secret-file', secretFile];
    const lost = await runCommandLine(['webhook', 'check', ...elsewhere, '--time-scale', '0.1']);
    assert.match(
      lost.stdout,
      /success .*got 404 [^\n]*\n {4}Nothing is there \(is the path of the URL right\?\), or/,
    );
    assert.match(lost.stderr, /breaks 1 of 19 rules; 17 more follow from that: success\./);
    const slow = await runCommandLine(['webhook', 'check', ...to, '--time-scale', ' -1']);
    assert.match(slow.stderr, /The time scale \\"-1\\" is not a factor/);
  });

  it('keeps the amounts in step, or says that it cannot', async () => {
    const listener = await startListener();
    const to = [
      '--url',
      listener.url,
      '--secret-file',
      secretFile,
      '--scenario',
      'success',
      '--time-scale',
      '0.01',
    ];
    for (const [set, note] of [
      [['amount=2.5'], undefined],
      [['rawAmount=7'], undefined],
      [['amount=2.5', 'rawAmount=7'], undefined],
      [['amount=much'], 'rawAmount stays 10500000000: set it, too, if it is to agree.'],
      [['amount=2.0000000001'], 'rawAmount stays 10500000000: set it, too, if it is to agree.'],
      [['data.rawAmount=7', 'asset=GOLD'], 'amount stays 10.5: set it, too, if it is to agree.'],
    ] as const) {
      const { stderr } = await runCommandLine([
        'webhook',
        'send',
        ...to,
        ...set.flatMap((one) => ['--set', one]),
      ]);
      const stays = /\w+ stays [^\n"]*/.exec(stderr)?.[0];
      assert.equal(stays, note, `${set.join()}: ${stderr}`);
    }
  });

  it('send and check print their JSON and exit with the documented status', async () => {
    const one = await listen(['--secret-file', secretFile]);
    const to = ['--url', one.url.href, '--secret-file', secretFile, '--time-scale', '0.01', '--json'];
    const sent = await runCommandLine([
      'webhook',
      'send',
      ...to,
      '--scenario',
      'success',
      '--set',
      'reference=mine',
    ]);
    assert.equal(sent.status, 0, sent.stderr);
    const result = JSON.parse(sent.stdout) as { reference: string; ok: boolean; status: number };
    assert.deepEqual([result.reference, result.ok, result.status], ['mine', true, 200]);
    const checked = await runCommandLine(['webhook', 'check', ...to]);
    assert.equal(checked.status, 0, checked.stderr);
    const { rules: rows } = JSON.parse(checked.stdout) as { rules: Record<string, unknown>[] };
    assert.ok(rows.length >= 16);
    assert.deepEqual(Object.keys(rows[0] ?? {}), [
      ...['scenario', 'rule', 'expected', 'got', 'ms', 'ok', 'tolerated'],
    ]);
    const takesAll = await startReceiver((_, response) => response.end());
    const bad = await runCommandLine(['webhook', 'check', '--url', takesAll.url.href, ...to.slice(2)]);
    assert.equal(bad.status, 1);
    await takesAll.close();
    const nobody = await runCommandLine([
      'webhook',
      'send',
      '--url',
      takesAll.url.href,
      ...to.slice(2),
      '--scenario',
      'success',
    ]);
    assert.equal(nobody.status, 3);
  });

  it('loses nothing it acknowledged when killed under load, and accepts nothing forged', async () => {
    const journal = path.join(directory, 'journal');
    const one = await listen(['--secret-file', secretFile, '--journal', journal]);
    const acknowledged = new Set<string>();
    let running = true;
    let number = 0;
    const senders = Array.from({ length: 12 }, async (_, sender) => {
      while (running) {
        number += 1;
        const forged = number % 5 === 0;
        const reference = `${forged ? 'forged' : 'good'}-${sender}-${number}`;
        const value = payload({ reference, commentToSender: 'x'.repeat(number % 3_000) });
        try {
          if ((await post(one.url, value, forged ? 'forged' : secret)) === 200) {
            acknowledged.add(reference);
          }
        } catch {
          return;
        }
      }
    });
    await until(() => acknowledged.size > 200, 'many are acknowledged');
    await one.end('SIGKILL');
    running = false;
    await Promise.all(senders);
    assert.ok(acknowledged.size > 100, `only ${acknowledged.size} acknowledged`);
    const again = await startListener({ journalDirectory: journal });
    const states = new Map(again.orders().map(({ reference, state }) => [reference, state]));
    for (const reference of acknowledged) {
      assert.ok(reference.startsWith('good') && states.get(reference) === 'paid', reference);
    }
    assert.ok([...states.keys()].every((reference) => reference.startsWith('good')));
    for (const reference of [...acknowledged].slice(0, 50)) {
      await again.deliver(payload({ reference }));
      assert.equal(again.told.at(-1)?.verdict, 'repeat');
    }
  });

  // There is no ulimit on Windows.
  itOnPosix('acknowledges nothing that a file size limit keeps out of the journal', async () => {
    const journal = path.join(directory, 'journal');
    const one = await listen(['--secret-file', secretFile, '--journal', journal], 64);
    const acknowledged: string[] = [];
    const refused: string[] = [];
    for (let number = 0; number < 60; number++) {
      const reference = `ref-${number}`;
      const status = await post(one.url, payload({ reference }));
      assert.ok(status === 200 || status === 503, String(status));
      (status === 200 ? acknowledged : refused).push(reference);
    }
    assert.ok(acknowledged.length > 3 && refused.length > 3, `${acknowledged.length}, ${refused.length}`);
    await one.end('SIGTERM');
    const again = await startListener({ journalDirectory: journal });
    assert.deepEqual(
      again
        .orders()
        .map(({ reference }) => reference)
        .sort(),
      acknowledged.sort(),
    );
    const kept = (await readdir(journal)).filter((name) => name.startsWith('deliveries'));
    for (const name of kept) {
      assert.ok((await readFile(path.join(journal, name))).length <= 64 * 1024);
    }
  });

  it('list and resend work on the journal, also while the listener runs', async () => {
    const orders = path.join(directory, 'orders.json');
    const open = { reference: 'ref-2', rawAmount: '5', asset: 'TON' };
    await writeFile(orders, JSON.stringify([{ reference: 'ref-1', amount: '10.5', asset: 'TON' }, open]));
    const journal = ['--journal', path.join(directory, 'journal')];
    const one = await listen(['--secret-file', secretFile, '--orders', orders, ...journal]);
    await post(one.url, payload());
    await post(one.url, payload(), 'wrong');
    const [first = '', second = ''] = (await one.untilLines(2)).map(({ id }) => String(id));
    const list = (...args: string[]): ReturnType<typeof runCommandLine> =>
      runCommandLine(['webhook', 'list', ...journal, ...args]);
    const rows = (await list()).stdout.trim().split('\n');
    assert.equal(rows.length, 2);
    assert.match(rows[0] ?? '', new RegExp(`^${first}  ✓ .*ref ref-1`));
    assert.match(rows[1] ?? '', new RegExp(`^${second}  ✗ `));
    const lines = (await list('--json')).stdout.trim().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { verdict: string }).verdict),
      ['accepted', 'bad-signature'],
    );
    const board = await list('--orders', orders);
    assert.match(
      board.stdout,
      /^✓ +ref-1 +10\.5 TON +paid +\d\d:\d\d:\d\d\n○ +ref-2 +0\.000000005 TON +open\s*$/,
    );
    const states = (await list('--orders', orders, '--json')).stdout.trim().split('\n');
    const { reference, state, deliveries } = JSON.parse(states[0] ?? '') as Record<string, unknown>;
    // The second one has the same bytes: it is about this order, too.
    assert.deepEqual([reference, state, deliveries], ['ref-1', 'paid', [second, first]]);

    const file = path.join(directory, 'out.jsonl');
    assert.match((await list('--export', file)).stderr, /2 deliveries exported\. .* keep it private/);
    const exported = (await readFile(file, 'utf8')).trim().split('\n');
    assert.equal((JSON.parse(exported[0] ?? '') as { body: string }).body, bytes(payload()).toString('utf8'));
    await writeFile(file, 'mine');
    assert.match((await list('--export', file)).stderr, /out\.jsonl exists already/);
    assert.equal(await readFile(file, 'utf8'), 'mine');
    assert.equal((await list('--export', file, '--force')).status, 0);
    assert.equal((await readFile(file, 'utf8')).trim().split('\n').length, 2);
    const nowhere = await list('--export', path.join(directory, 'absent/out.jsonl'));
    assert.deepEqual([nowhere.status, nowhere.stderr.includes('report-unwritable')], [2, true]);

    const to = ['--url', one.url.href, ...journal];
    const again = await runCommandLine(['webhook', 'resend', first, ...to]);
    assert.equal(again.status, 0, again.stderr);
    assert.match(again.stdout, /: 200 in /);
    assert.equal((await one.untilLines(3)).at(-1)?.verdict, 'repeat');
    const refused = await runCommandLine(['webhook', 'resend', second, ...to, '--json']);
    assert.equal(refused.status, 1);
    assert.equal((JSON.parse(refused.stdout) as { status: number }).status, 401);
    assert.match(refused.stderr, /does not mean delivered.*--secret-file/s);
    const signed = await runCommandLine(['webhook', 'resend', second, ...to, '--secret-file', secretFile]);
    assert.equal(signed.status, 0, signed.stderr);
    const unknown = await runCommandLine(['webhook', 'resend', 'none', ...to]);
    assert.deepEqual([unknown.status, unknown.stderr.includes('delivery-unknown')], [2, true]);
    const absent = await runCommandLine(['webhook', 'list', '--journal', path.join(directory, 'absent')]);
    assert.deepEqual([absent.status, absent.stderr.includes('deliveries-unreadable')], [2, true]);
    const aFile = await runCommandLine(['webhook', 'list', '--journal', secretFile]);
    assert.match(aFile.stderr, /is a file, not a folder/);
  });

  it('says that a file has no secret of the service', async () => {
    const to = ['--url', 'http://127.0.0.1:9/', '--provider', 'standard-webhooks'];
    for (const command of [
      ['webhook', 'check', ...to],
      ['webhook', 'listen', '--provider', 'standard-webhooks'],
    ]) {
      const short = path.join(directory, 'short.txt');
      await writeFile(short, 'abc');
      const run = await runCommandLine([...command, '--secret-file', short]);
      assert.deepEqual([run.status, run.stderr.includes('secret-unusable')], [2, true], run.stderr);
      assert.match(run.stderr, /at least 16 characters of base64/);
    }
  });

  it('new makes a receiver and its test, and replaces nothing unless told so', async () => {
    const made = await runCommandLine(
      ['webhook', 'new', 'src/pay.mjs', '--framework', 'fastify'],
      {},
      directory,
    );
    assert.equal(made.status, 0, made.stderr);
    assert.match(
      made.stdout,
      /^Made src\/pay\.mjs, src\/pay\.test\.mjs, for webhooks of the payment service\. Next:\n {2}npm install fastify\n/,
    );
    // With the order of its example: other orders would be refused without anyone seeing it.
    assert.match(made.stdout, /webhook check --url \S+ --secret-file secret\.txt --set reference=order-1 /);
    const file = path.join(directory, 'src/pay.mjs');
    await writeFile(file, '// mine');
    const again = await runCommandLine(
      ['webhook', 'new', 'src/pay.mjs', '--framework', 'hono'],
      {},
      directory,
    );
    assert.equal(again.status, 2);
    assert.match(again.stderr, /src\/pay\.mjs and src\/pay\.test\.mjs exist already/);
    assert.equal(await readFile(file, 'utf8'), '// mine');
    const forced = ['webhook', 'new', 'src/pay.mjs', '--framework', 'hono', '--force'];
    assert.equal((await runCommandLine(forced, {}, directory)).status, 0);
    assert.match(await readFile(file, 'utf8'), /npm install hono/);
    const options = ['--framework', 'hono', '--provider', 'tonapi'];
    const tonapi = await runCommandLine(['webhook', 'new', 'tonapi.mjs', ...options], {}, directory);
    assert.match(
      tonapi.stdout,
      /with WEBHOOK_SECRET, TON_V3, and WALLET set\n {2}ton-workbench webhook check --provider tonapi --url /,
    );
    const header = await runCommandLine(
      ['webhook', 'new', 'x.mjs', ...options, '--header', 'X-Sig'],
      {},
      directory,
    );
    assert.deepEqual([header.status, header.stderr.includes('--header needs --provider hmac')], [2, true]);
    const outside = await runCommandLine(
      ['webhook', 'new', '../pay.mjs', '--framework', 'hono'],
      {},
      directory,
    );
    assert.equal(outside.status, 2);
    assert.match(outside.stderr, /inside the folder/);
  });
});
