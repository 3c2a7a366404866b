import assert from 'node:assert/strict';
import type { ContractDescription } from '../../../src/toolkit/contracts/abi/contractDescription';
import { parseAddressInput } from '../../../src/toolkit/address/parseAddressInput';
import type { GetMethodSignature } from '../../../src/toolkit/contracts/abi/getMethodSignature';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { answerOf, callContract } from '../../../src/toolkit/workflows/callContract';
import type { CallContractEvent, CallContractParameters } from '../../../src/toolkit/workflows/callContract';
import { servedChain } from '../localnet/support/servedChain';
import type { ServedChain } from '../localnet/support/servedChain';
import { addressOf } from '../localnet/support/testChain';

describe('calling a contract', () => {
  let served: ServedChain;
  const alice = parseAddressInput(addressOf('alice')).toRawString();
  before(async () => {
    served = await servedChain();
  });
  after(async () => {
    await served.close();
  });

  const call = (
    more: Partial<CallContractParameters> = {},
  ): AsyncGenerator<CallContractEvent, void, undefined> =>
    callContract({
      ...{ access: served.access, address: '@alice', method: 'seqno', stack: '' },
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

  it('finds the account by name, runs the method, and returns its answer', async () => {
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

  it('reports before the answer that a well-known method got too many arguments', async () => {
    const [called] = await all(call({ stack: '1 2' }));
    assert.ok(called?.type === 'called');
    assert.match(called.note ?? '', /^seqno\(\).* takes no arguments, not 2\./);
  });

  it('parses the arguments by types that are looked up by raw address', async () => {
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

  it('reads the answer by what is known about the contract, and works without that', async () => {
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

  it('sends nothing if the account or the arguments are invalid', async () => {
    const fails = async (more: Partial<CallContractParameters>, code: string): Promise<void> => {
      await assert.rejects(
        answerOf(call(more)),
        (error: unknown) => WorkbenchError.is(error) && error.code === code,
      );
    };
    await fails({ address: '@bob' }, 'account-unknown');
    await fails(
      {
        address: 'shop.ton',
        access: { ...served.access, v3: { runGetMethod: served.access.v3.runGetMethod } },
      },
      'account-unknown',
    );
    await fails({ stack: '12x' }, 'stack-text-invalid');
  });
});
