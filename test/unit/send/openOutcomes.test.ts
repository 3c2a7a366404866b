import { Address } from '@ton/core';
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type * as vscode from 'vscode';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { OpenOutcomes, openOutcomeWords } from '../../../src/toolkit/send/sendQuestion';

/** A state as the editor keeps it: what goes in comes out as JSON. */
function memory(): vscode.Memento {
  const kept = new Map<string, string>();
  return {
    keys: () => [...kept.keys()],
    get: (key: string, otherwise?: unknown) => {
      const text = kept.get(key);
      return text === undefined ? otherwise : (JSON.parse(text) as unknown);
    },
    update: (key: string, value: unknown) => {
      kept.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  } as vscode.Memento;
}

const wallet = Address.parse(`0:${'ab'.repeat(32)}`);
const stranger = Address.parse(`0:${'cd'.repeat(32)}`);
const message = (digit: string, destination = wallet): { hashNorm: string; destination: Address } => ({
  hashNorm: digit.repeat(64),
  destination,
});
const ref = { root_hash: 'A'.repeat(43) + '=', file_hash: 'A'.repeat(43) + '=' };

describe('messages whose outcome is unknown', () => {
  let server: Server;
  let access: Access;
  /** What the index says: the time of its newest block, the hashes it has, or nothing at all. */
  let world: { time: number; has: string[]; fails: boolean };
  let asked: number;
  const now = Math.floor(Date.now() / 1000);

  beforeEach(async () => {
    world = { time: now, has: [], fails: false };
    asked = 0;
    server = createServer((request, response) => {
      asked++;
      const url = new URL(request.url ?? '', 'http://a');
      const given = url.searchParams.get('msg_hash') ?? '';
      const isHex = /^[0-9a-f]{64}$/i.test(given);
      const wanted = isHex ? given.toLowerCase() : Buffer.from(given, 'base64').toString('hex');
      const block = { workchain: -1, shard: '8000000000000000', seqno: 7, ...ref, gen_utime: world.time };
      const seen = world.has.includes(wanted);
      const body = url.pathname.endsWith('/masterchainInfo')
        ? { first: block, last: block }
        : { traces: seen ? [{ trace_id: ref.root_hash }] : [], address_book: {}, metadata: {} };
      response.writeHead(world.fails ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(world.fails ? { error: 'no' } : body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const v3 = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`;
    access = createAccess({ network: { name: 'Test', kind: 'custom', globalId: -3, v3 } });
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const hashes = async (outcomes: OpenOutcomes, digit = 'f', destination = wallet): Promise<string[]> =>
    (await outcomes.openBeside(access, message(digit, destination))).map(({ hash }) => hash.charAt(0));

  it('are reported before the next message of the same account on the same network, and only then', async () => {
    const state = memory();
    await new OpenOutcomes(state).remember('Test', message('1'), now + 60);
    await new OpenOutcomes(state).remember('Test', message('2'), undefined);
    await new OpenOutcomes(state).remember('Other', message('3'), undefined);
    const later = new OpenOutcomes(state);
    assert.deepEqual(await hashes(later), ['2', '1']);
    assert.deepEqual(await hashes(later, '2'), ['1'], 'the same message may be sent again');
    const before = asked;
    assert.deepEqual(await hashes(later, 'f', stranger), []);
    assert.equal(asked, before, 'whoever has nothing open asks nothing');
  });

  it('are forgotten once the network shows them', async () => {
    const outcomes = new OpenOutcomes(memory());
    await outcomes.remember('Test', message('1'), undefined);
    world.has = ['1'.repeat(64)];
    assert.deepEqual(await hashes(outcomes), []);
    world.has = [];
    assert.deepEqual(await hashes(outcomes), []);
  });

  it("are forgotten when they have expired by the network's own clock, not this machine's", async () => {
    const outcomes = new OpenOutcomes(memory());
    await outcomes.remember('Test', message('1'), now - 10);
    world.time = now - 20;
    assert.deepEqual(await hashes(outcomes), ['1']);
    world.time = now;
    assert.deepEqual(await hashes(outcomes), []);
  });

  it('stay open while the network does not say', async () => {
    const outcomes = new OpenOutcomes(memory());
    await outcomes.remember('Test', message('1'), now - 10);
    world.fails = true;
    assert.deepEqual(await hashes(outcomes), ['1']);
  });

  it('are kept once each, up to the newest hundred', async () => {
    const outcomes = new OpenOutcomes(memory());
    for (let index = 0; index < 120; index++) {
      const hashNorm = index.toString(16).padStart(64, '0');
      await outcomes.remember('Test', { hashNorm, destination: wallet }, undefined);
      await outcomes.remember('Test', { hashNorm, destination: wallet }, undefined);
    }
    assert.equal((await hashes(outcomes)).length, 100);
  });

  it('are reported with hash, network, and time', () => {
    const one = { network: 'Test', account: wallet.toRawString(), hash: '1'.repeat(64), at: now, until: now };
    const { question, detail } = openOutcomeWords(one, 2);
    assert.match(question, /earlier message is still unknown/);
    assert.match(
      detail,
      / to Test at .*\. It may still be executed until .* 2 more [^]*\nMessage hash 1{64}$/,
    );
    const { until, ...open } = one;
    assert.ok(until);
    assert.match(openOutcomeWords(open, 0).detail, /It may still be executed, and if /);
  });
});
