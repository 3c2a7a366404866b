import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import type { Cell } from '@ton/core';
import { beginCell } from '@ton/core';
import { executeGetMethod } from '../../../src/toolkit/localnet/chain/executeGetMethod';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import type { JettonGift } from '../../../src/toolkit/localnet/control/controlApi';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import { methodIdOf } from '../../../src/toolkit/contracts/abi/methodIdOf';
import type { Init } from '../../support/jettonKinds';
import { addressOfInit, adminOf, contentOf, oddJettons, plainJettons } from '../../support/jettonKinds';
import { addressOf, testChain } from './support/testChain';

const [alice, bob] = ['alice', 'bob'].map(addressOf) as [string, string];
const admin = adminOf(alice);

describe('jettons from the faucet', () => {
  let chain: LocalChain;
  let server: FastifyInstance;
  beforeEach(async () => {
    chain = await testChain();
    chain.mode = { kind: 'automatic', delay: 1_000_000 };
    server = await createServer(chain);
  });
  afterEach(() => server.close());

  const post = async (name: string, payload: object): Promise<{ status: number; body: unknown }> => {
    const { statusCode, body } = await server.inject({ method: 'POST', url: `/control/${name}`, payload });
    return { status: statusCode, body: JSON.parse(body) };
  };
  const deploy = async (inits: readonly Init[]): Promise<string> => {
    const boc = (cell: Cell): string => cell.toBoc().toString('base64');
    for (const { code, data } of inits) {
      const { status, body } = await post('deploy', { code: boc(code), data: boc(data) });
      assert.equal(status, 200, JSON.stringify(body));
    }
    return addressOfInit(inits.at(-1) ?? assert.fail());
  };
  const give = async (parameters: object): Promise<JettonGift> => {
    const { status, body } = await post('faucetJetton', { address: 'bob', ...parameters });
    assert.equal(status, 200, JSON.stringify(body));
    return body as JettonGift;
  };
  /** The network's words, and that nothing at all has happened. */
  const refused = async (parameters: object): Promise<string> => {
    const before = [chain.ledger.last.seqno, chain.ledger.transactions.length];
    const { status, body } = await post('faucetJetton', { address: 'bob', ...parameters });
    assert.equal(status, 422, JSON.stringify(body));
    assert.deepEqual([chain.ledger.last.seqno, chain.ledger.transactions.length], before);
    return (body as { error: string }).error;
  };
  /** By the wallet's own get-method, asked apart from the faucet. */
  const walletData = async (wallet: string): Promise<[balance: bigint, owner: string, master: string]> => {
    const { exitCode, stack } = await executeGetMethod(chain, wallet, methodIdOf('get_wallet_data'), []);
    const [balance, owner, master] = stack;
    assert.ok(
      exitCode === 0 && balance?.type === 'int' && owner?.type === 'slice' && master?.type === 'slice',
    );
    const addressIn = (cell: Cell): string => cell.beginParse().loadAddress().toRawString();
    return [balance.value, addressIn(owner.cell), addressIn(master.cell)];
  };

  for (const [name, make] of Object.entries(plainJettons)) {
    it(`arrive exactly, twice: ${name}`, async () => {
      const master = await deploy(await make({ admin, content: contentOf('TST') }));
      const first = await give({ jetton: 'tst', amount: '100.5' });
      assert.deepEqual(
        [first.jetton, first.symbol, first.decimals, first.owner, first.asked, first.rose],
        [master, 'TST', 6, bob, '100500000', '100500000'],
      );
      assert.deepEqual(await walletData(first.wallet), [100_500_000n, bob, master]);
      const second = await give({ jetton: master, amount: '7', units: true });
      assert.deepEqual([second.form, second.rose, second.balance], [first.form, '7', '100500007']);
      assert.deepEqual(await walletData(first.wallet), [100_500_007n, bob, master]);
      const root = chain.ledger.transaction(second.trace ?? '');
      assert.equal(root?.inMessage?.source, alice);
    });
  }

  it('are refused with the reason if the code keeps a part', async () => {
    await deploy(await oddJettons.taxed({ admin, content: contentOf('TAX') }));
    assert.match(await refused({ jetton: 'TAX', amount: '100' }), /gives 99 TAX where 100 TAX are minted/);
  });

  it('are refused with the exit code of whoever refuses', async () => {
    const inits = await oddJettons.closed({ admin, content: contentOf('SHUT') });
    await deploy(inits);
    const hook = addressOfInit(inits[0] ?? assert.fail());
    const why = await refused({ jetton: 'SHUT', amount: '1' });
    assert.ok(why.includes(`${hook}: exit code 401`), why);
  });

  it('are refused if the mint message is unknown, and names who may send it', async () => {
    await deploy(await oddJettons.own({ admin, content: contentOf('OWN') }));
    const why = await refused({ jetton: 'OWN', amount: '1' });
    assert.match(why, /none of the known messages, so nothing was sent\. Each: exit code 65535/);
    assert.ok(why.includes(alice), why);
  });

  it('are refused if the minter has no admin', async () => {
    await deploy(await plainJettons['reference, Tolk']!({ admin: null, content: contentOf('FREE') }));
    assert.match(await refused({ jetton: 'FREE', amount: '1' }), /FREE has no admin/);
  });

  it('need the smallest unit if the decimals are not on the chain', async () => {
    const content = beginCell().storeUint(1, 8).storeStringTail('https://example.org/jetton.json').endCell();
    const jetton = await deploy(await plainJettons['reference, FunC']!({ admin, content }));
    assert.match(await refused({ jetton, amount: '1' }), /decimals of jetton EQ\S+ are unknown/);
    const { rose, decimals, symbol } = await give({ jetton, amount: '12', units: true });
    assert.deepEqual([rose, decimals, symbol], ['12', null, null]);
  });

  it('are asked for by a symbol that one jetton has, and by amounts that fit', async () => {
    assert.match(
      await refused({ jetton: 'NONE', amount: '1' }),
      /no jetton with the symbol NONE on this network/,
    );
    assert.match(await refused({ jetton: 'alice', amount: '1' }), /alice is no jetton's master/);
    const make = plainJettons['reference, Tolk'] ?? assert.fail();
    const first = await deploy(await make({ admin, content: contentOf('TWO') }));
    assert.match(await refused({ jetton: 'NONE', amount: '1' }), /known symbols: TWO/);
    const second = await deploy(await make({ admin: adminOf(bob), content: contentOf('TWO') }));
    const why = await refused({ jetton: 'TWO', amount: '1' });
    assert.ok(why.includes(first) && why.includes(second), why);
    for (const [amount, reason] of [
      ['1.1234567', /more than the 6 decimals/],
      ['0', /amount is 0/],
      ['-1', /not a number/],
      ['many', /not a number/],
      ['9'.repeat(40), /does not fit in 120 bits/],
    ] as const) {
      assert.match(await refused({ jetton: first, amount }), reason);
    }
    assert.match(await refused({ jetton: first, amount: '1.5', units: true }), /whole number of units/);
  });

  it('wait for the next block in manual mode', async () => {
    await deploy(await plainJettons['governed, FunC']!({ admin, content: contentOf('LATE') }));
    chain.mode = { kind: 'manual' };
    const { rose, balance, trace, wallet } = await give({ jetton: 'LATE', amount: '3' });
    assert.deepEqual([rose, balance, trace], [null, null, null]);
    await chain.mine();
    assert.deepEqual((await walletData(wallet))[0], 3_000_000n);
  });
});
