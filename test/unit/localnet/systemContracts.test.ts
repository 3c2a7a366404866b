import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TupleItem } from '@ton/core';
import { Address, beginCell, Cell, Dictionary, loadShardAccount } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { root } from '../../../scripts/lib/root.mjs';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import { executeGetMethod } from '../../../src/toolkit/localnet/chain/executeGetMethod';
import { methodIdOf } from '../../../src/toolkit/contracts/abi/methodIdOf';
import { systemCodes } from '../../../src/toolkit/localnet/system/systemCodes';
import { encodeDomain, readDnsRecord } from '../../../src/toolkit/localnet/dns/dnsRecords';
import { testChain } from './support/testChain';

const config = `-1:${'55'.repeat(32)}`;
const elector = `-1:${'33'.repeat(32)}`;

describe('the system contracts of a local network', () => {
  const ask = async (chain: LocalChain, address: string, method: string, ...stack: TupleItem[]) => {
    const outcome = await executeGetMethod(chain, address, methodIdOf(method), stack);
    assert.equal(outcome.exitCode, 0, method);
    return outcome.stack;
  };
  const configIn = (chain: LocalChain): Cell => {
    const current = chain.ledger.accounts.get(config)?.current ?? '';
    const { account } = loadShardAccount(Cell.fromBase64(current).beginParse());
    const state = account?.storage.state;
    assert.ok(state?.type === 'active' && state.state.data != null);
    return state.state.data.beginParse().loadRef();
  };

  for (const [name, code] of Object.entries(systemCodes)) {
    it(`${name}: the code is compiled from its source`, async () => {
      const source = await readFile(
        path.join(root, 'src/toolkit/localnet/system/contracts', `${name}.tolk`),
        'utf8',
      );
      const result = await runTolkCompiler({ entrypointFileName: 'main.tolk', fsReadCallback: () => source });
      assert.equal(result.status, 'ok', JSON.stringify(result));
      assert.equal(
        result.status === 'ok' && Cell.fromBase64(result.codeBoc64).hash().toString('hex'),
        code.hash().toString('hex'),
      );
    });
  }

  it('the data of the configuration contract is the configuration', async () => {
    const chain = await testChain();
    assert.equal(configIn(chain).hash().toString('hex'), chain.config.root.hash().toString('hex'));
    const parameters = configIn(chain)
      .beginParse()
      .loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
    assert.equal(parameters.get(0)?.beginParse().loadBuffer(32).toString('hex'), '55'.repeat(32));
    assert.deepEqual(await ask(chain, config, 'seqno'), [{ type: 'int', value: 0n }]);
  });

  it('and follows it: when it changes, back to before that, and after that', async () => {
    const chain = await testChain();
    const before = chain.ledger.last.seqno;
    const changed = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
    for (const [id, cell] of chain.config.parameters) {
      changed.set(
        id,
        id === 8 ? beginCell().storeUint(0xc4, 8).storeUint(11, 32).storeUint(0x1ee, 64).endCell() : cell,
      );
    }
    const boc = beginCell().storeDictDirect(changed).endCell().toBoc().toString('base64');
    chain.configure({ config: { boc, origin: 'changed' } });
    await chain.mine();
    assert.equal(chain.config.version, 11);
    assert.equal(configIn(chain).hash().toString('hex'), chain.config.root.hash().toString('hex'));
    await chain.restore(before);
    await chain.mine();
    assert.equal(chain.config.version, 11, 'a restored chain keeps its configuration');
    assert.equal(configIn(chain).hash().toString('hex'), chain.config.root.hash().toString('hex'));
    await chain.reset();
    assert.notEqual(chain.config.version, 11);
    assert.equal(configIn(chain).hash().toString('hex'), chain.config.root.hash().toString('hex'));
  });

  it("the elector's getters match those of a real one between elections, and it returns stakes", async () => {
    const chain = await testChain();
    assert.deepEqual(await ask(chain, elector, 'active_election_id'), [{ type: 'int', value: 0n }]);
    for (const method of ['participant_list', 'past_elections', 'past_election_ids', 'past_elections_list']) {
      assert.deepEqual(await ask(chain, elector, method), [{ type: 'null' }], method);
    }
    const zero = { type: 'int' as const, value: 0n };
    assert.deepEqual(await ask(chain, elector, 'compute_returned_stake', { type: 'int', value: 5n }), [zero]);
    assert.deepEqual(await ask(chain, elector, 'participates_in', { type: 'int', value: 5n }), [zero]);
    assert.deepEqual(await ask(chain, elector, 'list_complaints', zero), [{ type: 'null' }]);
    assert.deepEqual(await ask(chain, elector, 'participant_list_extended'), [
      zero,
      zero,
      zero,
      zero,
      { type: 'null' },
      zero,
      zero,
    ]);
  });

  it('the root resolver knows .ton and nothing else', async () => {
    const chain = await testChain();
    const dnsRoot = `-1:${chain.config.parameters.get(4)!.beginParse().loadBuffer(32).toString('hex')}`;
    const category = { type: 'int' as const, value: 0n };
    const resolve = async (name: string, prefix = '') => {
      const cell = beginCell()
        .storeBuffer(Buffer.from(prefix))
        .storeSlice(encodeDomain(name).beginParse())
        .endCell();
      return ask(chain, dnsRoot, 'dnsresolve', { type: 'slice', cell }, category);
    };
    const [bits, record] = await resolve('alice.ton');
    assert.deepEqual(bits, { type: 'int', value: 24n });
    assert.ok(record?.type === 'cell');
    const next = readDnsRecord(record.cell);
    assert.equal(next.type, 'next-resolver');
    assert.deepEqual((await resolve('alice.ton', '\0'))[0], { type: 'int', value: 32n });
    assert.deepEqual(await resolve('alice.org'), [{ type: 'int', value: 0n }, { type: 'null' }]);
    assert.equal(Address.parseRaw(String(next.value)).workChain, 0);
  });
});
