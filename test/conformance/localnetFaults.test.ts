import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import { connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beginCell, Cell } from '@ton/core';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { WorkbenchError } from '../../src/toolkit/base/errors';
import { createLog, Redactor, silentLog } from '../../src/toolkit/base/log';
import { root } from '../../scripts/lib/root.mjs';
import { itOnPosix } from '../support/itOnPosix';
import { addressOf, externalBoc, transfer } from '../unit/localnet/support/testChain';
import { until } from '../support/until';

const kills = process.env['TONWB_LONG'] === '1' ? 10 : 2;
const malformed = process.env['TONWB_LONG'] === '1' ? 10_000 : 1_000;

async function post(url: string, body: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  return { status: response.status, text: await response.text() };
}

describe('faults in the local network', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tonwb-faults-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  it(`loses nothing acknowledged when it is killed ${kills} times during load`, async () => {
    const acknowledged: string[] = [];
    let seqno = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const { child, v3 } = await startCommand(folder);
      await checkAll(v3, acknowledged);
      const killAt = performance.now() + 300 + kill * 90;
      while (performance.now() < killAt) {
        const boc = transfer('alice', { seqno, to: addressOf('bob'), value: 1n }).toString('base64');
        const { status, text } = await post(`${v3}/message`, JSON.stringify({ boc }));
        if (status === 200) {
          acknowledged.push((JSON.parse(text) as { message_hash: string }).message_hash);
          seqno += 1;
        }
      }
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
    }
    const { child, v3 } = await startCommand(folder);
    await checkAll(v3, acknowledged);
    assert.ok(acknowledged.length >= kills, `${acknowledged.length} messages`);
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    assert.equal(fs.existsSync(path.join(folder, 'lock.json')), false);
  });

  it('restarts a crashed worker with its state, on its port, and says so', async () => {
    const lines: string[] = [];
    const log = createLog((level, line) => lines.push(`${level} ${line}`), new Redactor());
    const { workerUrl, crash } = crashingWorker(folder);
    const localnet = await startLocalnet({ port: 0, stateDirectory: folder, log, workerUrl });
    const { v3 } = localnet;
    const boc = transfer('alice', { seqno: 0, to: addressOf('bob'), value: 1n }).toString('base64');
    const { text } = await post(`${v3}/message`, JSON.stringify({ boc }));
    const { message_hash: hash } = JSON.parse(text) as { message_hash: string };
    const states: string[] = [];
    const again = new Promise<void>((resolve) => {
      localnet.onStatus(({ state }) => {
        if (states.at(-1) !== state) {
          states.push(state);
        }
        if (state === 'running' && states.includes('restarting')) {
          resolve();
        }
      });
    });
    crash();
    await again;
    assert.equal(localnet.v3, v3);
    await checkAll(v3, [hash]);
    await localnet.close();
    assert.ok(lines.some((line) => line.startsWith('warn') && line.includes('was restarted with its state')));
  });

  itOnPosix('accepts nothing more when its file may not grow, and continues when it may', async function () {
    const limited = await startCommand(folder, 200);
    const acknowledged: string[] = [];
    let refusal: { status: number; text: string } | undefined;
    for (let seqno = 0; refusal === undefined; seqno += 1) {
      assert.ok(seqno < 500, 'it is never refused');
      const boc = transfer('alice', { seqno, to: addressOf('bob'), value: 1n }).toString('base64');
      const answer = await post(`${limited.v3}/message`, JSON.stringify({ boc }));
      if (answer.status === 200) {
        const { message_hash: hash } = JSON.parse(answer.text) as { message_hash: string };
        acknowledged.push(hash);
        await untilExecutedOrStuck(limited.v3, hash);
      } else {
        refusal = answer;
      }
    }
    assert.match(refusal.text, /cannot write its state/);
    assert.equal((await fetch(`${limited.v3}/masterchainInfo`)).status, 200, 'it still answers');
    // The last one may stand in the file without its block: it is executed once there is room.
    await checkAll(limited.v3, acknowledged.slice(0, -1));
    limited.child.kill('SIGKILL');
    await new Promise((resolve) => limited.child.once('exit', resolve));
    // Started in the same straits, it runs and says no; with room again it goes on.
    const still = await startCommand(folder, 200);
    await checkAll(still.v3, acknowledged.slice(0, -1));
    still.child.kill('SIGKILL');
    await new Promise((resolve) => still.child.once('exit', resolve));
    const free = await startCommand(folder);
    await checkAll(free.v3, acknowledged);
    const next = transfer('bob', { seqno: 0, to: addressOf('alice'), value: 1n }).toString('base64');
    const { status } = await post(`${free.v3}/message`, JSON.stringify({ boc: next }));
    assert.equal(status, 200);
    free.child.kill('SIGTERM');
    await new Promise((resolve) => free.child.once('exit', resolve));
  });

  it('says when the port is taken, and uses another one if asked to', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    await assert.rejects(startLocalnet({ port, log: silentLog }), (error) => {
      assert.ok(WorkbenchError.is(error, 'localnet-port-taken'));
      const { free } = error.details;
      return typeof free === 'number' && free > 0 && free !== port;
    });
    const localnet = await startLocalnet({ port, portFallback: true, log: silentLog });
    assert.equal(localnet.portChanged, true);
    assert.notEqual(localnet.port, port);
    await localnet.close();
    other.close();
  });

  it(`survives ${malformed} malformed requests, huge bodies, and cells at the limits`, async () => {
    const localnet = await startLocalnet({ port: 0, log: silentLog });
    await sendGarbage(localnet.port);
    const urls = [
      `${localnet.v2}/jsonRPC`,
      `${localnet.v2}/runGetMethod`,
      `${localnet.v3}/message`,
      `${localnet.v3}/decode`,
    ];
    const bodies = [
      '',
      '{',
      '[]',
      'null',
      '{"method":{}}',
      '{"boc":5}',
      '{"address":[[]],"method":"x","stack":{}}',
      '\u0000',
      '{"stack":[[]]}',
    ];
    for (let sent = 0; sent < malformed; sent += 1) {
      const { status } = await post(urls[sent % urls.length]!, bodies[sent % bodies.length]!);
      assert.ok(status >= 200 && status < 600);
    }
    const large = await post(`${localnet.v3}/message`, JSON.stringify({ boc: 'A'.repeat(1024 * 1024) }));
    assert.equal(large.status, 500);
    const huge = await post(`${localnet.v3}/message`, 'x'.repeat(100 * 1024 * 1024)).catch(
      (error: unknown) => error,
    );
    assert.ok(huge instanceof Error || (huge as { status: number }).status === 413);
    let deep = Cell.EMPTY;
    for (let depth = 0; depth < 511; depth += 1) {
      deep = beginCell().storeRef(deep).endCell();
    }
    for (const body of [deep, beginCell().storeRef(deep).endCell()]) {
      const boc = externalBoc(addressOf('alice'), body).toString('base64');
      const { status, text } = await post(`${localnet.v3}/message`, JSON.stringify({ boc }));
      assert.equal(status, 500);
      assert.match(text, /cannot apply external message/);
    }
    await sendLargest(localnet.v2);
    const info = await fetch(`${localnet.v3}/masterchainInfo`);
    assert.equal(info.status, 200);
    await localnet.close();
  });
});

/** Messages of the most bytes that are taken, and of more; and one whose body is as deep as a message may carry. */
async function sendLargest(v2: string): Promise<void> {
  const alice = addressOf('alice');
  const send = async (boc: Buffer): Promise<{ status: number; text: string }> =>
    post(`${v2}/sendBoc`, JSON.stringify({ boc: boc.toString('base64') }));
  const ofCells = (count: number): Buffer => {
    let cell = beginCell().endCell();
    const leaves = Array.from({ length: count }, (_, number) =>
      beginCell().storeUint(number, 32).storeBuffer(Buffer.alloc(120)).endCell(),
    );
    for (let at = 0; at < leaves.length; at += 3) {
      const builder = beginCell().storeRef(cell);
      leaves.slice(at, at + 3).forEach((leaf) => builder.storeRef(leaf));
      cell = builder.endCell();
    }
    return externalBoc(alice, cell);
  };
  let count = 480;
  while (ofCells(count + 3).length <= 65_535) {
    count += 3;
  }
  const largest = await send(ofCells(count));
  assert.match(largest.text, /exitcode=/, 'the contract itself refuses it');
  const larger = await send(ofCells(count + 3));
  assert.match(larger.text, /too large/);
  const withDepth = (wanted: number): Buffer => {
    let body = Cell.EMPTY;
    for (let depth = 0; depth < wanted; depth += 1) {
      body = beginCell().storeRef(body).endCell();
    }
    return transfer('alice', { seqno: 0, to: addressOf('bob'), value: 1n, body });
  };
  // As deep as the network's limits allow.
  const deepest = await send(withDepth(500));
  assert.equal(deepest.status, 200, deepest.text);
}

async function isExecuted(v3: string, hash: string): Promise<boolean> {
  const query = `msg_hash=${encodeURIComponent(hash)}&direction=in`;
  const response = await fetch(`${v3}/transactionsByMessage?${query}`);
  const { transactions } = (await response.json()) as { transactions: unknown[] };
  return transactions.length > 0;
}

/** Each acknowledged message has its transaction. */
async function checkAll(v3: string, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes) {
    await until(() => isExecuted(v3, hash), `the transaction of ${hash}`);
  }
}

/** Resolves when the message has its transaction, or the network says that it cannot write. */
async function untilExecutedOrStuck(v3: string, hash: string): Promise<void> {
  const isStuck = async (): Promise<boolean> => {
    const response = await fetch(v3.replace('/api/v3', '/control/status'));
    return ((await response.json()) as { stateProblems?: string[] }).stateProblems !== undefined;
  };
  await until(async () => (await isExecuted(v3, hash)) || (await isStuck()), `the transaction of ${hash}`);
}

/** @param limit how large a file may get, in blocks of 512 bytes */
async function startCommand(folder: string, limit?: number): Promise<{ child: ChildProcess; v3: string }> {
  const cli = path.join(root, 'dist/cli.js');
  const command = [process.execPath, cli, 'localnet', '--port', '0', '--json', '--state', folder];
  const limited = ['sh', '-c', `ulimit -f ${limit}; exec "$@"`, 'sh', ...command];
  const [program, ...args] = limit === undefined ? command : limited;
  const child = spawn(program as string, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('\n')) {
        resolve(output);
      }
    });
    child.once('exit', (code) => reject(new Error(`the command ended with ${code}`)));
  });
  child.removeAllListeners('exit');
  return { child, v3: (JSON.parse(line) as { v3: string }).v3 };
}

/** The worker, with a thread of execution that throws when told to, as a fault of ours would. */
function crashingWorker(folder: string): { workerUrl: URL; crash: () => void } {
  const file = path.join(folder, 'crashingWorker.mjs');
  const flag = path.join(folder, 'crash');
  const worker = pathToFileURL(path.join(root, 'dist/localnetWorker.js')).href;
  fs.writeFileSync(
    file,
    `import ${JSON.stringify(worker)};
import * as fs from 'node:fs';
const flag = ${JSON.stringify(flag)};
setInterval(() => {
  if (fs.existsSync(flag)) {
    fs.rmSync(flag);
    throw new Error('a fault');
  }
}, 10).unref();
`,
  );
  return { workerUrl: pathToFileURL(file), crash: () => fs.writeFileSync(flag, '') };
}

/** Bytes that are no HTTP. */
async function sendGarbage(port: number): Promise<void> {
  for (const bytes of [
    'GARBAGE\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    '\u0000\u0001\u0002',
    'POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n',
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
      socket.resume();
    });
  }
}
