import assert from 'node:assert/strict';
import { Address, beginCell } from '@ton/core';
import { describeContract } from '../../../src/toolkit/contracts/abi/contractDescription';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { contractText, readContractFacts } from '../../../src/toolkit/accountReport/contractFacts';
import { contractJson } from '../../../src/toolkit/accountReport/contractJson';
import type { ContractFacts } from '../../../src/toolkit/accountReport/contractFacts';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { GetMethodAccess } from '../../../src/toolkit/getMethods/runGetMethod';
import { projectLayouts } from '../../../src/toolkit/contracts/layouts/projectLayouts';

const source = `
const ERR_CLOSED = 402;
struct Storage { owner: address count: uint32 }
fun Storage.load() { return Storage.fromCell(contract.getData()); }
get fun count(): int { return Storage.load().count; }
get fun room(): int { throw ERR_CLOSED; }
get fun broken(): int { return 1; }
get fun weightOf(who: address): int { return 1; }
`;
const raw = `0:${'a1'.repeat(32)}`;
const alice = `0:${'b2'.repeat(32)}`;
const codeHash = 'c3'.repeat(32);

describe('the account page of a contract', () => {
  async function read(): Promise<ContractFacts> {
    const project = [
      ...(await readProject([{ path: 'contracts/vault.tolk', text: source }])),
      {
        name: 'vault',
        file: 'contracts/vault.tolk',
        codeHash,
        methods: [],
        errors: new Map<number, string>(),
      },
    ];
    const access = {
      network: { name: 'N', kind: 'local', globalId: -3, v3: 'http://n' },
      v3: {
        runGetMethod: ({ method }: { method: string }) => {
          if (method === 'broken') {
            throw new WorkbenchError({ code: 'usage', kind: 'failed', message: 'gone' });
          }
          return Promise.resolve({
            exit_code: method === 'room' ? 402 : 0,
            gas_used: 5,
            stack: [{ type: 'num', value: '0x2a' }],
          });
        },
      },
    } as unknown as GetMethodAccess;
    const data = beginCell().storeAddress(Address.parseRaw(alice)).storeUint(7, 32).endCell();
    return readContractFacts(
      access,
      { raw, data: data.toBoc().toString('base64') },
      describeContract({ codeHash }, project),
      await projectLayouts(project),
      {},
    );
  }

  it("shows its source, its decoded data, and its get-methods' answers, each independently", async () => {
    const { kind, lines } = contractText(await read(), {
      name: (one) => (one === alice ? 'alice' : undefined),
      coin: 'TON',
    });
    assert.equal(kind, 'contract · Vault (contracts/vault.tolk)');
    assert.deepEqual(lines, [
      '',
      'source',
      '  Vault, by the hash of its code, contracts/vault.tolk',
      '',
      'storage',
      '  Storage',
      '    owner  alice',
      '    count  7',
      '',
      'get-methods without arguments',
      '  count()   42',
      '  room()    ✗ exit 402, ERR_CLOSED',
      '  broken()  could not be called: gone',
    ]);
  });

  it("calls the data of a Tact contract its storage, not by the compiler's name", async () => {
    const facts = await read();
    assert.ok(facts.storage);
    const { lines } = contractText(
      { ...facts, storage: { ...facts.storage, name: 'Vault$Data' } },
      { name: () => undefined, coin: 'TON' },
    );
    assert.ok(lines.includes('  the storage of Vault'), lines.join('\n'));
  });

  it('has the same facts by name in its JSON', async () => {
    const json = contractJson(await read());
    assert.deepEqual(json.source, {
      ...{ name: 'vault', origin: 'the hash of its code, contracts/vault.tolk' },
      ...{ file: 'contracts/vault.tolk', chosen: false },
    });
    assert.deepEqual(json.storage, { name: 'Storage', fields: { owner: alice, count: '7' } });
    assert.deepEqual(
      json.getMethods.map((one) => [one.name, 'error' in one ? one.error.message : one.exitMeaning]),
      [
        ['count', 'success'],
        ['room', 'ERR_CLOSED'],
        ['broken', 'gone'],
      ],
    );
  });
});
