import { NftItem } from '@ton-community/assets-sdk/dist/nft/NftItem';
import { Address, Cell, beginCell, loadMessageRelaxed } from '@ton/core';
import assert from 'node:assert/strict';
import { pace } from '../../scripts/lib/pace.mjs';
import { createAccess } from '../../src/library/access';
import { startLocalnet } from '../../src/library/localnet';
import type { Localnet } from '../../src/library/localnet';
import { startWallet } from '../../src/library/wallet';
import type { Wallet, WalletAnswer, WalletOptions, WalletRequest } from '../../src/library/wallet';
import { deployJetton } from '../support/jetton';
import type { DeployedJetton } from '../support/jetton';
import { PlainDApp, embedded, wire } from '../support/plainDApp';
import type { Frame } from '../support/plainDApp';
import { startManifestSite } from '../support/testDApp';
import type { ManifestSite } from '../support/testDApp';

/** The protocol of version 3, spoken by a dApp that is written here, against contracts on a local network. */
describe('the test wallet against TON Connect V3 as it is written', () => {
  let net: Localnet;
  let site: ManifestSite;
  let jetton: DeployedJetton;
  let wallet: Wallet;
  let dApp: PlainDApp;
  let asked: WalletRequest[];
  let answers: WalletAnswer[];

  before(async () => {
    [net, site] = await Promise.all([startLocalnet(), startManifestSite()]);
    jetton = await deployJetton(net.v2);
  });
  after(async () => {
    site.close();
    await net.close();
  });
  afterEach(async () => {
    dApp.leave();
    await wallet.close();
  });

  const rawOf = (name: string): string => net.accounts.find((one) => one.name === name)?.address ?? '';
  const friendly = (address: string | Address, bounceable = false): string =>
    Address.parse(address.toString()).toString({ bounceable });
  const start = async (options: WalletOptions = {}): Promise<void> => {
    [asked, answers] = [[], []];
    const { decide = () => 'approve' as const, ...more } = options;
    wallet = await startWallet(createAccess({ network: net }), {
      ...{ account: 'alice', ...more },
      decide: (request) => {
        asked.push(request);
        return decide(request);
      },
      onAnswer: (answer) => answers.push(answer),
    });
    dApp = new PlainDApp(wallet.bridge);
    await dApp.listen();
  };
  const connect = async (more: { e?: string; network?: string } = {}): Promise<Frame> => {
    const page = await fetch(dApp.link(wallet.universalLink, site.manifestUrl, more));
    assert.equal(page.status, 200);
    return dApp.frame(({ event }) => event === 'connect' || event === 'connect_error');
  };
  const run = async (address: string, method: string): Promise<{ type: string; value: string }[]> => {
    const body = JSON.stringify({ address, method, stack: [] });
    const answer = await fetch(`${net.v3}/runGetMethod`, { method: 'POST', body });
    return ((await answer.json()) as { stack: { type: string; value: string }[] }).stack;
  };
  const jettonsOf = async (address: Address): Promise<bigint> =>
    BigInt((await run(address.toRawString(), 'get_wallet_data'))[0]?.value ?? 0);
  const transfer = (amount: string): object => ({
    items: [
      { type: 'jetton', master: friendly(jetton.minter, true), destination: friendly(rawOf('bob')), amount },
    ],
  });

  it('signs a jetton transfer for a relayer, which submits it once', async () => {
    await start();
    const { payload } = await connect();
    const names = payload?.device?.features.map((one) =>
      typeof one === 'string' ? one : (one as Feature).name,
    );
    assert.deepEqual(names, [
      'SendTransaction',
      'SendTransaction',
      'SignMessage',
      'SignData',
      'EmbeddedRequest',
    ]);
    const before = await jettonsOf(jetton.wallet);
    const { result } = await dApp.ask('signMessage', [transfer('40')]);
    const { internalBoc } = result as { internalBoc: string };
    assert.equal(await jettonsOf(jetton.wallet), before, 'nothing was sent');
    const message = loadMessageRelaxed(Cell.fromBase64(internalBoc).beginParse());
    assert.ok(message.info.type === 'internal');
    assert.deepEqual(
      [message.info.dest.toRawString(), message.info.value.coins, message.info.bounce],
      [rawOf('alice'), 0n, true],
    );
    const body = message.body.beginParse();
    assert.equal(body.loadUint(32), 0x73696e74, 'signed for an internal message');
    const { actions } = { actions: body.skip(32 + 32 + 32).loadMaybeRef() };
    assert.equal(actions?.beginParse().skip(32).loadUint(8), 3, 'the mode');
    assert.match(asked.at(-1)?.asks ?? '', /^sign for a relayer: send bob 40 units of the jetton/);
    assert.equal(asked.at(-1)?.accepted, true, 'rehearsed as its relayer would submit it');
    const { number } = answers.at(-1)!;
    const [done] = await wallet.relay(number);
    assert.deepEqual([done?.accepted, done?.words], [true, 'the wallet accepted it']);
    assert.equal(await jettonsOf(jetton.wallet), before - 40n);
    const [again] = await wallet.relay(number);
    assert.deepEqual([again?.accepted, /exit code 133/.test(again?.words ?? '')], [false, true]);
    assert.equal(await jettonsOf(jetton.wallet), before - 40n, 'it moves nothing twice');
  });

  it('gives an NFT away, and only once', async () => {
    const data = beginCell()
      .storeUint(7, 64)
      .storeAddress(jetton.minter)
      .storeAddress(Address.parse(rawOf('alice')))
      .storeRef(beginCell().storeUint(1, 8).storeStringTail('https://nft.invalid/7.json').endCell())
      .endCell();
    const boc = (cell: Cell): string => cell.toBoc().toString('base64');
    const { address } = await net.control('deploy', {
      code: boc(NftItem.nftCode),
      data: boc(data),
      value: '100000000',
    });
    const item = { type: 'nft', nftAddress: friendly(address, true), newOwner: friendly(rawOf('bob')) };
    await start();
    await connect();
    const { result } = await dApp.ask('sendTransaction', [{ items: [{ ...item, queryId: '12' }] }]);
    assert.equal(typeof result, 'string');
    await net.control('status', { wait: 10 });
    const owner = Cell.fromBase64((await run(address, 'get_nft_data'))[3]?.value ?? '')
      .beginParse()
      .loadAddress();
    assert.equal(owner.toRawString(), rawOf('bob'));
    const before = asked.length;
    const { error } = await dApp.ask('sendTransaction', [{ items: [item] }]);
    assert.deepEqual([error?.code, asked.length], [1, before], 'nobody is asked');
    assert.match(error?.message ?? '', /does not own this NFT; its owner is/);
  });

  it('answers the request in the link beside the connection', async () => {
    await start();
    const payment = { messages: [{ address: friendly(rawOf('bob')), amount: '5' }] };
    const { event, response } = await connect({ e: embedded('sendTransaction', payment), network: '-3' });
    assert.deepEqual([event, typeof response?.result], ['connect', 'string']);
    assert.equal(asked.length, 1, 'one decision');
    assert.match(asked[0]?.asks ?? '', /^connect, and pay bob/);
    assert.match(answers[0]?.hash ?? '', /^[0-9a-f]{64}$/);
    dApp.leave();
    const cases: [string, (code: number | undefined, response: Frame['response']) => void][] = [
      [embedded('signMessage', transfer('3')), (code) => assert.equal(code, undefined)],
      [embedded('signMessage', transfer('100000')), (code) => assert.equal(code, 1)],
      [wire('{'), (code) => assert.equal(code, 1)],
      [wire({ m: 'zz' }), (code) => assert.equal(code, 400)],
    ];
    for (const [e, check] of cases) {
      dApp = new PlainDApp(wallet.bridge);
      await dApp.listen();
      const told = await connect({ e });
      assert.equal(told.event, 'connect', e);
      check(told.response?.error?.code, told.response);
      dApp.leave();
    }
    assert.match(asked.at(-1)?.asks ?? '', /^connect; the request in the link cannot be carried out: /);
    await wallet.close();
    await start({ decide: () => 'connect-only' });
    const only = await connect({ e: embedded('sendTransaction', payment) });
    assert.deepEqual([only.event, only.response?.error?.code], ['connect', 300]);
    await wallet.close();
    await start({ features: ['v2'] });
    const old = await connect({ e: embedded('sendTransaction', payment) });
    assert.deepEqual([old.event, old.response], ['connect', undefined]);
    assert.equal((await dApp.ask('signMessage', [payment])).error?.code, 400);
  });

  it('refuses jettons that answer wrongly or without an end, in time, and asks nobody', async () => {
    await start();
    await connect();
    const before = asked.length;
    const strangers = [rawOf('carol'), `0:${'3d'.repeat(32)}`];
    for (const master of strangers) {
      const items = Array.from({ length: 255 }, () => ({
        ...{
          type: 'jetton',
          master: friendly(master, true),
          destination: friendly(rawOf('bob')),
          amount: '1',
        },
      }));
      const began = Date.now();
      const { error } = await dApp.ask('signMessage', [{ items: items.slice(0, 200) }]);
      assert.equal(error?.code, 1);
      assert.match(error?.message ?? '', /^items\.0: the jetton 0:[0-9a-f]+ /);
      assert.ok(Date.now() - began < 12_000 * pace);
    }
    assert.equal(asked.length, before);
  });

  it('lets a signature expire', async () => {
    await start();
    await connect();
    const validUntil = Math.floor(Date.now() / 1000) + 3_600;
    await dApp.ask('signMessage', [{ ...transfer('1'), valid_until: validUntil }]);
    const [expired] = await wallet.relay(answers.at(-1)!.number, 'let-expire');
    assert.equal(expired?.accepted, false);
    assert.match(expired?.words ?? '', /exit code 136 \(expired\)/i);
    await assert.rejects(wallet.relay(1), { code: 'wallet-not-signed' });
  });
});

interface Feature {
  name: string;
}
