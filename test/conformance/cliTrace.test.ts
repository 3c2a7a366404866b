import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  Address,
  Cell,
  beginCell,
  comment,
  internal,
  loadTransaction,
  storeMessage,
  toNano,
} from '@ton/core';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import { hashIn } from '../../src/toolkit/trace/traceKeys';
import { traceFileText } from '../../src/toolkit/trace/traceFile';
import type { TraceSummary } from '../../src/toolkit/trace/traceSummary';
import { lastError, runCommandLine, runProcess } from '../support/commandLine';
import { LocalTraces } from '../support/localTraces';

describe('the trace command', () => {
  let local: LocalTraces;
  let folder: string;

  before(async () => {
    local = new LocalTraces(await startLocalnet({ port: 0, log: silentLog }));
    folder = await mkdtemp(path.join(tmpdir(), 'trace-'));
  });
  after(async () => {
    await local.network.close();
    await rm(folder, { recursive: true });
  });

  it('writes its page as a file that needs nothing else', async () => {
    const { context } = await local.send('alice', [
      internal({ to: local.wallet('bob').address, value: toNano('3'), bounce: false, body: comment('page') }),
    ]);
    const file = path.join(folder, 'page.html');
    const id = hashIn(context.model.id ?? '');
    const network = ['--network', local.network.v3];
    const { stdout, stderr } = await runCommandLine(['trace', id, ...network, '--html', file]);
    assert.match(stdout, /comment "page"/);
    assert.match(stderr, /The page is in .*page\.html/);
    const page = await readFile(file, 'utf8');
    assert.match(page, /^<!DOCTYPE html>[^]*<title>transfer 3 TON[^]*<style>[^]*\.stage[^]*id="page">/);
    const missing = path.join(folder, 'missing/page.html');
    const refused = await runCommandLine(['trace', id, ...network, '--html', missing]);
    assert.deepEqual([refused.status, lastError(refused).code], [2, 'report-unwritable']);
    const both = await runCommandLine(['trace', id, ...network, '--html', file, '--follow']);
    assert.deepEqual([both.status, lastError(both).code], [2, 'usage']);
  });

  it('finds a trace by id, message, account, and file, with the same result', async () => {
    const { context } = await local.send('alice', [
      internal({ to: local.wallet('bob').address, value: toNano('2'), bounce: false, body: comment('hi') }),
    ]);
    const file = path.join(folder, 'saved.json');
    await writeFile(file, traceFileText(context.model, { savedAt: 0, network: 'Local' }));
    const { model } = context;
    const network = ['--network', local.network.v3];
    const alice = local.wallet('alice').address;
    const id = hashIn(model.id ?? '');
    const told: TraceSummary[] = [];
    for (const args of [
      [id, ...network],
      [model.nodes[1]?.message?.hash ?? '', ...network],
      [alice.toString({ bounceable: false }), '--limit', '1', ...network],
      ['alice', '--limit', '1', ...network],
      [id, '--follow', ...network],
      [file],
    ]) {
      const run = await runCommandLine(['trace', ...args, '--json']);
      assert.equal(run.status, 0, run.stderr);
      const lines = run.stdout.trimEnd().split('\n');
      assert.equal(lines.length, 1);
      told.push(JSON.parse(lines[0] ?? '') as TraceSummary);
    }
    const [first] = told;
    assert.equal(first?.traceId, id);
    assert.equal(first.state, 'complete');
    assert.deepEqual([first.transactions, first.failed, first.verdict, first.unknown], [2, 0, null, []]);
    assert.match(first.actions[0] ?? '', /^transfer 2 TON, alice → bob, comment "hi"$/);
    assert.equal(
      first.money.reduce((sum, row) => sum + BigInt(row.coins), BigInt(first.fees ?? 'unknown')),
      0n,
    );
    for (const other of told) {
      assert.deepEqual(other, first);
    }
    const text = await runProcess(['trace', file, '--full']);
    assert.equal(text.status, 0);
    assert.match(text.stdout, /^✓ transfer 2 TON/);
  });

  it('takes the BoC that was sent, and links, as other commands do', async () => {
    const { context } = await local.send('alice', [
      internal({ to: local.wallet('bob').address, value: toNano('3'), bounce: false }),
    ]);
    const { model } = context;
    const id = hashIn(model.id ?? '');
    const { origin } = new URL(local.network.v3);
    const network = ['--network', local.network.v3];
    // As it is in the block: its normalized hash is the one of every other form of it.
    const { account, lt } = model.nodes[0]!.transaction!;
    const [raw] = await local.access.v2.getTransactions({
      ...{ address: account!, lt: lt!, hash: model.nodes[0]!.hash!, limit: 1 },
    });
    const message = loadTransaction(Cell.fromBase64(raw?.data ?? '').beginParse()).inMessage!;
    const sent = beginCell().store(storeMessage(message)).endCell();
    const file = path.join(folder, 'sent.boc');
    await writeFile(file, sent.toBoc());
    const link = `${origin}/api/v3/traces?tx_hash=${id}`;
    for (const args of [
      [sent.toBoc().toString('base64'), ...network],
      [sent.toBoc().toString('hex'), ...network],
      [file, ...network],
      [link],
      [`https://tonviewer.com/transaction/${id}`, ...network],
    ]) {
      const run = await runCommandLine(['trace', ...args, '--json']);
      assert.equal(run.status, 0, run.stderr);
      assert.equal((JSON.parse(run.stdout) as TraceSummary).traceId, id, args[0]);
      const replayed = await runCommandLine(['replay', ...args, '--json']);
      assert.equal(replayed.status, 0, replayed.stderr);
      assert.equal((JSON.parse(replayed.stdout) as { hash: string }).hash, model.nodes[0]!.hash, args[0]);
    }
    const described = await runCommandLine(['boc', file, '--json']);
    assert.equal(described.status, 0, described.stderr);
    const { decoded } = JSON.parse(described.stdout) as {
      decoded: { fields: { normalized_hash?: string } };
    };
    const named = await runCommandLine(['trace', decoded.fields.normalized_hash ?? '', ...network, '--json']);
    assert.equal(named.status, 0, named.stderr + described.stdout);
    assert.equal((JSON.parse(named.stdout) as TraceSummary).traceId, id, described.stdout);

    const bob = local.wallet('bob').address.toString();
    for (const one of [`ton://transfer/${bob}`, `https://tonviewer.com/${bob}`]) {
      const shown = await runCommandLine(['account', one, '--limit', '0', '--json', ...network]);
      assert.equal(shown.status, 0, shown.stderr);
      assert.equal((JSON.parse(shown.stdout) as { name: string }).name, 'bob', one);
      const run = await runCommandLine(['run', one, 'seqno', ...network]);
      assert.equal(run.status, 0, run.stderr);
    }
    const other = await runCommandLine(['account', `https://tonviewer.com/transaction/${id}`, ...network]);
    assert.equal(lastError(other).code, 'address-invalid');
    assert.match(other.stderr, /names a transaction or a message, not an account/);
  });

  it('does not shorten addresses for programs', async () => {
    const stranger = new Address(0, Buffer.alloc(32, 0xab));
    const { context } = await local.send('alice', [
      internal({ to: stranger, value: toNano('1'), bounce: false }),
    ]);
    const run = await runCommandLine([
      ...['trace', hashIn(context.model.id ?? ''), '--json'],
      ...['--network', local.network.v3],
    ]);
    const told = JSON.parse(run.stdout) as TraceSummary;
    assert.equal(told.actions[0], `transfer 1 TON, alice → ${stranger.toRawString()}`);
    assert.ok(told.money.some(({ name }) => name === stranger.toRawString()));
  });

  it('names messages by an ABI, and accounts like the send command', async () => {
    const field = { name: 'step', type: { kind: 'simple', type: 'uint', optional: false, format: 32 } };
    const abi = path.join(folder, 'Counter.abi');
    await writeFile(
      abi,
      JSON.stringify({ name: 'Counter', types: [{ name: 'Increase', header: 0x7e8764ef, fields: [field] }] }),
    );
    const body = beginCell().storeUint(0x7e8764ef, 32).storeUint(5, 32).endCell();
    const counter = new Address(0, Buffer.alloc(32, 0xac));
    const { context } = await local.send('alice', [internal({ to: counter, value: toNano('0.1'), body })]);
    const what = ['trace', hashIn(context.model.id ?? ''), '--network', local.network.v3];
    // In a folder whose sources do not say what the message is.
    const plain = await runCommandLine(what, {}, folder);
    assert.match(
      plain.stdout,
      /A alice +external message[^]*B \S+ +0x7e8764ef[^]*A alice +bounced 0x7e8764ef/,
    );
    const named = await runCommandLine(['trace', '--abi', abi, '--full', ...what.slice(1)]);
    assert.match(named.stdout, /B \S+ +Increase[^]*A alice +bounced Increase/);
    assert.match(named.stdout, /Increase \(0x7e8764ef\), Counter, .*\n +step 5\n/);
    const absent = await runCommandLine([...what, '--abi', path.join(folder, 'absent.abi')]);
    assert.deepEqual([absent.status, lastError(absent).code], [2, 'abi-file-unreadable']);
    const order = 'send bob 0.1ton from alice';
    const sent = await runCommandLine(['send', '--dry-run', '--compose', order, ...what.slice(2)]);
    assert.match(sent.stdout, /alice \(EQ.* to bob[^]*A alice +external message[^]*B bob +transfer/);
  });

  it('exits with the status for the kind of failure', async () => {
    const network = ['--network', local.network.v3];
    const unknown = await runCommandLine(['trace', 'ab'.repeat(32), ...network, '--json']);
    assert.deepEqual([unknown.status, lastError(unknown).code], [1, 'trace-not-found']);
    const junk = path.join(folder, 'junk.json');
    for (const text of ['{"error":"no"}', '[{"error":"no"}]', '{"traces":[{"foo":1}]}', '[]']) {
      await writeFile(junk, text);
      const unreadable = await runCommandLine(['trace', junk]);
      assert.deepEqual([unreadable.status, lastError(unreadable).code], [2, 'trace-unreadable'], text);
    }
    const two = await runCommandLine(['trace', 'alice', 'bob', ...network]);
    assert.deepEqual([two.status, lastError(two).code], [2, 'usage']);
    const command = await runCommandLine(['webhook']);
    assert.deepEqual([command.status, lastError(command).message.slice(0, 20)], [2, 'A command is missing']);
    const absent = await runCommandLine(['trace', path.join(folder, 'absent.json')]);
    assert.deepEqual([absent.status, lastError(absent).code], [2, 'file-unreadable']);
  });
});
