import assert from 'node:assert/strict';
import { beginCell, Cell, getMethodId } from '@ton/core';
import { methodsOf } from '../../src/editor/project/methodsOf';
import { methodSuggestion } from '../../src/editor/getMethods/methodSuggestion';
import type { Services } from '../../src/editor/project/services';
import { parseTypedStack } from '../../src/toolkit/contracts/layouts/parseTypedStack';
import { readProject } from '../../src/toolkit/contracts/abi/readProject';
import type { ProjectContract } from '../../src/toolkit/contracts/abi/projectContract';
import { createAccess } from '../../src/toolkit/access/createAccess';
import type { Access } from '../../src/toolkit/access/createAccess';
import { describeGetMethodResult } from '../../src/toolkit/getMethods/describeGetMethodResult';
import { runGetMethod } from '../../src/toolkit/getMethods/runGetMethod';
import { callControl } from '../../src/toolkit/localnet/callControl';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import { compileContract } from '../support/localTraces';

/** What a deployed contract's methods are, over the network. */
describe('the get-methods of a deployed contract', () => {
  let localnet: Localnet;
  let access: Access;

  before(async () => {
    localnet = await startLocalnet({ port: 0, log: silentLog });
    const { v2, v3 } = localnet;
    access = createAccess({ network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 } });
  });
  after(() => localnet.close());

  const services = (client: Access, files: ProjectContract[], chosen?: string): Services =>
    ({
      connections: { to: () => Promise.resolve(client) },
      project: {
        findSource: () => Promise.resolve(),
        list: () => Promise.resolve(files),
        chosen: () => chosen,
      },
    }) as unknown as Services;

  it('are those of the wallet whose code it has, over either API', async () => {
    const [alice] = localnet.accounts;
    assert.ok(alice);
    const { v2 } = localnet;
    const onlyV2 = createAccess({ network: { name: 'V2', kind: 'custom', v2, globalId: -239 } });
    for (const client of [access, onlyV2]) {
      const found = await methodsOf(services(client, []), client.network, alice.address);
      assert.equal(found.name, 'wallet v5 r1');
      const seqno = found.methods.find(({ name }) => name === 'seqno');
      assert.deepEqual(seqno?.signature?.parameters, []);
      assert.equal(seqno.origin, 'known interface, wallet');
    }
  });

  it('are those of the source that the user chose', async () => {
    const files = await readProject([
      { path: 'contracts/my.tolk', text: 'get fun seqno(at: uint8): bool {} fun onInternalMessage() {}' },
    ]);
    const [, bob] = localnet.accounts;
    assert.ok(bob);
    const found = await methodsOf(services(access, files, 'my'), access.network, bob.address);
    const seqno = found.methods.find(({ name }) => name === 'seqno');
    assert.equal(seqno?.origin, 'Tolk source, contracts/my.tolk');
    assert.deepEqual(seqno.signature?.parameters, [
      { name: 'at', type: { kind: 'int', bits: 8, signed: false } },
    ]);
  });

  it('are empty for an account without code', async () => {
    const found = await methodsOf(services(access, []), access.network, `0:${'5a'.repeat(32)}`);
    assert.deepEqual([found.codeHash, found.methods], [undefined, []]);
  });

  describe('and their origin', () => {
    /** One contract, of which the project tells in different ways. */
    const text = `
      fun onInternalMessage(in: InMessage) {}
      get fun twice(value: int): int { return value * 2; }
      get fun get_counter(): int { return 5; }
    `;
    const wrapper = `export class Twice implements Contract {
      async getTwice(provider: ContractProvider, value: bigint): Promise<bigint> {
        return (await provider.get('twice', [{ type: 'int', value }])).stack.readBigNumber();
      }
    }`;
    const abi = {
      name: 'Twice',
      getters: [
        {
          name: 'twice',
          arguments: [{ name: 'value', type: { kind: 'simple', type: 'int', optional: false, format: 257 } }],
          returnType: { kind: 'simple', type: 'int', optional: false, format: 257 },
        },
      ],
    };
    let address: string;
    let code: Cell;

    before(async () => {
      code = (await compileContract(text)).code ?? Cell.EMPTY;
      ({ address } = await callControl(localnet.control, 'deploy', {
        code: code.toBoc().toString('base64'),
        data: beginCell().endCell().toBoc().toString('base64'),
      }));
    });

    const told: Readonly<Record<string, [path: string, text: () => string]>> = {
      'compiler ABI': [
        'build/Twice.pkg',
        () =>
          JSON.stringify({ name: 'Twice', abi: JSON.stringify(abi), code: code.toBoc().toString('base64') }),
      ],
      'Tolk source': ['contracts/twice.tolk', () => text],
      'FunC source': ['contracts/twice.fc', () => 'int twice(int value) method_id { return value * 2; }'],
      'Tact source': [
        'twice.tact',
        () => 'contract Twice { get fun twice(value: Int): Int { return value * 2; } }',
      ],
      'TypeScript wrapper': ['wrappers/Twice.ts', () => wrapper],
    };
    for (const [origin, [path, contents]] of Object.entries(told)) {
      it(`is a ${origin}: in the list of methods and in an answer's document`, async () => {
        const hex = code.toBoc().toString('hex');
        const files = await readProject([
          { path, text: contents() },
          { path: 'build/Twice.compiled.json', text: JSON.stringify({ hex }) },
        ]);
        const found = await methodsOf(services(access, files), access.network, address);
        const method = found.methods.find(({ name }) => name === 'twice');
        assert.ok(method);
        assert.equal(method.origin, `${origin}, ${path}`);
        assert.equal(methodSuggestion(method, false).detail, `${origin}, ${path}`);
        const [value] = parseTypedStack('21', method.signature?.parameters ?? []);
        const call = { address, method: 'twice', stack: [...(value?.values ?? [])] };
        const document = describeGetMethodResult(await runGetMethod(access, call), method);
        assert.match(document, /value +int\w* +21\b/);
        assert.match(document, /out +0 +int\w* +42\b/);
        assert.ok(document.includes(`types by ${origin}, ${path}: twice(`), document);
      });
    }

    it('is the ids in the code: a commonly used name, else the number', async () => {
      const found = await methodsOf(services(access, []), access.network, address);
      const names = found.methods.map(({ name, origin }) => [name, origin]);
      assert.deepEqual(
        new Set(names.map((row) => row.join(': '))),
        new Set(['get_counter: method ids in the code', `${getMethodId('twice')}: method ids in the code`]),
      );
    });
  });
});
