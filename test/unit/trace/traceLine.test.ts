import { beginCell, contractAddress, toNano } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import assert from 'node:assert/strict';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import { clockTime } from '../../../src/toolkit/base/text';
import type { TraceKnowledge } from '../../../src/toolkit/trace/traceModel';
import { readTraces } from '../../../src/toolkit/trace/readTraces';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { traceDocument } from '../../../src/toolkit/trace/traceDocument';
import { lineLabel, lineParties, lineTitle, traceLine, traceRow } from '../../../src/toolkit/trace/traceLine';
import { compileContract } from '../../support/localTraces';
import { addressOf, mineWith, testChain, transfer } from '../localnet/support/testChain';

const names = new Map(['alice', 'bob'].map((name) => [addressOf(name), name]));

describe('a trace in one line', () => {
  let chain: LocalChain;
  let server: FastifyInstance;
  let vault: string;
  const contexts = async (more: TraceKnowledge = {}): Promise<TraceContext[]> => {
    const { body } = await server.inject('/api/v3/traces?limit=50&sort=asc');
    const named = new Map([...names, [vault, 'Vault']]);
    return readTraces(JSON.parse(body)).map((model) => new TraceContext(model, { names: named, ...more }));
  };
  const lineOf = async (
    index: number,
    knowledge: TraceKnowledge = {},
  ): Promise<[string, string, string, string]> => {
    const line = traceLine((await contexts(knowledge))[index]!);
    return [line.status, lineLabel(line, () => undefined), lineParties(line, () => undefined), line.fact];
  };

  before(async () => {
    chain = await testChain();
    server = await createServer(chain);
    const init = await compileContract(
      'fun onInternalMessage(in: InMessage) { assert (in.body.isEmpty()) throw 777 }',
    );
    const address = contractAddress(0, init);
    vault = address.toRawString();
    const send = (seqno: number, value: string, body?: Parameters<typeof transfer>[1]['body']): Buffer =>
      transfer('alice', {
        seqno,
        to: vault,
        value: toNano(value),
        bounce: true,
        ...(body === undefined ? {} : { body }),
        ...(seqno === 0 ? { init } : {}),
      });
    await mineWith(
      chain,
      transfer('bob', { seqno: 0, to: addressOf('alice'), value: toNano('2'), body: 'rent' }),
    );
    await mineWith(chain, send(0, '1'));
    await mineWith(chain, send(1, '0.5', beginCell().storeUint(0x12, 32).storeUint(0, 2).endCell()));
  });
  after(() => server.close());

  it('says what, who, and why for a transfer', async () => {
    assert.deepEqual(await lineOf(0), ['success', 'transfer 2 TON', 'bob → alice', '"rent"']);
  });

  it('names a deployed contract in the words', async () => {
    const [, label, parties, fact] = await lineOf(1);
    assert.deepEqual([label, parties, fact], ['deploy Vault', 'by alice', '']);
  });

  it("uses the source's names of a message and an exit code", async () => {
    const knowledge: TraceKnowledge = {
      messageName: (opcode) => (opcode === 0x12 ? 'Drop' : undefined),
      exitSource: () => ({ errors: new Map([[777, 'ERR_NOT_ALLOWED']]) }),
    };
    assert.deepEqual(await lineOf(2, knowledge), ['failed', 'Drop', 'alice → Vault', 'ERR_NOT_ALLOWED']);
    const [, , , fact] = await lineOf(2);
    assert.equal(fact, 'exit 777', 'without a source the code stays a number');
  });

  it('is a title, with current names', async () => {
    const line = traceLine((await contexts())[2]!);
    const today = (address: string): string | undefined => (address === vault ? 'Safe' : undefined);
    assert.equal(lineTitle(line, today), `${line.what}: alice → Safe`);
  });

  it('has the time last, in 24-hour form', async () => {
    const context = (await contexts())[0]!;
    const { description } = traceRow(context);
    const at = new Date((context.model.source.start_utime ?? 0) * 1000);
    const two = (part: number): string => String(part).padStart(2, '0');
    const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
    assert.ok(description.endsWith(`  ${time}`), description);
    assert.equal(clockTime(Number.MAX_SAFE_INTEGER), String(Number.MAX_SAFE_INTEGER));
  });

  it('belongs to a document that lists only the accounts in its own tree', async () => {
    const text = traceDocument((await contexts())[0]!);
    const accounts = /^Accounts\n(?: {2}.*\n)+/m.exec(text)?.[0] ?? '';
    assert.match(accounts, /alice/);
    assert.match(accounts, /bob/);
    assert.doesNotMatch(accounts, /Vault/, text);
  });
});
