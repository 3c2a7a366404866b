import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { request } from 'node:http';
import { Address, Cell, SendMode, internal, toNano } from '@ton/core';
import {
  createTonPayTransfer,
  getTonPayTransferByBodyHash,
  getTonPayTransferByReference,
  verifySignature,
} from '@ton-pay/api';
import { TonClient, WalletContractV5R1 } from '@ton/ton';
import { root } from '../../scripts/lib/root.mjs';
import { callControl } from '../../src/toolkit/localnet/callControl';
import { runCommandLine } from '../support/commandLine';
import { deployJetton } from '../support/jetton';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';
import { startReceiver } from '../unit/webhook/support/receiver';
import type { SeenRequest, TestReceiver } from '../unit/webhook/support/receiver';
import { checkAnswers } from '../support/checkAnswers';
import { until } from '../support/until';

interface Line {
  change: string;
  reference: string;
  status: string;
  txHash: string | null;
  problem: { kind: string; rawAmount: string } | null;
  webhook: { state: string; attempt: { status: number | null } | null } | null;
}

/** A running `payments --json`. */
class PaymentsCommand {
  readonly lines: Line[] = [];
  /** What stands on stderr. */
  notes = '';
  readonly #waiting = new Set<() => void>();
  readonly #ended: Promise<number | string | null>;

  private constructor(
    private readonly child: ChildProcess,
    readonly first: { url: string; webhookSecret: string },
    output: ReturnType<typeof createInterface>,
  ) {
    this.#ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
    output.on('line', (line) => {
      this.lines.push(JSON.parse(line) as Line);
      this.#waiting.forEach((look) => look());
    });
  }

  static async start(...args: string[]): Promise<PaymentsCommand> {
    const command = [path.join(root, 'dist/cli.js'), 'payments', '--json', '--time-scale', '0.05', ...args];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    let early = '';
    child.stderr.on('data', (data: Buffer) => {
      early += data.toString();
    });
    const output = createInterface({ input: child.stdout });
    const others: string[] = [];
    const first = await new Promise<string>((resolve, reject) => {
      output.once('line', (line) => {
        // What comes in one piece with it is told before anything else runs here.
        output.on('line', (other) => others.push(other));
        resolve(line);
      });
      child.once('exit', (code) => reject(new Error(`payments ended with ${code}`)));
    });
    const started = new PaymentsCommand(
      child,
      JSON.parse(first) as { url: string; webhookSecret: string },
      output,
    );
    started.lines.push(...others.map((line) => JSON.parse(line) as Line));
    started.notes = early;
    child.stderr.on('data', (data: Buffer) => {
      started.notes += data.toString();
    });
    return started;
  }

  /** Waits until something stands on stderr. */
  async noted(pattern: RegExp): Promise<void> {
    await until(
      () => pattern.test(this.notes),
      () => `${String(pattern)} in: ${this.notes}`,
    );
  }

  /** The first line about a payment with this change. */
  line(reference: string, change: string): Promise<Line> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.lines.find((line) => line.reference === reference && line.change === change);
        if (found !== undefined) {
          this.#waiting.delete(look);
          resolve(found);
        }
      };
      this.#waiting.add(look);
      look();
    });
  }

  async end(signal: NodeJS.Signals): Promise<number | string | null> {
    this.child.kill(signal);
    const how = await this.#ended;
    const printed = [this.first, ...this.lines].map((line) => `${JSON.stringify(line)}\n`);
    await checkAnswers(['payments', '--json'], printed.join(''));
    return how;
  }

  async pay(reference: string, scenario: string, more: object = {}): Promise<{ status: string }> {
    const answer = await fetch(`${this.first.url}/control/pay`, {
      method: 'POST',
      body: JSON.stringify({ reference, scenario, ...more }),
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    return (await answer.json()) as { status: string };
  }
}

const chain = { chain: 'mainnet' } as const;

interface Webhook {
  data: {
    reference: string;
    status: string;
    rawAmount: string;
    asset: string;
    txHash: string;
    errorCode?: number;
  };
}

describe('the mock of the payment API, with the service’s own client', () => {
  let network: LocalnetCommand;
  let folder: string;
  let payments: PaymentsCommand;
  let shop: TestReceiver;
  /** By reference: the shop's next answers about a payment; 200 when there is none. */
  const answers = new Map<string, number[]>();
  let address: (name: string) => string;
  const before0 = process.env['TONPAY_BASE_URL'];

  const start = async (): Promise<void> => {
    payments = await PaymentsCommand.start(
      ...['--network', network.origin, '--journal', folder, '--webhook-url', shop.url.href],
    );
    process.env['TONPAY_BASE_URL'] = payments.first.url;
  };
  before(async () => {
    network = await startLocalnetCommand();
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-payments-'));
    shop = await startReceiver(({ body }, response) => {
      const { data } = JSON.parse(body.toString()) as Webhook;
      response.writeHead(answers.get(data.reference)?.shift() ?? 200).end();
    });
    address = (name) => network.ready.accounts.find((one) => one.name === name)?.address ?? '';
    await start();
  });
  after(async () => {
    if (before0 === undefined) {
      delete process.env['TONPAY_BASE_URL'];
    } else {
      process.env['TONPAY_BASE_URL'] = before0;
    }
    await payments.end('SIGTERM');
    await shop.close();
    await network.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const create = (
    more: Partial<Parameters<typeof createTonPayTransfer>[0]> = {},
  ): ReturnType<typeof createTonPayTransfer> =>
    createTonPayTransfer(
      {
        ...{ amount: 1.5, asset: 'TON', recipientAddr: address('bob'), senderAddr: address('alice') },
        ...more,
      },
      chain,
    );

  /** The shop's deliveries for a payment, each verified by the client. */
  const delivered = (reference: string): Webhook[] =>
    shop.seen
      .filter(({ body }) => body.toString().includes(reference))
      .map((request) => {
        assert.equal(verifyDelivery(request), true, 'the client verifies the signature');
        return JSON.parse(request.body.toString()) as Webhook;
      });

  const verifyDelivery = ({ rawHeaders, body }: SeenRequest): boolean => {
    const index = rawHeaders.findIndex((name) => name.toLowerCase() === 'x-tonpay-signature');
    return verifySignature(body.toString(), rawHeaders[index + 1] ?? '', payments.first.webhookSecret);
  };

  /** Compares what a webhook says with the chain, as its receiver would. */
  const agreesWithChain = async (webhook: Webhook | undefined): Promise<void> => {
    const file = path.join(folder, 'delivery.json');
    await writeFile(file, JSON.stringify(webhook));
    const { status, stdout } = await runCommandLine(['webhook', 'verify', file, '--network', network.origin]);
    assert.equal(status, 0, stdout);
  };

  /** Pays as a dApp's wallet does: the message of the answer as it is, with a third party's wallet contract. */
  const payWithLibrary = async (message: {
    address: string;
    amount: string;
    payload: string;
  }): Promise<void> => {
    const account = network.ready.accounts.find(({ name }) => name === 'alice');
    const wallet = new TonClient({ endpoint: `${network.ready.v2}/jsonRPC` }).open(
      WalletContractV5R1.create({ workchain: 0, publicKey: Buffer.from(account?.publicKey ?? '', 'hex') }),
    );
    const body = Cell.fromBase64(message.payload);
    await wallet.sendTransfer({
      seqno: await wallet.getSeqno(),
      secretKey: Buffer.from(account?.secretKey ?? '', 'hex'),
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to: Address.parse(message.address), value: BigInt(message.amount), body })],
    });
  };

  it('creates, is paid by a wallet, delivers a webhook that the client verifies, and answers both lookups', async () => {
    const made = await create({ commentToRecipient: 'order 42', commentToSender: 'Thanks' });
    assert.equal(made.message.amount, '1500000000');
    assert.equal(Cell.fromBase64(made.message.payload).hash().toString('base64'), made.bodyBase64Hash);
    const text = Cell.fromBase64(made.message.payload).beginParse().skip(32).loadStringTail();
    assert.match(text, /order 42/);
    assert.match(text, /Thanks/);
    assert.ok(text.includes(made.reference));
    assert.equal((await getTonPayTransferByReference(made.reference, chain)).status, 'pending');
    await payWithLibrary(made.message);
    await payments.line(made.reference, 'delivered');
    const [webhook, ...more] = delivered(made.reference);
    assert.deepEqual(more, []);
    assert.equal(webhook?.data.status, 'success');
    assert.equal(webhook.data.rawAmount, '1500000000');
    assert.match(webhook.data.txHash, /^[0-9a-f]{64}$/);
    await agreesWithChain(webhook);
    assert.deepEqual(await getTonPayTransferByReference(made.reference, chain), webhook.data);
    assert.deepEqual(await getTonPayTransferByBodyHash(made.bodyBase64Hash, chain), webhook.data);
  });

  it('finds a transfer by a body hash with plus signs, encoded or not', async () => {
    let made = await create();
    for (let tries = 0; !made.bodyBase64Hash.includes('+') || !made.bodyBase64Hash.includes('/'); tries++) {
      assert.ok(tries < 500);
      made = await create();
    }
    const { bodyBase64Hash: hash, reference } = made;
    for (const spelled of [
      hash,
      encodeURIComponent(hash),
      hash.replaceAll('+', '%20'),
      hash.replace('=', '%3D'),
      Buffer.from(hash, 'base64').toString('hex'),
    ]) {
      const answer = await fetch(`${payments.first.url}/api/merchant/v1/transfer?bodyHash=${spelled}`);
      assert.equal(((await answer.json()) as { reference: string }).reference, reference, spelled);
    }
    assert.equal((await getTonPayTransferByBodyHash(hash, chain)).reference, reference);
  });

  it('too little does not count, and the right amount still does', async () => {
    const made = await create();
    assert.equal((await payments.pay(made.reference, 'too-little')).status, 'pending');
    const { problem } = await payments.line(made.reference, 'wrong-amount');
    assert.equal(problem?.rawAmount, '1499999999');
    assert.deepEqual(delivered(made.reference), []);
    assert.equal((await payments.pay(made.reference, 'paid')).status, 'success');
    await payments.line(made.reference, 'delivered');
    assert.equal(delivered(made.reference).length, 1);
  });

  it('says what a wallet cannot pay for, and sends nothing', async () => {
    const made = await create({ amount: 5_000_000 });
    const answer = await fetch(`${payments.first.url}/control/pay`, {
      method: 'POST',
      body: JSON.stringify({ reference: made.reference }),
    });
    assert.equal(answer.status, 400);
    assert.match(
      await answer.text(),
      /alice has \d+\.\d+ TON, and payment .* takes 5000000 TON\. Nothing was sent\./,
    );
  });

  it('twice is paid once, and the second time is told', async () => {
    const made = await create();
    await payments.pay(made.reference, 'twice');
    await payments.line(made.reference, 'delivered');
    const { problem, txHash } = await payments.line(made.reference, 'paid-again');
    assert.equal(problem?.kind, 'paid-again');
    assert.notEqual((problem as { txHash?: string }).txHash, txHash);
    assert.equal(delivered(made.reference).length, 1);
  });

  it('bounced is failed, with a webhook that says so, and the recipient is as before', async () => {
    const made = await create();
    assert.equal((await payments.pay(made.reference, 'bounced')).status, 'failed');
    await payments.line(made.reference, 'delivered');
    const [webhook] = delivered(made.reference);
    assert.equal(webhook?.data.status, 'failed');
    assert.equal(webhook.data.errorCode, 40);
    await agreesWithChain(webhook);
    const again = await create();
    assert.equal((await payments.pay(again.reference, 'paid')).status, 'success');
  });

  it('gives an account its code back if it is killed while a payment bounces there', async () => {
    const control = `${network.origin}/control`;
    const codeHash = async (): Promise<string | null> =>
      (await callControl(control, 'account', { address: address('bob') })).codeHash;
    const before = await codeHash();
    const made = await create();
    await callControl(control, 'mode', { mode: 'manual' });
    const bouncing = payments.pay(made.reference, 'bounced').catch(() => undefined);
    await until(async () => (await codeHash()) !== before, 'the code is replaced');
    await payments.end('SIGKILL');
    await bouncing;
    await callControl(control, 'mode', { mode: 'automatic' });
    // Nothing of what this run has kept is needed: the network has the code.
    const other = await PaymentsCommand.start('--network', network.origin);
    assert.equal(await codeHash(), before);
    await other.end('SIGTERM');
    await start();
  });

  it('late and never: paid at once, and the webhook comes later, or not at all', async () => {
    const [late, never] = [await create(), await create()];
    assert.equal((await payments.pay(never.reference, 'never')).status, 'success');
    await payments.line(never.reference, 'withheld');
    assert.equal((await payments.pay(late.reference, 'late', { lateMs: 4_000 })).status, 'success');
    await payments.line(late.reference, 'late');
    assert.deepEqual(delivered(late.reference), []);
    await payments.line(late.reference, 'delivered');
    assert.equal(delivered(late.reference).length, 1);
    assert.deepEqual(delivered(never.reference), []);
  });

  it('retries as the service does', async () => {
    const made = await create();
    answers.set(made.reference, [500, 404]);
    await payments.pay(made.reference, 'paid');
    const { webhook } = await payments.line(made.reference, 'delivered');
    assert.equal(webhook?.attempt?.status, 200);
    assert.equal(delivered(made.reference).length, 3);
    const given = await create();
    answers.set(given.reference, [500, 500, 500, 500]);
    await payments.pay(given.reference, 'paid');
    await payments.line(given.reference, 'undelivered');
    assert.equal(delivered(given.reference).length, 4);
  });

  it('settles jettons by what reaches the recipient’s jetton wallet', async () => {
    const { minter } = await deployJetton(network.ready.v2, 'https://example.invalid/payments.json');
    const asset = minter.toString();
    const made = await create({ asset, amount: 0.0000001 });
    const fromLibrary = await create({ asset, amount: 0.0000001 });
    assert.equal((await payments.pay(made.reference, 'too-little')).status, 'pending');
    assert.equal((await payments.line(made.reference, 'wrong-amount')).problem?.rawAmount, '99');
    assert.equal((await payments.pay(made.reference, 'bounced')).status, 'failed');
    assert.equal((await payments.pay(made.reference, 'paid')).status, 'success');
    await payWithLibrary(fromLibrary.message);
    await payments.line(fromLibrary.reference, 'delivered');
    const [webhook] = delivered(fromLibrary.reference);
    assert.equal(webhook?.data.asset, asset);
    assert.equal(webhook.data.rawAmount, '100');
    await agreesWithChain(webhook);
    // More than alice has: her jetton wallet refuses.
    const tooMuch = await create({ asset, amount: 5 });
    await payWithLibrary(tooMuch.message);
    assert.equal((await payments.line(tooMuch.reference, 'failed')).status, 'failed');
  });

  it('keeps everything over a kill: open payments, settled ones, and the webhook that nobody knows the end of', async () => {
    const [open, paid] = [await create(), await create()];
    // The shop takes the delivery and never answers: killed in between, nobody knows whether it has it.
    answers.set(paid.reference, [500, 500]);
    await payments.pay(paid.reference, 'paid');
    await payments.line(paid.reference, 'attempt');
    const { webhookSecret } = payments.first;
    await payments.end('SIGKILL');
    const before = delivered(paid.reference).length;
    answers.clear();
    // Paid while nobody looked.
    await payWithLibrary(open.message);
    await start();
    assert.equal(payments.first.webhookSecret, webhookSecret, 'the secret is kept');
    await payments.line(paid.reference, 'delivered');
    await payments.line(open.reference, 'delivered');
    assert.equal((await getTonPayTransferByReference(open.reference, chain)).status, 'success');
    assert.equal((await getTonPayTransferByBodyHash(paid.bodyBase64Hash, chain)).status, 'success');
    const all = delivered(paid.reference);
    assert.ok(all.length > before);
    assert.deepEqual(new Set(all.map((one) => JSON.stringify(one))).size, 1, 'the same text each time');
    assert.equal(delivered(open.reference).length, 1);
  });

  it('refuses amounts that lost precision or have too many decimals', async () => {
    const post = async (amount: string): Promise<{ status: number; error?: string }> => {
      const answer = await fetch(`${payments.first.url}/api/merchant/v1/create-transfer`, {
        method: 'POST',
        body: `{"amount": ${amount}, "asset": "TON", "recipientAddr": "${address('bob')}", "senderAddr": "${address('alice')}"}`,
      });
      return { status: answer.status, ...((await answer.json()) as { error?: string }) };
    };
    for (const amount of [
      '9007199254740993',
      '0.30000000000000004',
      '1.0000000001',
      '1e300',
      '0',
      '-1',
      '"1.5"',
    ]) {
      assert.equal((await post(amount)).status, 400, amount);
    }
    for (const amount of ['1.5', '0.000000001', '1e-9', '15e-1', '123456.123456789', '9007199254740991']) {
      assert.equal((await post(amount)).status, 200, amount);
    }
    await assert.rejects(create({ amount: 0.1 + 0.2 }));
  });

  it('answers MoonPay with 501, other hosts with 421, large bodies with 413, and another method with 405', async () => {
    const { url } = payments.first;
    const got = await fetch(`${url}/api/merchant/v1/create-transfer`);
    assert.deepEqual([got.status, got.headers.get('allow')], [405, 'POST']);
    assert.deepEqual(await got.json(), { error: 'Use POST here, not GET.' });
    assert.equal((await fetch(`${url}/api/merchant/v1/elsewhere`)).status, 404);
    assert.equal((await fetch(`${url}/api/external/moonpay/check-geo?ipAddress=1.1.1.1`)).status, 501);
    const made = { amount: 1, asset: 'TON', senderAddr: address('alice'), recipientAddr: address('bob') };
    for (const [length, expected] of [
      [64 * 1024, 200],
      [64 * 1024 + 1, 413],
    ] as const) {
      const body = JSON.stringify(made).padEnd(length);
      const { status } = await fetch(`${url}/api/merchant/v1/create-transfer`, { method: 'POST', body });
      assert.equal(status, expected, `${length} bytes`);
    }
    const status = await new Promise((resolve) =>
      request(url, { headers: { host: 'shop.example' } }, (answer) =>
        resolve(answer.resume().statusCode),
      ).end(),
    );
    assert.equal(status, 421);
    const unknown = await fetch(`${payments.first.url}/control/pay`, {
      method: 'POST',
      body: JSON.stringify({ reference: 'nobody', scenario: 'paid' }),
    });
    assert.equal(unknown.status, 404, await unknown.text());
  });

  it('asks for the API key when one is set, and then knows the merchant’s wallet', async () => {
    const other = await mkdtemp(path.join(tmpdir(), 'tonwb-payments-'));
    const file = path.join(other, 'settings.json');
    const secret = { webhookSecret: 'secret-1' };
    await writeFile(file, JSON.stringify({ apiKey: 'key-1', recipientAddr: address('carol'), ...secret }));
    const second = await PaymentsCommand.start('--network', network.origin, '--settings', file);
    assert.doesNotMatch(JSON.stringify(second.first), /(key|secret)-1/, 'what the user gave is in no log');
    const base = process.env['TONPAY_BASE_URL'];
    process.env['TONPAY_BASE_URL'] = second.first.url;
    const wanted = { amount: 1, asset: 'TON', senderAddr: address('alice') };
    await assert.rejects(createTonPayTransfer(wanted, chain));
    const made = await createTonPayTransfer(wanted, { ...chain, apiKey: 'key-1' });
    assert.equal(Address.parse(made.message.address).toRawString(), address('carol'));
    assert.equal(made.message.amount, toNano(1).toString());
    await assert.rejects(getTonPayTransferByReference(made.reference, chain));
    assert.equal((await getTonPayTransferByBodyHash(made.bodyBase64Hash, chain)).status, 'pending');
    // The dashboard is open beside the shop: a new key counts at once.
    await writeFile(file, JSON.stringify({ apiKey: 'key-two' }));
    await assert.rejects(createTonPayTransfer(wanted, { ...chain, apiKey: 'key-1' }));
    process.env['TONPAY_BASE_URL'] = base;
    // What is wrong with it is told when it is saved, in our words; nobody asks for anything.
    for (const [text, told] of [
      ['{"apiKey": 7}', 'The settings file cannot be used: apiKey must be text in quotes.'],
      ['{"webhookURL": "x"}', 'The settings file has the unknown field "webhookURL".'],
      ['[', 'The settings file is not JSON.'],
    ] as const) {
      await writeFile(file, text);
      await second.noted(new RegExp(`The settings are as before: ${told.replaceAll('.', '\\.')}`));
    }
    // As when its terminal is closed.
    assert.equal(await second.end('SIGHUP'), 0);
    await rm(other, { recursive: true, force: true });
  });

  it('says when the secret that it had made is lost with a damaged journal', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tonwb-payments-'));
    const args = ['--network', network.origin, '--journal', folder];
    const before = await PaymentsCommand.start(...args);
    await before.end('SIGTERM');
    const file = path.join(folder, 'payments.log');
    const bytes = await readFile(file);
    await writeFile(file, bytes.fill('x', bytes.indexOf('whsec_'), bytes.indexOf('whsec_') + 8));
    const after = await PaymentsCommand.start(...args);
    assert.notEqual(after.first.webhookSecret, before.first.webhookSecret);
    await after.noted(/the journal has lost its webhook secret\. A new one was made: give it to your shop\./);
    await after.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  });
});
