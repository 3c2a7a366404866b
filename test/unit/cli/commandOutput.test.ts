import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { root } from '../../../scripts/lib/root.mjs';
import { itOnPosix } from '../../support/itOnPosix';
import { until } from '../../support/until';
import { startListen } from '../webhook/support/commandLine';

const cli = path.join(root, 'dist/cli.js');
const size = 2_000_000;
/** As the command prints it. */
const answer = JSON.stringify({ ok: true, result: 'x'.repeat(size) });

interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Fails in place of waiting for ever; the process is ended either way. */
async function endsWithin(child: ChildProcess, ms: number): Promise<End> {
  let end: End | undefined;
  child.once('close', (code, signal) => (end = { code, signal }));
  return until(() => end, `the end of the command within ${ms} ms`, ms).finally(() => child.kill('SIGKILL'));
}

/** Resolves when the command has written all of its output, as far as its reader lets it: the error is its last line. */
const isWritten = (child: ChildProcess): Promise<unknown> => once(child.stderr!, 'data');

describe('cli: output of any size to any reader', () => {
  let service: Server;
  let command: string[];

  before(async () => {
    service = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    command = [cli, 'api', 'v2', 'detectHash', `hash=${'00'.repeat(32)}`, '--json', '--network', origin];
  });
  after(() => {
    service.closeAllConnections();
    service.close();
  });

  /** The end of the result is missing in no case; the answer has not the shape of the endpoint, which is told after it. */
  const assertWhole = (text: string, end: End): void => {
    assert.equal(text.length, answer.length + 1);
    assert.deepEqual(end, { code: 4, signal: null });
  };

  it('is complete through the socket that spawn provides', async () => {
    const child = spawn(process.execPath, command);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const end = await endsWithin(child, 20_000);
    assertWhole(text, end);
  });

  it('is complete for a slow reader, and for one that pauses and continues', async () => {
    const child = spawn(process.execPath, command);
    const written = isWritten(child);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      child.stdout.pause();
      void written.then(() => setImmediate(() => child.stdout.resume()));
    });
    const end = await endsWithin(child, 30_000);
    assertWhole(text, end);
  });

  itOnPosix('is complete through a pipe, and in a file', async function () {
    const folder = await mkdtemp(path.join(tmpdir(), 'ton-workbench-output-'));
    try {
      const file = path.join(folder, 'piped');
      const quoted = [process.execPath, ...command].map((word) => `'${word}'`).join(' ');
      const script = `{ ${quoted}; echo $? >&2; } | { read go <&3; cat; } > ${file}`;
      const piped = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
      void isWritten(piped).then(() => (piped.stdio[3] as Writable).end('go\n'));
      let status = '';
      piped.stderr?.setEncoding('utf8').on('data', (chunk: string) => (status += chunk));
      await endsWithin(piped, 20_000);
      assert.match(status, /\n4\n$/);
      assert.equal((await readFile(file, 'utf8')).length, answer.length + 1);

      const descriptor = openSync(path.join(folder, 'file'), 'w');
      const direct = spawn(process.execPath, command, { stdio: ['ignore', descriptor, 'ignore'] });
      const end = await endsWithin(direct, 20_000);
      closeSync(descriptor);
      assertWhole(await readFile(path.join(folder, 'file'), 'utf8'), end);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('ends quietly if the reader leaves early', async () => {
    const child = spawn(process.execPath, command);
    let notes = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (notes += chunk));
    child.stdout.once('data', () => child.stdout.destroy());
    const { code } = await endsWithin(child, 20_000);
    assert.equal(code, 4);
    assert.equal(notes.trimEnd().split('\n').length, 1);
    assert.equal((JSON.parse(notes) as { code: string }).code, 'wrong-shape');
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends on the first ${signal} while its reader is paused`, async () => {
      const child = spawn(process.execPath, command);
      const written = isWritten(child);
      await new Promise<void>((resolve) => child.stdout.once('readable', () => resolve()));
      await written;
      child.kill(signal);
      // The reader goes on pausing, so the streams stay open: it has ended, and is not closed.
      const ended = until(() => child.exitCode ?? child.signalCode, 'the end on the first signal', 5_000);
      await ended.finally(() => child.kill('SIGKILL'));
      child.stdout.destroy();
    });
  }
});

describe('cli: hostile text on the terminal', () => {
  const hostile = 'a\u009b31mb\u202ec\u0085d';

  const run = async (status: number, body: string, ...more: string[]): Promise<[string, string]> => {
    const service = createServer((_request, response) => response.writeHead(status).end(body));
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const child = spawn(process.execPath, [
      cli,
      'api',
      'v2',
      'getAddressState',
      ...more,
      '--network',
      origin,
    ]);
    let [output, notes] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (notes += chunk));
    await endsWithin(child, 15_000);
    service.close();
    return [output, notes];
  };
  const address = `address=0:${'00'.repeat(32)}`;

  it('is escaped in answers, and the JSON keeps its meaning', async () => {
    const body = JSON.stringify({ ok: true, result: hostile });
    for (const more of [[address], [address, '--json']]) {
      const [output] = await run(200, body, ...more);
      assert.deepEqual(JSON.parse(output), JSON.parse(body));
      assert.doesNotMatch(output, /[\u007f-\u009f\u202e]/);
    }
  });

  it('is escaped in error lines', async () => {
    for (const [status, body] of [
      [200, hostile],
      [500, JSON.stringify({ ok: false, error: hostile })],
      [500, hostile],
    ] as const) {
      const [, notes] = await run(status, body, address);
      assert.doesNotMatch(notes, /[\u007f-\u009f\u202e]/);
      assert.match(notes, /31mb/);
    }
  });
});

describe('cli: webhook listen --json and a reader that pauses', () => {
  itOnPosix('bounds its backlog, reports what it omitted, and ends on the first SIGTERM', async function () {
    const listening = await startListen([]);
    const { child, url, lines } = listening;
    try {
      child.stdout?.pause();
      const total = 6000;
      let answered = 0;
      const deliver = async (): Promise<void> => {
        while (answered < total) {
          answered++;
          const { status } = await fetch(url, {
            method: 'POST',
            body: '{}',
            headers: { 'content-type': 'application/json' },
          });
          assert.equal(status, 401);
        }
      };
      await Promise.all(Array.from({ length: 8 }, deliver));
      child.stdout?.resume();
      const told = (): number =>
        lines.reduce((sum, line) => sum + (typeof line.leftOut === 'number' ? line.leftOut : 1), 0);
      await until(() => told() >= total, 'all are told of');
      assert.equal(told(), total);
      assert.ok(
        lines.some((line) => Number(line.leftOut) > 0),
        'nothing was left out: the backlog has no bound, or the test too few lines',
      );
      child.stdout?.pause();
      for (let index = 0; index < 1000; index++) {
        await fetch(url, { method: 'POST', body: '{}' });
      }
      let ended: number | string | null | undefined;
      void listening.end('SIGTERM').then((end) => (ended = end ?? 'ended'));
      await until(() => ended, 'the end on the first SIGTERM', 5_000);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
