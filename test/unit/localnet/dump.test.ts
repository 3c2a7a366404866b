/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-argument -- answers are JSON, judged field by field */
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beginCell, Cell, toNano } from '@ton/core';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import { nodeDisk } from '../../../src/toolkit/base/journal/journalDisk';
import { limits } from '../../../src/toolkit/base/limits';
import type { AccountChange } from '../../../src/toolkit/localnet/records/blockInput';
import { deriveAccounts } from '../../../src/toolkit/localnet/accounts/deriveAccounts';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import { configWords } from '../../../src/toolkit/localnet/chain/configWords';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import type { OpenChain, OpenChainOptions } from '../../../src/toolkit/localnet/openChain';
import { openChain } from '../../../src/toolkit/localnet/openChain';
import { readDump } from '../../../src/toolkit/localnet/dump/readDump';
import type { StateDump } from '../../../src/toolkit/localnet/dump/writeDump';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import { createLog, Redactor, silentLog } from '../../../src/toolkit/base/log';
import type { Answer, Scenario } from './support/scenario';
import { scenario } from './support/scenario';
import { addressOf, ManualClock, mineWith, testChain, transfer } from './support/testChain';

const emulator = createSandboxEmulator();

describe('dumping and loading the state of a local network', () => {
  let s: Scenario;
  beforeEach(async () => {
    s = await scenario();
    s.chain.configure({ names: { [s.minter.address.toRawString()]: 'shells' } });
  });
  afterEach(() => s.server.close());

  const dump = async (server: FastifyInstance): Promise<string> => {
    const { statusCode, body } = await server.inject({ method: 'POST', url: '/control/dump' });
    assert.equal(statusCode, 200, body);
    return body;
  };
  const load = async (
    server: FastifyInstance,
    payload: string,
  ): Promise<{ status: number; body: Answer }> => {
    const { statusCode, body } = await server.inject({ method: 'POST', url: '/control/load', payload });
    return { status: statusCode, body: JSON.parse(body) };
  };
  const json = async (server: FastifyInstance, url: string): Promise<Answer> =>
    JSON.parse((await server.inject(url)).body.replace(/"@extra":"[^"]*"/g, '"@extra":""'));

  it('gives another network the same accounts, tokens, names, time, and configuration', async () => {
    const library = beginCell().storeUint(77, 32).endCell();
    await s.post('/control/library', { boc: library.toBoc().toString('base64') });
    const value = beginCell().storeUint(0xc4, 8).storeUint(10, 32).storeUint(0x1ee, 64).endCell();
    await s.post('/control/config', { param: 8, value: value.toBoc().toString('base64') });
    await s.post('/control/domain', { domain: 'shop.ton', wallet: 'alice' });
    await s.chain.mine();
    await s.chain.mine();
    const text = await dump(s.server);
    assert.equal(await dump(s.server), text, 'two dumps of the same state are equal');

    const clock = new ManualClock();
    clock.milliseconds += 1_000_000_000;
    const other = await testChain({ clock });
    const server = await createServer(other);
    const { status, body } = await load(server, text);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.seqno, s.chain.ledger.last.seqno);
    assert.equal(other.now(), s.chain.ledger.last.genUtime, 'the clock goes on from the last block');
    assert.equal(other.config.base64, s.chain.config.base64);
    assert.equal(other.config.version, 10);
    assert.equal(configWords(other), configWords(s.chain));
    assert.match(configWords(other), /; parameter 8 set \([0-9a-f]{8}\)$/);
    assert.equal(other.libraries, s.chain.libraries);
    assert.deepEqual(other.settings.names, s.chain.settings.names);
    for (const url of [
      ...['alice', 'bob'].map((name) => `/api/v3/accountStates?address=${addressOf(name)}&include_boc=true`),
      `/api/v3/jetton/masters`,
      `/api/v3/jetton/wallets?owner_address=${addressOf('bob')}`,
      `/api/v2/runGetMethod?address=${addressOf('alice')}&method=seqno&stack=[]`,
    ]) {
      assert.deepEqual(await json(server, url), await json(s.server, url), url);
    }
    const domain = `/api/v3/dns/records?domain=shop.ton`;
    assert.deepEqual(await json(server, domain), await json(s.server, domain));
    assert.equal(await dump(server), text, 'what was loaded is dumped the same');
    await mineWith(other, transfer('alice', { seqno: 5, to: addressOf('bob'), value: 1n }));
    assert.equal(other.ledger.transactions.length, 2);
    assert.ok(other.ledger.transactions.every(({ lt }) => lt > BigInt((JSON.parse(text) as StateDump).lt)));
    await server.close();
  });

  it('keeps your own wallets, and the coins of failed messages', async () => {
    const accounts = await deriveAccounts([namedAccounts[2]!.mnemonic], 2);
    const chain = await testChain({ genesis: { accounts, balance: 5n } });
    const message = beginCell()
      .storeUint(0x4, 4)
      .storeAddress(s.minter.address)
      .storeAddress(s.minter.address)
      .storeCoins(toNano('1'))
      .storeUint(0, 1 + 4 + 4 + 64 + 32 + 2)
      .endCell();
    chain.ledger.failed.set(message.hash().toString('hex'), {
      hash: message.hash().toString('hex'),
      boc: message.toBoc().toString('base64'),
      destination: s.minter.address.toRawString(),
      error: 'broken',
    });
    const server = await createServer(chain);
    const text = await dump(server);
    await server.close();
    const { status: answered, body } = await load(s.server, text);
    assert.equal(answered, 200, JSON.stringify(body));
    assert.deepEqual(s.chain.genesis, { accounts, balance: 5n });
    const status = await json(s.server, '/control/status');
    assert.equal(status.failed[0].value, '1000000000');
    assert.equal(await dump(s.server), text);
    await s.post('/control/retry', {});
    await s.chain.mine();
    assert.deepEqual([...s.chain.ledger.failed.values()], []);
    assert.equal(s.chain.ledger.accounts.get(s.minter.address.toRawString())?.facts.balance, toNano('1'));
    await s.chain.reset();
    assert.deepEqual(s.chain.genesis, { accounts, balance: 5n });
  });

  it('does not leave out what is in progress', async () => {
    const seqno = 5;
    await s.chain.submit(transfer('alice', { seqno, to: addressOf('bob'), value: 1n }));
    await s.post('/control/faucet', { address: 'bob', amount: '5' });
    const refused = await s.post('/control/dump', {});
    assert.equal(refused.status, 422);
    assert.equal(refused.body.code, 'localnet-dump-busy');
    assert.match(refused.body.error, /^2 messages/);
    const before = s.chain.ledger.last.seqno;
    assert.deepEqual((await s.post('/control/dropPending', {})).body, { dropped: 2 });
    assert.ok(s.chain.isIdle);
    assert.equal(s.chain.ledger.last.seqno, before);
    await dump(s.server);
    // The dropped one can be sent again.
    await mineWith(s.chain, transfer('alice', { seqno, to: addressOf('bob'), value: 1n }));
  });

  describe('refuses, and changes nothing:', () => {
    let good: StateDump;
    const edited = (edit: (dump: StateDump) => unknown): string => {
      const copy = structuredClone(good);
      return JSON.stringify(edit(copy) ?? copy);
    };
    const refused = async (payload: string, code: string, words: RegExp): Promise<void> => {
      const { rootHash } = s.chain.ledger.last.master;
      const { ledger, settings, config } = s.chain;
      const { status, body } = await load(s.server, payload);
      assert.equal(status, code === 'over-limit' ? 413 : 422, JSON.stringify(body));
      assert.equal(body.code, code, JSON.stringify(body));
      assert.match(body.error, words);
      assert.equal(s.chain.ledger, ledger);
      assert.equal(s.chain.ledger.last.master.rootHash, rootHash);
      assert.equal(s.chain.settings, settings);
      assert.equal(s.chain.config, config);
    };
    beforeEach(async () => {
      good = JSON.parse(await dump(s.server)) as StateDump;
    });
    const first = (dump: StateDump): StateDump['accounts'][number] =>
      dump.accounts.find(({ boc }) => boc !== undefined)!;

    for (const [what, edit, code, words] of [
      ['another version', (d) => ({ ...d, version: 2 }), 'localnet-dump-version', /version 2;.*version 1/],
      ['no version', (d) => ({ ...d, version: undefined }), 'localnet-dump-version', /reads version 1/],
      ['something else', () => ({ accounts: [] }), 'localnet-dump-invalid', /its format is not/],
      ['unknown fields', (d) => ({ ...d, blocks: [] }), 'localnet-dump-invalid', /blocks/],
      ['an account twice', (d) => void d.accounts.push(first(d)), 'localnet-dump-invalid', /listed twice/],
      [
        'the account of another',
        (d) => void (first(d).address = `0:${'11'.repeat(32)}`),
        'localnet-dump-invalid',
        /accounts\[\d+\]: its BoC is of -1:3333/,
      ],
      [
        'a BoC that is cut',
        (d) => void (first(d).boc = first(d).boc!.slice(0, -8)),
        'localnet-dump-invalid',
        /accounts\[\d+\]/,
      ],
      [
        'a cell that is no account',
        (d) => void (first(d).boc = Cell.EMPTY.toBoc().toString('base64')),
        'localnet-dump-invalid',
        /accounts\[\d+\]/,
      ],
      [
        'a logical time before its accounts',
        (d) => void (d.lt = '2'),
        'localnet-dump-invalid',
        /after the last block/,
      ],
      [
        'a configuration that stops every transaction',
        (d) => void (d.config.boc = beginCell().storeUint(0, 64).endCell().toBoc().toString('base64')),
        'localnet-dump-invalid',
        /^[^:]*: config: /,
      ],
      [
        "a wallet's name for a contract",
        (d) => void (first(d).name = 'alice'),
        'localnet-dump-invalid',
        /called alice/,
      ],
      [
        'words of no wallet',
        (d) => ({ ...d, wallets: { mnemonics: ['one two three'], balance: '5' } }),
        'localnet-dump-invalid',
        /wallets: Mnemonic 1/,
      ],
      ['a number that is none', (d) => ({ ...d, seqno: 1.5 }), 'localnet-dump-invalid', /seqno/],
    ] as [string, (dump: StateDump) => unknown, string, RegExp][]) {
      it(what, () => refused(edited(edit), code, words));
    }

    it('input that is not JSON, or too large', async () => {
      await refused('{"format":', 'refused', /JSON/);
      await refused(' '.repeat(limits.stateDump.most + 1), 'over-limit', /larger than 67108864 bytes/);
    });

    it('random changes to a dump: it is either refused or loaded completely', async () => {
      const engine = await emulator;
      const text = JSON.stringify(good);
      await fc.assert(
        fc.asyncProperty(fc.nat(text.length - 1), fc.string({ maxLength: 6 }), async (place, part) => {
          const broken = text.slice(0, place) + part + text.slice(place + part.length);
          let value: unknown;
          try {
            value = JSON.parse(broken);
          } catch {
            return;
          }
          await readDump(value, engine).catch((error: { code?: string }) =>
            assert.match(String(error.code), /^(?:localnet-dump-|over-limit)/),
          );
        }),
        { numRuns: 60 },
      );
    });
  });

  describe('on disk', () => {
    let folder: string;
    let lines: string[];
    let opened: OpenChain | undefined;
    beforeEach(() => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tonwb-dump-'));
      lines = [];
    });
    afterEach(async () => {
      await opened?.store?.close();
      opened = undefined;
      fs.rmSync(folder, { recursive: true, force: true });
    });
    const open = async (more: Partial<OpenChainOptions> = {}): Promise<LocalChain> => {
      const before = opened;
      opened = undefined;
      await before?.store?.close();
      opened = await openChain({
        emulator: await emulator,
        config: defaultNetworkConfig(),
        clock: new ManualClock(),
        log: createLog((level, line) => lines.push(`${level} ${line}`), new Redactor()),
        mode: { kind: 'manual' },
        stateDirectory: folder,
        ...more,
      });
      return opened.chain;
    };
    const loaded = async (): Promise<() => ReturnType<typeof readDump>> => {
      const text = await dump(s.server);
      return async () => readDump(JSON.parse(text), await emulator);
    };

    it('is atomic: whenever the process ends, either the old or the new state remains', async () => {
      const state = await (await loaded())();
      const seen = new Set<string>();
      let isWhole = false;
      for (let survived = 0; !isWhole; survived += 1) {
        fs.rmSync(folder, { recursive: true });
        let left = Infinity;
        const disk = new Proxy(nodeDisk, {
          get: (target, name) => {
            left -= 1;
            assert.ok(left >= 0, 'killed');
            return Reflect.get(target, name) as unknown;
          },
        });
        // What a killed network still says when its disk is gone belongs to nobody.
        const chain = await open({ disk, log: silentLog });
        await mineWith(chain, transfer('bob', { seqno: 0, to: addressOf('alice'), value: 1n }));
        const before = chain.ledger.last.master.rootHash;
        left = survived;
        isWhole = await chain.takeOver(state).then(
          () => true,
          () => false,
        );
        const { rootHash } = chain.ledger.last.master;
        assert.equal(rootHash === before, !isWhole, 'in memory, too');
        left = 0;
        opened = undefined;
        fs.rmSync(path.join(folder, 'lock.json'));
        const again = await open();
        const found = again.ledger.last.master.rootHash;
        assert.ok(found === before || (await dump(await createServer(again))) === (await dump(s.server)));
        assert.ok(!isWhole || found === rootHash);
        seen.add(found === before ? 'old' : 'new');
      }
      assert.deepEqual([...seen], ['old', 'new']);
    });

    it('continues from what was loaded, even after a restore and another start', async () => {
      const state = await (await loaded())();
      const chain = await open();
      await chain.takeOver(state);
      const { rootHash } = chain.ledger.last.master;
      const again = await open();
      assert.equal(again.ledger.last.master.rootHash, rootHash);
      assert.equal(again.now(), chain.now());
      await mineWith(again, transfer('alice', { seqno: 5, to: addressOf('bob'), value: 1n }));
      await again.restore(state.base.seqno + 1);
      assert.equal(again.ledger.last.master.rootHash, rootHash);
      assert.equal((await open()).ledger.last.master.rootHash, rootHash);
    });

    it('lets others take their turn while very many accounts are loaded', async () => {
      const state = await (await loaded())();
      const [{ shardAccount }] = state.block.changes as [AccountChange];
      const many = Array.from({ length: 3_000 }, (_, index) => ({
        address: `0:${'b'.repeat(56)}${index.toString(16).padStart(8, '0')}`,
        shardAccount,
      }));
      const chain = await open();
      let turns = 0;
      let isOver = false;
      const count = (): void => {
        turns += 1;
        if (!isOver) {
          setImmediate(count);
        }
      };
      setImmediate(count);
      await chain.takeOver({
        ...state,
        block: { ...state.block, changes: [...state.block.changes, ...many] },
      });
      isOver = true;
      assert.ok(chain.ledger.accounts.size > many.length);
      assert.ok(turns > 10, `${turns} turns`);
    });

    it('starts from a dump once, continues without it, and never overwrites a state', async () => {
      const chain = await open({ load: await loaded() });
      const { rootHash } = chain.ledger.last.master;
      assert.equal((await open()).ledger.last.master.rootHash, rootHash);
      await assert.rejects(open({ load: await loaded() }), { code: 'localnet-load-mismatch' });
      assert.equal((await open()).ledger.last.master.rootHash, rootHash);
      const genesis = { accounts: namedAccounts };
      await assert.rejects(open({ load: await loaded(), genesis }), { code: 'localnet-load-mismatch' });
    });

    it("keeps a saved state's own wallets, and says so if others are requested", async () => {
      const others = await deriveAccounts([namedAccounts[2]!.mnemonic], 2);
      await open();
      await assert.rejects(open({ genesis: { accounts: others } }), (error: Error & { code: string }) => {
        assert.equal(error.code, 'localnet-wallets-mismatch');
        assert.ok(error.message.includes(folder));
        return true;
      });
      await open({ genesis: {} });
      assert.deepEqual(lines, []);
      const fewer = await open({ genesis: { accounts: namedAccounts.slice(0, 2) } });
      assert.match(lines.join('\n'), /was made with 10 wallets, not 2\./);
      assert.equal(fewer.genesis.accounts.length, 10);
      const chain = await open({ genesis: { accounts: namedAccounts, balance: toNano('7') } });
      assert.match(lines.join('\n'), /was made with 1000000 TON in each wallet, not 7\./);
      assert.equal(chain.genesis.balance, toNano('1000000'));
      await chain.reset();
      assert.equal(chain.ledger.accounts.get(addressOf('bob'))?.facts.balance, toNano('1000000'));
    });

    it('keeps dropped messages dropped', async () => {
      const chain = await open();
      await chain.submit(transfer('bob', { seqno: 0, to: addressOf('alice'), value: 1n }));
      assert.equal(await chain.dropPending(), 1);
      const again = await open();
      assert.equal(again.ledger.transactions.length, 0);
      assert.ok(again.isIdle);
    });
  });
});
