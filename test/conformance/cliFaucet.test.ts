import assert from 'node:assert/strict';
import { beginCell, Cell } from '@ton/core';
import { createAccess } from '../../src/toolkit/access/createAccess';
import { silentLog } from '../../src/toolkit/base/log';
import { callControl } from '../../src/toolkit/localnet/callControl';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { localTools } from '../../src/toolkit/tools/localTools';
import type { ToolHost } from '../../src/toolkit/tools/tool';
import type { ToolAnswer } from '../../src/toolkit/tools/toolbox';
import { Toolbox } from '../../src/toolkit/tools/toolbox';
import type { CommandLineRun } from '../support/commandLine';
import { lastError, runCommandLine } from '../support/commandLine';
import { HastyClock } from '../support/hastyClock';
import type { Init } from '../support/jettonKinds';
import { addressOfInit, adminOf, contentOf, oddJettons, plainJettons } from '../support/jettonKinds';
import { tactJettons } from '../support/tactJetton';
import { addressOf } from '../unit/localnet/support/testChain';
import { buildTact } from './support/tactBindings';

interface Gift {
  account: string;
  coins?: string;
  jetton?: { master: string; symbol: string | null; decimals: number | null };
  wallet: string;
  form: string;
  asked: string;
  rose: string | null;
  balance: string | null;
  trace: string | null;
}

const [alice, bob] = ['alice', 'bob'].map(addressOf) as [string, string];
const admin = adminOf(alice);
const boc = (cell: Cell): string => cell.toBoc().toString('base64');

describe('ton-workbench faucet', () => {
  let local: Localnet;
  before(async () => {
    local = await startLocalnet({ port: 0, log: silentLog });
  });
  after(() => local.close());

  const originOf = ({ v2 }: Localnet): string => new URL(v2).origin;
  const faucet = (network: Localnet, ...args: string[]): Promise<CommandLineRun> =>
    runCommandLine(['faucet', ...args, '--network', originOf(network)]);
  const given = async (network: Localnet, ...args: string[]): Promise<Gift> => {
    const done = await faucet(network, ...args, '--json');
    assert.equal(done.status, 0, done.stderr);
    return JSON.parse(done.stdout) as Gift;
  };
  const refusal = async (network: Localnet, ...args: string[]): Promise<string> => {
    const done = await faucet(network, ...args);
    assert.deepEqual([done.status, done.stdout], [2, '']);
    return lastError(done).message;
  };
  const deploy = async (network: Localnet, inits: readonly Init[]): Promise<string> => {
    for (const { code, data } of inits) {
      await callControl(network.control, 'deploy', { code: boc(code), data: boc(data) });
    }
    return addressOfInit(inits.at(-1) ?? assert.fail());
  };
  /** The balance by the wallet's own get-method, as the command line runs it. */
  const balanceOf = async (network: Localnet, wallet: string): Promise<string> => {
    const run = ['run', wallet, 'get_wallet_data', '--network', originOf(network), '--json'];
    const { status, stdout, stderr } = await runCommandLine(run);
    assert.equal(status, 0, stderr);
    const [balance] = (JSON.parse(stdout) as { stack: { value: string }[] }).stack;
    return balance?.value ?? assert.fail(stdout);
  };

  it('gives coins', async () => {
    const { account, coins, trace } = await given(local, 'bob', '7.5');
    assert.deepEqual([account, coins], [bob, '7500000000']);
    assert.match(trace ?? '', /^[0-9a-f]{64}$/);
    const { stdout } = await faucet(local, '@bob', '1', 'TON');
    assert.match(stdout, /^1 TON for bob\.\ntrace [0-9a-f]{64}\n$/);
    assert.match(await refusal(local, 'bob', 'much'), /"much" is not an amount from 0 to 2\^120-1 nanocoins/);
    assert.match(await refusal(local, 'bob', (2n ** 120n).toString()), /is not an amount from 0 to 2\^120-1/);
    assert.match(await refusal(local, 'bob', '5', '--units'), /--units needs a jetton/);
    assert.match(await refusal(local, 'nobody', '5'), /nobody/);
  });

  it('gives a jetton, by its symbol and by its address, and tells what the balance rose by', async () => {
    const make = plainJettons['governed, FunC'] ?? assert.fail();
    const master = await deploy(local, await make({ admin, content: contentOf('GOV') }));
    const { stdout } = await faucet(local, 'bob', '100', 'GOV');
    assert.match(
      stdout,
      /^100 GOV for bob: .* rose by exactly that, and is 100 GOV now\.\ntrace [0-9a-f]{64}\n$/,
    );
    const { jetton, wallet, asked, rose, balance } = await given(local, 'bob', '5', master, '--units');
    assert.deepEqual(jetton, { master, symbol: 'GOV', decimals: 6 });
    assert.deepEqual([asked, rose, balance], ['5', '5', '100000005']);
    assert.equal(await balanceOf(local, wallet), '100000005');
    await callControl(local.control, 'name', { address: master, name: 'GovMinter' });
    assert.equal((await given(local, 'bob', '1', '@GovMinter', '--units')).balance, '100000006');
  });

  it('says why not, and then nothing has happened', async () => {
    await deploy(local, await oddJettons.taxed({ admin, content: contentOf('TAX') }));
    const { seqno } = await callControl(local.control, 'status', {});
    assert.match(await refusal(local, 'bob', '100', 'TAX'), /gives 99 TAX where 100 TAX are minted/);
    assert.match(await refusal(local, 'bob', '100', 'NONE'), /no jetton with the symbol NONE/);
    assert.equal((await callControl(local.control, 'status', {})).seqno, seqno);
    const other = await runCommandLine(['faucet', 'bob', '1', '--network', 'mainnet']);
    assert.match(lastError(other).message, /Mainnet is not a local network/);
  });

  it('does the same for agents', async () => {
    const make = plainJettons['reference, Tolk'] ?? assert.fail();
    const jetton = await deploy(local, await make({ admin, content: contentOf('AGENT') }));
    const host = { networks: [], control: () => local.control } as unknown as ToolHost;
    const toolbox = new Toolbox(localTools, host);
    const call = async (input: object): Promise<ToolAnswer & { data: Partial<Record<string, unknown>> }> => {
      const answer = await toolbox.call('local_faucet', input);
      return { ...answer, data: answer.data ?? {} };
    };
    const { data, before } = await call({ address: 'bob', amount: '2.5', jetton: 'AGENT' });
    assert.deepEqual([data['jetton'], data['rose']], [jetton, '2500000']);
    assert.match(before?.snapshot ?? '', /./);
    const coins = await call({ address: 'bob', amount: '2.5ton' });
    assert.match(String(coins.data['trace']), /^[0-9a-f]{64}$/);
    for (const [input, reason] of [
      [{ amount: '1', jetton: 'NONE' }, /no jetton with the symbol NONE/],
      [{ amount: '1', units: true }, /"1" units is not an amount of coins/],
      [{ amount: '1.0123456789' }, /is not an amount of coins/],
    ] as const) {
      const { ok, error } = await call({ address: 'bob', ...input });
      assert.equal(ok, false);
      assert.match(error?.message ?? '', reason);
    }
  });

  for (const [name, source] of Object.entries(tactJettons)) {
    it(`gives a jetton in Tact ${name}`, async () => {
      const { wrapper } = (await buildTact(source)).get('Minter') ?? assert.fail();
      const contract = wrapper['Minter'] as {
        fromInit: (owner: unknown, content: Cell) => Promise<{ init: Init }>;
      };
      const { init } = await contract.fromInit(admin, contentOf('TACT'));
      const master = await deploy(local, [init]);
      const { wallet, rose } = await given(local, 'bob', '12.25', master);
      assert.deepEqual([rose, await balanceOf(local, wallet)], ['12250000', '12250000']);
    });
  }

  it("gives a jetton of another network on its fork, with the wallets' code in a library", async () => {
    const make = plainJettons['governed, FunC'] ?? assert.fail();
    const [{ code, data }] = (await make({
      admin: adminOf(`0:${'ad'.repeat(32)}`),
      content: contentOf('FAR'),
    })) as [Init];
    const [content, walletCode] = data.refs as [Cell, Cell];
    await callControl(local.control, 'library', { boc: boc(walletCode) });
    const inLibrary = beginCell().storeUint(2, 8).storeBuffer(walletCode.hash()).endCell({ exotic: true });
    const own = beginCell().storeSlice(new Cell({ bits: data.bits }).beginParse());
    const master = await deploy(local, [{ code, data: own.storeRef(content).storeRef(inLibrary).endCell() }]);
    const before = await given(local, 'bob', '1', master);
    const network = { name: 'Source', kind: 'local', v2: local.v2, v3: local.v3, globalId: -239 } as const;
    const access = createAccess({ network, clock: new HastyClock() });
    const forked = await startLocalnet({ port: 0, log: silentLog, fork: { access } });
    try {
      assert.match(
        await refusal(forked, 'bob', '2', 'FAR'),
        /this fork has read so far.*address of its master/,
      );
      const first = await given(forked, 'bob', '2', master);
      assert.deepEqual([first.wallet, first.rose, first.balance], [before.wallet, '2000000', '3000000']);
      // Now the fork knows the jetton.
      const second = await given(forked, 'carol', '4', 'FAR');
      assert.deepEqual([second.rose, await balanceOf(forked, second.wallet)], ['4000000', '4000000']);
      assert.equal(await balanceOf(forked, first.wallet), '3000000');
      assert.equal(await balanceOf(local, first.wallet), '1000000');
    } finally {
      await forked.close();
    }
  });
});
