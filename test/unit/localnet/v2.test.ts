/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-call -- answers are JSON, judged field by field */
import assert from 'node:assert/strict';
import { Address } from '@ton/core';
import { methodIdOf } from '../../../src/toolkit/contracts/abi/methodIdOf';
import type { Answer, Scenario } from './support/scenario';
import { scenario } from './support/scenario';
import { addressOnWire, hashOnWire } from './support/onWire';
import { addressOf, rootResolver } from './support/testChain';

const [alice, bob] = [addressOf('alice'), addressOf('bob')] as [string, string];
const shard = '-9223372036854775808';
const encode = encodeURIComponent;

describe('the non-indexed API of the local network', () => {
  let s: Scenario;
  before(async () => {
    s = await scenario();
  });
  after(() => s.server.close());

  const v2 = async (path: string): Promise<Answer> => {
    const { status, body } = await s.get(`/api/v2${path}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.ok, true);
    return body.result;
  };
  const refusal = async (path: string): Promise<[number, string]> => {
    const { status, body } = await s.get(`/api/v2${path}`);
    assert.equal(body.ok, false);
    assert.equal(body.code, status);
    return [status, body.error as string];
  };

  it('answers wallets, states, and token data', async () => {
    const wallet = await v2(`/getWalletInformation?address=${alice}`);
    assert.deepEqual([wallet.wallet, wallet.wallet_type, wallet.seqno], [true, 'wallet v5 r1', 5]);
    const extended = await v2(`/getExtendedAddressInformation?address=${bob}`);
    assert.equal(extended.account_state['@type'], 'wallet.v4.accountState');
    const token = await v2(`/getTokenData?address=${s.bobJettons}`);
    assert.deepEqual([token['@type'], token.balance], ['ext.tokens.jettonWalletData', '400']);
    assert.deepEqual(await refusal(`/getTokenData?address=${alice}`), [
      409,
      `Smart contract ${alice} is not Jetton or NFT`,
    ]);
  });

  it('answers past states by seqno', async () => {
    const now = await v2(`/getAddressBalance?address=${alice}`);
    const then = await v2(`/getAddressBalance?address=${alice}&seqno=1`);
    assert.equal(then, '1000000000000000');
    assert.notEqual(now, then);
    const info = await v2(`/getAddressInformation?address=${alice}&seqno=2`);
    assert.equal(info.block_id.seqno, 2);
    assert.deepEqual(await refusal(`/getAddressBalance?address=${alice}&seqno=999`), [
      500,
      'LITE_SERVER_NOTREADY: seqno not in db',
    ]);
  });

  it('runs get-methods on past states', async () => {
    const supply = async (seqno?: number): Promise<[string, number]> => {
      const { status, body } = await s.post('/api/v2/runGetMethod', {
        address: s.minter.address.toString(),
        method: 'get_jetton_data',
        stack: [],
        ...(seqno === undefined ? {} : { seqno }),
      });
      assert.equal(status, 200, JSON.stringify(body));
      return [body.result.stack[0][1], body.result.block_id.seqno];
    };
    const { seqno: deployed } = s.deploy.block;
    assert.deepEqual(await supply(deployed), ['0x0', deployed]);
    assert.deepEqual(await supply(s.mint.block.seqno), ['0x3e8', s.mint.block.seqno]);
    assert.equal((await supply())[0], '0x3e8');
    assert.equal((await supply(deployed - 1))[0], `0x${methodIdOf('get_jetton_data').toString(16)}`);
  });

  it('resolves unknown names to nothing', async () => {
    const root = rootResolver(s.chain);
    assert.deepEqual(await v2(`/dnsResolve?address=${root}&name=nobody.ton&ttl=5`), {
      '@type': 'dns.resolved',
      entries: [],
    });
    assert.deepEqual(await refusal('/dnsResolve?name=a.ton&address=zz'), [
      422,
      'failed to parse get request: failed to parse address',
    ]);
  });

  it('lists a block, page by page', async () => {
    const { seqno } = s.jettonTransfer.block;
    const path = `/getBlockTransactions?workchain=0&shard=${shard}&seqno=${seqno}`;
    const whole = await v2(path);
    assert.equal(whole.transactions.length, 5);
    assert.equal(whole.incomplete, false);
    const first = await v2(`${path}&count=2`);
    assert.equal(first.incomplete, true);
    const last = first.transactions[1];
    const hash = Buffer.from((last.account as string).slice(2), 'hex').toString('base64');
    const rest = await v2(`${path}&after_lt=${last.lt}&after_hash=${encode(hash)}`);
    assert.deepEqual(rest.transactions, whole.transactions.slice(2));
    const full = await v2(path.replace('Transactions', 'TransactionsExt'));
    assert.equal(full.transactions[0]['@type'], 'raw.transactionExt');
    const master = await v2(`/getBlockTransactions?workchain=-1&shard=${shard}&seqno=${seqno}`);
    assert.deepEqual(master.transactions, []);
  });

  it('looks up blocks by seqno, lt, and time', async () => {
    const { block } = s.mint;
    const path = `/lookupBlock?workchain=0&shard=${shard}`;
    for (const key of [`seqno=${block.seqno}`, `lt=${s.mint.lt}`]) {
      assert.equal((await v2(`${path}&${key}`)).seqno, block.seqno, key);
    }
    assert.equal((await v2(`${path}&unixtime=${block.genUtime}`)).seqno, 1);
    assert.deepEqual(await refusal(path), [
      422,
      'failed to validate request: exactly one of seqno, lt, unixtime should be specified',
    ]);
    const header = await v2(`/getBlockHeader?workchain=-1&shard=${shard}&seqno=3`);
    const before = await v2(`/lookupBlock?workchain=-1&shard=${shard}&seqno=2`);
    assert.deepEqual(header.prev_blocks, [before]);
    const { shards } = await v2('/shards?seqno=3');
    assert.equal(shards[0].workchain, 0);
  });

  it('finds both ends of a message', async () => {
    const [message] = s.comment.outMessages;
    const key = `source=${alice}&destination=${bob}&created_lt=${message?.createdLt}`;
    const result = await v2(`/tryLocateResultTx?${key}`);
    assert.equal(result.transaction_id.hash, hashOnWire(message?.consumer?.hash ?? ''));
    assert.equal(result.in_msg.message, 'hello');
    const source = await v2(`/tryLocateSourceTx?${key}`);
    assert.equal(source.transaction_id.hash, hashOnWire(s.comment.hash));
    assert.deepEqual(await refusal(`/tryLocateTx?source=${alice}&destination=${bob}&created_lt=1`), [
      404,
      'transaction was not found',
    ]);
  });

  it('returns the configuration, whole and by parameter', async () => {
    const { config } = await v2('/getConfigParam?config_id=8');
    assert.equal(config['@type'], 'tvm.cell');
    assert.ok((await v2('/getConfigAll')).config.bytes.length > 1000);
    const [status, text] = await refusal('/getConfigParam?config_id=777');
    assert.equal(status, 500);
    assert.match(text, /^LITE_SERVER_UNKNOWN/);
  });

  it('reads and writes addresses and hashes', async () => {
    const detected = await v2(
      `/detectAddress?address=${Address.parseRaw(alice).toString({ bounceable: false })}`,
    );
    assert.equal(detected.given_type, 'friendly_non_bounceable');
    assert.equal(await v2(`/unpackAddress?address=${detected.bounceable.b64url}`), addressOnWire(alice));
    assert.equal(await v2(`/packAddress?address=${alice}`), Address.parseRaw(alice).toString());
    const hash = await v2(`/detectHash?hash=${'ab'.repeat(32)}`);
    assert.equal(hash.b64, Buffer.from('ab'.repeat(32), 'hex').toString('base64'));
  });

  it("refuses in the service's words", async () => {
    assert.deepEqual(await refusal('/getAddressBalance'), [422, 'failed to validate request: empty address']);
    assert.deepEqual(await refusal('/getAddressBalance?address=abc'), [
      422,
      'failed to parse get request: failed to parse address',
    ]);
    assert.deepEqual(await refusal(`/getTransactions?address=${alice}&limit=1001`), [
      422,
      'failed to validate request: limit should be less or equal 1000',
    ]);
    assert.deepEqual(await refusal(`/getTransactions?address=${alice}&lt=5`), [
      422,
      'failed to validate request: lt and hash should be used together',
    ]);
    assert.deepEqual(await refusal('/runGetMethod'), [405, 'method GET is not supported']);
    assert.deepEqual(await refusal('/nothing'), [404, 'Not Found']);
    assert.equal((await refusal(`/getMasterchainBlockSignatures?seqno=1`))[0], 501);
  });

  it('accepts JSON-RPC at every path that clients use, and says when it is malformed', async () => {
    for (const path of ['/api/v2/jsonRPC', '/api/v2', '/', '/jsonRPC']) {
      const { status, body } = await s.post(path, {
        id: 1,
        jsonrpc: '2.0',
        method: 'getMasterchainInfo',
        params: {},
      });
      assert.equal(status, 200, path);
      assert.equal(body.result.last.workchain, -1);
    }
    const bad = await s.post('/api/v2/jsonRPC', { id: '1', method: 'getMasterchainInfo', params: [1] });
    assert.deepEqual([bad.status, bad.body.error], [422, 'params must contain an object']);
    assert.equal((await s.post('/api/v2/jsonRPC', { id: '1', method: 'nothing' })).status, 404);
  });

  it('answers get-methods with every kind of value in both stack formats', async () => {
    const run = async (method: string, stack: unknown[]): Promise<Answer> => {
      const { status, body } = await s.post(`/api/v2/${method}`, {
        address: s.minter.address.toString(),
        method: 'get_wallet_address',
        stack,
      });
      return status === 200 ? body.result : body.error;
    };
    const slice = (
      await s.post('/api/v2/runGetMethod', { address: s.aliceJettons, method: 'get_wallet_data', stack: [] })
    ).body.result.stack[1][1].bytes as string;
    const legacy = await run('runGetMethod', [['tvm.Slice', slice]]);
    assert.equal(legacy.exit_code, 0);
    assert.equal(legacy.stack[0][0], 'cell');
    const typed = await run('runGetMethodStd', [
      { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: slice } },
    ]);
    assert.equal(typed.stack[0]['@type'], 'tvm.stackEntrySlice');
    assert.equal(typed.stack[0].slice.bytes, legacy.stack[0][1].bytes);
    assert.match(
      (await run('runGetMethod', [['slice', slice]])) as string,
      /object with field bytes expected/,
    );
    assert.equal(
      await run('runGetMethod', [['tvm.Builder', slice]]),
      'Unsupported stack entry type: tvm.Builder',
    );
    const absent = await s.post('/api/v2/runGetMethod', {
      address: `0:${'11'.repeat(32)}`,
      method: 'seqno',
      stack: [],
    });
    assert.deepEqual([absent.body.result.exit_code, absent.body.result.stack], [-13, [['num', '0x14c97']]]);
    const unknown = await s.post('/api/v2/runGetMethod', {
      address: alice,
      method: 'nothing_like_it',
      stack: [],
    });
    assert.equal(unknown.body.result.exit_code, 11);
  });
});
