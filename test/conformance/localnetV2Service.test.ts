import assert from 'node:assert/strict';
import { Cell } from '@ton/core';
import { createAccess } from '../../src/toolkit/access/createAccess';
import { publicNetworks } from '../../src/toolkit/access/network';
import { v2Endpoints } from '../../src/toolkit/access/v2/v2Endpoints';
import { callControl } from '../../src/toolkit/localnet/callControl';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { WorkbenchError } from '../../src/toolkit/base/errors';
import { silentLog } from '../../src/toolkit/base/log';

/** The parts of results that are judged here. */
interface Result {
  '@type': string;
  '@extra': string;
  block_id: { seqno: number };
  wallet: boolean;
  state: string;
  suspended: boolean;
  last: Result;
  init: Result;
  bounceable: { b64: string };
  non_bounceable: { b64: string };
  config: { bytes: string };
  entries: { name: string; entry: { '@type': string; resolver: { account_address: string } } }[];
}

interface Body {
  ok: boolean;
  error: string;
  code: number;
  id: number;
  result: Result;
}

interface Answer {
  status: number;
  version: string | null;
  text: string;
  body: Body;
}

type Way = 'get' | 'post' | 'jsonRPC';

/** One request, as the cases of the public tests of toncenter/ton-http-api-cpp make it in each of three ways. */
interface Case {
  name: string;
  method: string;
  parameters: Record<string, unknown>;
  status: number;
  /** What its result must be like. */
  judge?: (result: Result) => void;
}

/**
 * Requests of those tests that only the main network can answer, by what they need. Those of the first
 * four groups are asked about accounts of this network in localnetV2Accounts.
 */
const needsElsewhere = {
  "the main network's active accounts": 6,
  'its wallets of each version': 39,
  'its elector, which changes with every block': 6,
  'its account with extra currencies': 3,
  'its frozen account': 6,
  'its jettons, NFTs, and domains, whose forms are checked against the published description': 63,
  'its highload wallets, restricted wallet, payment channel, and DNS of old, which are shown as raw here': 24,
  'signatures and proofs of validators': 9,
};

/** A result that is text, not an object. */
const textOf = (result: unknown): string => String(result);

/** An account without a state on this network. */
const absent = '0:1B85D5623E2720758476662D461A312475159C32395F27D00C0D5C00F6EC6C57';
/** One of parameter 44, which is the main network's. */
const suspended = '0:B81B6A61E804BF983FFE708BF8688626D73E63020096FD34C312BEF6CA05CE3F';
const masterchain = '-1:0000000000000000000000000000000000000000000000000000000000000001';
const elector = `-1:${'3'.repeat(64)}`;
const wholeShard = -(2 ** 63);
const hex = '83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8';
const bounceable = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
const forms = ['UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI', bounceable, `0:${hex}`];

describe('API v2 of the local network, held against the public tests of the C++ service', () => {
  let network: Localnet;
  let classic: Localnet;
  let newest = 0;

  before(async () => {
    const start = (isClassicV2: boolean): Promise<Localnet> =>
      startLocalnet({ port: 0, mode: { kind: 'manual' }, isClassicV2, log: silentLog });
    [network, classic] = await Promise.all([start(false), start(true)]);
    for (const { control } of [network, classic]) {
      newest = (await callControl(control, 'mine', { blocks: 160 })).seqno;
    }
  });
  after(() => Promise.all([network.close(), classic.close()]));

  async function ask(base: string, way: Way, method: string, parameters: object): Promise<Answer> {
    const query = new URLSearchParams(
      Object.entries(parameters).map(([name, value]) => [
        name,
        typeof value === 'number' ? BigInt(value).toString() : String(value),
      ]),
    );
    const post = (body: object): RequestInit => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // Clients in other languages send a shard with all its digits.
      body: JSON.stringify(body).replace('-9223372036854776000', '-9223372036854775808'),
    });
    const response = await (way === 'get'
      ? fetch(`${base}/${method}?${query.toString()}`)
      : way === 'post'
        ? fetch(`${base}/${method}`, post(parameters))
        : fetch(`${base}/jsonRPC`, post({ jsonrpc: '2.0', id: 1, method, params: parameters })));
    return read(response);
  }

  async function read(response: Response): Promise<Answer> {
    const text = await response.text();
    const isJson = text.startsWith('{');
    return {
      status: response.status,
      version: response.headers.get('x-api-version'),
      text,
      body: (isJson ? JSON.parse(text) : {}) as Body,
    };
  }

  function cases(): Case[] {
    const { address } = network.accounts[0] as { address: string };
    const of =
      (method: string, status: number) => (name: string, parameters: object, judge?: Case['judge']) => ({
        ...{ name, method, status, parameters: { ...parameters } },
        ...(judge === undefined ? {} : { judge }),
      });
    const typed = (type: string) => (result: Result) => assert.equal(result['@type'], type);
    const accounts = (
      method: string,
      answered: readonly string[],
      judge: Case['judge'],
      atBlock = false,
    ): Case[] => {
      const refused = of(method, 422);
      return [
        ...answered.map((account) => of(method, 200)(`of ${account}`, { address: account }, judge)),
        refused('without an address', {}),
        refused('of no address', { address: 'invalid' }),
        refused('at no block', { address, seqno: 'invalid' }),
        of(method, 500)('at a block to come', { address, seqno: newest + 10_000 }),
        ...(atBlock
          ? [
              of(method, 200)('ten blocks ago', { address, seqno: newest - 10 }, (result) =>
                assert.equal(result.block_id.seqno, newest - 10),
              ),
            ]
          : []),
      ];
    };
    const wallet = (result: Result): void => {
      typed('ext.accounts.walletInformation')(result);
      assert.equal(typeof result.wallet, 'boolean');
    };
    const state = (result: Result): void =>
      assert.ok(['active', 'frozen', 'uninitialized'].includes(textOf(result)));
    const balance = (result: Result): void => assert.match(textOf(result), /^\d+$/);
    const proof = (name: string, parameters: object, status = 422): Case =>
      of('getShardBlockProof', status)(name, parameters);
    const ofMaster = { workchain: -1, shard: wholeShard };
    const forgotten = of('getMasterchainBlockSignatures', 500);
    return [
      ...accounts('getAddressInformation', [address, absent], typed('raw.fullAccountState'), true),
      of('getAddressInformation', 200)('of a suspended account', { address: suspended }, (result) => {
        assert.deepEqual([result.suspended, result.state], [true, 'uninitialized']);
      }),
      ...accounts('getExtendedAddressInformation', [address, absent], typed('fullAccountState'), true),
      ...accounts('getWalletInformation', [address, absent, masterchain, elector, ...forms], wallet),
      ...accounts('getAddressBalance', [address, absent, masterchain], balance),
      ...accounts('getAddressState', [address, elector, masterchain], state),
      of('getAddressState', 200)('of nobody', { address: absent }, (result) =>
        assert.equal(textOf(result), 'uninitialized'),
      ),
      of('getTokenData', 422)('without an address', {}),
      of('getTokenData', 422)('of no address', { address: 'invalid' }),
      of('getTokenData', 409)('of a wallet', { address }),
      of('getMasterchainInfo', 200)('the newest block', {}, (result) => {
        typed('blocks.masterchainInfo')(result);
        typed('ton.blockIdExt')(result.last);
        typed('ton.blockIdExt')(result.init);
      }),
      of('getConsensusBlock', 200)('the agreed block', {}, typed('ext.blocks.consensusBlock')),
      of('getMasterchainBlockSignatures', 422)('of no block', { seqno: 'invalid' }),
      forgotten('of a block to come', { seqno: newest + 10_000 }),
      proof('of no workchain', { workchain: 'invalid', shard: wholeShard, seqno: 1, from_seqno: 1 }),
      proof('without a workchain', { shard: wholeShard, seqno: 1, from_seqno: 1 }),
      proof('of no shard', { workchain: -1, shard: 'invalid', seqno: 1 }),
      proof('without a shard', { workchain: -1, seqno: 1 }),
      proof('of no block', { ...ofMaster, seqno: 'invalid' }),
      proof('of a block below zero', { ...ofMaster, seqno: -1 }),
      proof('of a block to come', { ...ofMaster, seqno: newest + 10_000 }, 500),
      ...[bounceable, `0:${hex}`, `0:${hex.toUpperCase()}`].map((form) =>
        of('detectAddress', 200)(form, { address: form }, (result) => {
          assert.deepEqual([result.bounceable.b64, result.non_bounceable.b64], [bounceable, forms[0]]);
        }),
      ),
      ...['not_an_address', ''].map((form) =>
        of('detectAddress', 422)(`no address: ${form}`, { address: form }),
      ),
      ...hashes().map(([hash, status]) => of('detectHash', status)(`the hash ${hash}`, { hash })),
      ...(['packAddress', 'unpackAddress'] as const).flatMap((method) => [
        ...[...forms, `0:${hex.toUpperCase()}`].map((form) =>
          of(method, 200)(form, { address: form }, (result) =>
            assert.equal(textOf(result), method === 'packAddress' ? bounceable : `0:${hex.toUpperCase()}`),
          ),
        ),
        of(method, 422)('without an address', {}),
        of(method, 422)('of no address', { address: 'invalid' }),
      ]),
    ];
  }

  function hashes(): (readonly [string, 200 | 422])[] {
    const base64 = 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=';
    const url = base64.replaceAll('+', '-').replaceAll('/', '_');
    const digits = Buffer.from(base64, 'base64').toString('hex');
    return [
      ...[base64, url, url.slice(0, -1), digits, digits.toUpperCase()].map((hash) => [hash, 200] as const),
      ...[base64.slice(0, -1), 'not a hash', ''].map((hash) => [hash, 422] as const),
    ];
  }

  it('answers 242 of their 398 requests as that service does; the rest needs another network', async () => {
    let asked = 0;
    for (const one of cases()) {
      for (const way of ['get', 'post', 'jsonRPC'] as const) {
        const { status, body } = await ask(network.v2, way, one.method, one.parameters);
        const where = `${one.method} ${one.name}, by ${way}: ${JSON.stringify(body)}`;
        assert.equal(status, one.status, where);
        assert.equal(body.ok, one.status === 200, where);
        if (one.status === 200) {
          one.judge?.(body.result);
        } else {
          assert.equal(body.code, one.status, where);
        }
        asked += 1;
      }
    }
    for (const way of ['post', 'jsonRPC'] as const) {
      const run = { address: elector, method: 'active_election_id', stack: [] };
      const { status, body } = await ask(network.v2, way, 'runGetMethod', run);
      assert.deepEqual([status, body.result['@type']], [200, 'smc.runResult']);
      asked += 1;
    }
    const elsewhere = Object.values(needsElsewhere).reduce((sum, count) => sum + count, 0);
    assert.deepEqual([asked, asked + elsewhere], [242, 398]);
  });

  it('reads a parameter of the configuration by either name, and by both as that service does', async () => {
    const status = async (way: Way, parameters: object): Promise<number> =>
      (await ask(network.v2, way, 'getConfigParam', parameters)).status;
    for (const way of ['get', 'post', 'jsonRPC'] as const) {
      assert.equal(await status(way, { param: 8 }), 200);
      assert.equal(await status(way, { config_id: 8 }), 200);
      assert.equal(await status(way, { config_id: '8' }), 200);
      assert.equal(await status(way, {}), 422);
      assert.equal(await status(way, { config_id: -8 }), 422);
      assert.equal(await status(way, { param: -8 }), 422);
      assert.equal(await status(way, { param: 8, seqno: 0 }), 422);
      assert.equal(await status(way, { config_id: 8, param: 9 }), way === 'get' ? 200 : 422);
    }
  });

  it('answers JSON-RPC without an id, an unknown method with 404, a broken request without a body', async () => {
    const { body, version } = await ask(network.v2, 'jsonRPC', 'getConsensusBlock', {});
    assert.deepEqual(Object.keys(body), ['ok', 'result', '@extra']);
    assert.equal(version, '2.1.13');
    for (const way of ['get', 'post', 'jsonRPC'] as const) {
      const unknown = await ask(network.v2, way, 'getBlock', {});
      assert.equal(unknown.status, 404);
      assert.deepEqual(unknown.body, { ok: false, error: 'Not Found', code: 404, '@extra': '_' });
    }
    for (const broken of ['{"method":', '{"id":1}', '[1]']) {
      const answer = await read(await fetch(`${network.v2}/jsonRPC`, { method: 'POST', body: broken }));
      assert.deepEqual([answer.status, answer.text], [500, ''], broken);
    }
    const list = { method: 'POST', body: '{"method":"getConsensusBlock","params":[1]}' };
    const refused = await read(await fetch(`${network.v2}/jsonRPC`, list));
    assert.deepEqual([refused.status, refused.body.error], [422, 'params must contain an object']);
  });

  it('checks parameters before it says that nothing is signed here', async () => {
    const signatures = async (parameters: object): Promise<number> =>
      (await ask(network.v2, 'get', 'getMasterchainBlockSignatures', parameters)).status;
    assert.deepEqual(
      await Promise.all([{}, { seqno: 0 }, { seqno: newest + 1 }, { seqno: 1 }].map(signatures)),
      [422, 422, 500, 501],
    );
    const proof = { workchain: -1, shard: wholeShard, seqno: 1 };
    const proofs = async (parameters: object): Promise<number> =>
      (await ask(network.v2, 'post', 'getShardBlockProof', { ...proof, ...parameters })).status;
    assert.deepEqual(
      await Promise.all([{ from_seqno: -1 }, {}, { from_seqno: 1 }].map(proofs)),
      [422, 501, 501],
    );
  });

  it('resolves a name from the given resolver, and stops where ttl says', async () => {
    await callControl(network.control, 'domain', { domain: 'shop.ton', wallet: 'alice' });
    // Names are read between blocks.
    await callControl(network.control, 'mine', { blocks: 3 });
    const config = await ask(network.v2, 'get', 'getConfigParam', { param: 4 });
    const cell = Cell.fromBase64(config.body.result.config.bytes);
    const root = `-1:${cell.beginParse().loadBuffer(32).toString('hex')}`;
    const resolve = async (parameters: object): Promise<Answer> =>
      ask(network.v2, 'get', 'dnsResolve', { address: root, ...parameters });
    const whole = (await resolve({ name: 'shop.ton', ttl: 5 })).body.result.entries;
    assert.equal(whole[0]?.entry['@type'], 'dns.entryDataSmcAddress');
    const [partly] = (await resolve({ name: 'shop.ton' })).body.result.entries;
    assert.deepEqual([partly?.name, partly?.entry['@type']], ['ton', 'dns.entryDataNextResolver']);
    const next = partly?.entry.resolver.account_address;
    const [end] = (await resolve({ address: next, name: 'shop', ttl: 5 })).body.result.entries;
    assert.equal(end?.entry['@type'], 'dns.entryDataSmcAddress');
    assert.deepEqual((await resolve({ name: 'nobody.ton', ttl: 5 })).body.result.entries, []);
    for (const [parameters, text] of [
      [{ address: '', name: 'shop.ton' }, 'failed to validate request: empty address'],
      [{ name: 'shop.ton', ttl: -1 }, 'failed to validate request: ttl should be non-negative'],
      [{ name: 'shop.ton', ttl: 'x' }, 'failed to parse get request: failed to parse ttl'],
    ] as const) {
      const { status, body } = await resolve(parameters);
      assert.deepEqual([status, body.error], [422, text]);
    }
  });

  it('--classic-v2: answers as the Python service did', async () => {
    const rpc = await ask(classic.v2, 'jsonRPC', 'getConsensusBlock', {});
    assert.deepEqual(Object.keys(rpc.body), ['ok', 'result', 'jsonrpc', 'id']);
    assert.deepEqual([rpc.body.id, rpc.version], [1, '2.0.68']);
    assert.match(rpc.body.result['@extra'], /^\d/);
    const unknown = await ask(classic.v2, 'jsonRPC', 'nothing', {});
    assert.deepEqual([unknown.status, unknown.body.error, unknown.body.id], [422, 'Unknown method', 1]);
    for (const [method, status] of [
      ['shards', 200],
      ['getShards', 404],
      ['getConfigAll', 404],
      ['getTransactionsStd', 404],
      ['dnsResolve', 404],
    ] as const) {
      const parameters = { seqno: newest, address: absent };
      assert.equal((await ask(classic.v2, 'get', method, parameters)).status, status, method);
    }
    assert.equal((await ask(classic.v2, 'post', 'getConsensusBlock', {})).status, 405);
    const wrong = await ask(classic.v2, 'get', 'getAddressBalance', { address: 'x' });
    assert.deepEqual([wrong.status, wrong.body.error], [416, 'Incorrect address']);
    const many = await ask(classic.v2, 'get', 'getTransactions', { address: absent, limit: 101 });
    assert.equal(many.status, 422);
    const broken = await read(await fetch(`${classic.v2}/jsonRPC`, { method: 'POST', body: '{' }));
    assert.equal(broken.status, 422);
  });

  it('is read by our client in both ways, which says what a service lacks', async () => {
    for (const { v2, v3 } of [network, classic]) {
      const access = createAccess({
        network: { ...(publicNetworks[1] as (typeof publicNetworks)[number]), kind: 'local', v2, v3 },
      });
      const { config } = await access.v2.getConfigParam({ config_id: 8 });
      const byOther = await access.ask(v2Endpoints.getConfigParam, { param: 8 });
      assert.equal(
        (byOther.json as { result: { config: { bytes: string } } }).result.config.bytes,
        config.bytes,
      );
      const rpc = await access.v2.jsonRPC({
        jsonrpc: '2.0',
        id: '7',
        method: 'getConsensusBlock',
        params: {},
      });
      assert.equal((rpc as { consensus_block: number }).consensus_block >= newest, true);
    }
    const older = createAccess({
      network: {
        ...(publicNetworks[1] as (typeof publicNetworks)[number]),
        kind: 'local',
        v2: classic.v2,
        v3: undefined,
      },
    });
    await assert.rejects(older.v2.getConfigAll(), (error: unknown) => {
      assert.ok(WorkbenchError.is(error, 'not-found'));
      assert.match(error.message, /^v2 \/getConfigAll does not exist on this service \(status 404\)/);
      return true;
    });
  });
});
