import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { ContractDescription } from '../../../src/toolkit/abi/describeContract';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { createFetchTransport } from '../../../src/toolkit/access/createFetchTransport';
import { parseAddressInput } from '../../../src/toolkit/address/parseAddressInput';
import type { GetMethodSignature } from '../../../src/toolkit/abi/getMethodSignature';
import { WorkbenchError } from '../../../src/toolkit/errors';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import { answerOf, callContract } from '../../../src/toolkit/workflows/callContract';
import type { CallContractEvent, CallContractParameters } from '../../../src/toolkit/workflows/callContract';
import { addressOf, testChain } from '../localnet/support/testChain';

describe('calling a contract', function () {
  this.timeout(30_000);
  let chain: LocalChain;
  let server: Awaited<ReturnType<typeof createServer>>;
  let access: Access;
  const alice = parseAddressInput(addressOf('alice')).toRawString();
  before(async () => {
    chain = await testChain();
    server = await createServer(chain);
    await server.listen({ port: 0, host: '127.0.0.1' });
    const base = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api`;
    access = createAccess({
      network: { name: 'Local', kind: 'local', v2: `${base}/v2`, v3: `${base}/v3`, globalId: -3 },
      transport: createFetchTransport(),
    });
  });
  after(async () => {
    await server.close();
    await chain.close();
  });

  const call = (
    more: Partial<CallContractParameters> = {},
  ): AsyncGenerator<CallContractEvent, void, undefined> =>
    callContract({
      ...{ access, address: '@alice', method: 'seqno', stack: '' },
      accounts: new Map([['alice', alice]]),
      ...more,
    });

  const all = async (events: AsyncIterable<CallContractEvent>): Promise<CallContractEvent[]> => {
    const told: CallContractEvent[] = [];
    for await (const event of events) {
      told.push(event);
    }
    return told;
  };

  const seqno: GetMethodSignature = {
    name: 'seqno',
    parameters: [],
    result: { kind: 'int', bits: 32 },
    origin: 'Tolk source',
  };

  it('finds the account by its name, runs the method, and answers with what it returned', async () => {
    const [called, answered, ...others] = await all(call());
    assert.deepEqual(called, { type: 'called', address: alice, stack: [], note: undefined });
    assert.ok(answered?.type === 'answered');
    assert.equal(answered.answer.result.exitCode, 0);
    assert.deepEqual(
      answered.answer.result.stack.map(({ value }) => value),
      [{ type: 'int', value: 0n }],
    );
    assert.deepEqual(others, []);
  });

  it('says before the answer that a well-known method was given more than it takes', async () => {
    const [called] = await all(call({ stack: '1 2' }));
    assert.ok(called?.type === 'called');
    assert.match(called.note ?? '', /^seqno\(\).* takes no arguments, not 2\./);
  });

  it('reads the arguments by types that are looked up by the raw address', async () => {
    let asked: string | undefined;
    const events = call({
      stack: 'true',
      signature: (address) => {
        asked = address;
        return Promise.resolve({ ...seqno, parameters: [{ name: 'flag', type: { kind: 'bool' } }] });
      },
    });
    const [called] = await all(events);
    assert.ok(called?.type === 'called');
    assert.equal(asked, alice);
    assert.deepEqual(called.stack, [{ type: 'int', value: -1n }]);
  });

  it('reads the answer by what is known of the contract, and does without where that fails', async () => {
    const signature = seqno;
    const known = { methods: [{ name: 'seqno', signature, origin: 'a test' }], errors: new Map() };
    const { words } = await answerOf(
      call({ describe: () => Promise.resolve(known as unknown as ContractDescription) }),
    );
    assert.deepEqual(words, { exits: known, signature, origin: 'a test' });
    const without = await answerOf(call({ describe: () => Promise.reject(new Error('no code')) }));
    assert.equal(without.description, undefined);
    assert.equal(without.result.exitCode, 0);
  });

  it('sends nothing where the account or the arguments cannot be read', async () => {
    const fails = async (more: Partial<CallContractParameters>, code: string): Promise<void> => {
      await assert.rejects(
        answerOf(call(more)),
        (error: unknown) => WorkbenchError.is(error) && error.code === code,
      );
    };
    await fails({ address: '@bob' }, 'account-unknown');
    await fails(
      { address: 'shop.ton', access: { ...access, v3: { runGetMethod: access.v3.runGetMethod } } },
      'account-unknown',
    );
    await fails({ stack: '12x' }, 'stack-text-invalid');
  });
});
