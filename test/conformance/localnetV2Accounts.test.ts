import assert from 'node:assert/strict';
import { JettonMinter } from '@ton-community/assets-sdk/dist/jetton/JettonMinter';
import type { Contract } from '@ton/core';
import { Address, Cell } from '@ton/core';
import {
  WalletContractV1R1,
  WalletContractV1R2,
  WalletContractV1R3,
  WalletContractV2R1,
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5Beta,
  WalletContractV5R1,
} from '@ton/ton';
import { callControl } from '../../src/toolkit/localnet/callControl';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';

/** The parts of results that are judged here. */
interface Result {
  '@type': string;
  wallet: boolean;
  wallet_type: string;
  seqno: number;
  contract_type: string;
  extra_currencies: object[];
  account_state: Result;
}

const wallets = new Map([
  ['v1 r1', WalletContractV1R1],
  ['v1 r2', WalletContractV1R2],
  ['v1 r3', WalletContractV1R3],
  ['v2 r1', WalletContractV2R1],
  ['v2 r2', WalletContractV2R2],
  ['v3 r1', WalletContractV3R1],
  ['v3 r2', WalletContractV3R2],
  ['v4 r2', WalletContractV4],
  ['v5 beta', WalletContractV5Beta],
  ['v5 r1', WalletContractV5R1],
] as [string, { create: (of: { workchain: number; publicKey: Buffer }) => Contract }][]);

/** A result that is text, not an object. */
const textOf = (result: unknown): string => String(result);

const elector = `-1:${'3'.repeat(64)}`;

describe('what the public tests of the C++ service ask about accounts of the main network', () => {
  let network: Localnet;

  before(async () => {
    network = await startLocalnet({ port: 0, mode: { kind: 'manual' }, log: silentLog });
  });
  after(() => network.close());

  const of = async (method: string, address: string, seqno?: number): Promise<Result> => {
    const response = await fetch(`${network.v2}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ address, seqno }),
    });
    assert.equal(response.status, 200);
    return ((await response.json()) as { result: Result }).result;
  };

  it('are about wallets of each version, extra currencies, old blocks, and jettons', async () => {
    const place = (init: Contract['init'], address: string): Promise<unknown> =>
      callControl(network.control, 'setAccount', {
        address,
        balance: '1000000000',
        code: init?.code?.toBoc().toString('base64') ?? '',
        data: init?.data?.toBoc().toString('base64') ?? '',
      });
    const publicKey = Buffer.alloc(32, 7);
    for (const [name, { create }] of wallets) {
      const address = `0:${Buffer.from(name.padEnd(32)).toString('hex')}`;
      await place(create({ workchain: 0, publicKey }).init, address);
      await callControl(network.control, 'mine', {});
      const { wallet, wallet_type, seqno } = await of('getWalletInformation', address);
      assert.deepEqual([wallet, wallet_type, seqno], [true, `wallet ${name}`, 0]);
      assert.equal(textOf(await of('getAddressState', address)), 'active');
      const state = (await of('getExtendedAddressInformation', address)).account_state;
      const [, version] = /^v([34])/.exec(name) ?? [];
      assert.equal(
        state['@type'],
        version === undefined ? 'raw.accountState' : `wallet.v${version}.accountState`,
      );
    }
    await callControl(network.control, 'setAccount', { address: elector, extraCurrencies: { 239: '5' } });
    const { seqno } = await callControl(network.control, 'mine', {});
    await callControl(network.control, 'setAccount', { address: elector, balance: '77' });
    await callControl(network.control, 'mine', { blocks: 2 });
    assert.deepEqual((await of('getAddressInformation', elector)).extra_currencies, [
      { '@type': 'extraCurrency', id: 239, amount: '5' },
    ]);
    assert.equal(textOf(await of('getAddressBalance', elector)), '77');
    assert.notEqual(textOf(await of('getAddressBalance', elector, seqno)), '77');
    const alice = network.accounts[0]?.address ?? '';
    const minter = JettonMinter.createFromConfig({ admin: Address.parse(alice), content: new Cell() });
    await place(minter.init, minter.address.toRawString());
    await callControl(network.control, 'mine', {});
    const master = await of('getTokenData', minter.address.toRawString());
    assert.deepEqual(
      [master['@type'], master.contract_type],
      ['ext.tokens.jettonMasterData', 'jetton_master'],
    );
  });
});
