import assert from 'node:assert/strict';
import { contractAddress, getMethodId } from '@ton/core';
import { describeContract } from '../../../src/toolkit/contracts/abi/contractDescription';
import type { ContractDescription } from '../../../src/toolkit/contracts/abi/contractDescription';
import type { GetMethodSignature } from '../../../src/toolkit/contracts/abi/getMethodSignature';
import { methodNamed, ownMethodId, signatureNamed } from '../../../src/toolkit/contracts/abi/methodNamed';
import { builtContract } from '../../../src/toolkit/contracts/abi/projectContract';
import { readFuncSource } from '../../../src/toolkit/contracts/abi/readSignatures';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { readTactSource } from '../../../src/toolkit/contracts/abi/readTactSource';
import { readTolkSource } from '../../../src/toolkit/contracts/abi/readTolkSource';
import { contractText, readContractFacts } from '../../../src/toolkit/accountReport/contractFacts';
import { exportAsTest } from '../../../src/toolkit/getMethods/exportAsTest';
import { exportAsCurl, exportAsTypeScript } from '../../../src/toolkit/getMethods/exportedCall';
import { faucetAddress } from '../../../src/toolkit/accounts/localAccount';
import { sendAs } from '../../../src/toolkit/localnet/control/sendAs';
import { gatherGetMethod } from '../../../src/toolkit/replay/gatherGetMethod';
import { answerOf, callContract } from '../../../src/toolkit/workflows/callContract';
import type { ContractAnswer } from '../../../src/toolkit/workflows/callContract';
import { compileContract } from '../../support/localTraces';
import { servedChain } from '../localnet/support/servedChain';
import type { ServedChain } from '../localnet/support/servedChain';

const source = `
fun onInternalMessage(in: InMessage) {}
@method_id(0x1F000)
fun numbered(): int { return 12; }
@method_id(65)
fun six(a: int8): int { return a + 1; }
get fun plain(): int { return 3; }
`;

describe('a get-method with an id of its own', () => {
  let served: ServedChain;
  let address: string;
  let description: ContractDescription;

  before(async () => {
    served = await servedChain();
    const init = await compileContract(source);
    const code = init.code ?? assert.fail();
    address = contractAddress(0, init).toRawString();
    await sendAs(served.chain, { from: faucetAddress, to: address, value: 1_000_000_000n, init });
    await served.chain.mine();
    const codeHash = code.hash().toString('hex');
    const project = await readProject([{ path: 'six.tolk', text: source }]);
    description = describeContract({ code, codeHash }, [
      ...project,
      builtContract('six', 'six.tolk', codeHash),
    ]);
  });
  after(() => served.close());

  const call = (method: string, stack: string, signature?: GetMethodSignature): Promise<ContractAnswer> =>
    answerOf(
      callContract({
        ...{ access: served.access, address, method, stack, accounts: new Map() },
        ...(signature === undefined ? { describe: () => Promise.resolve(description) } : { signature }),
      }),
    );

  it('is read from every language', () => {
    const declared: [GetMethodSignature[], string][] = [
      [readTolkSource(source), 'six'],
      [readFuncSource('int six(int a) method_id(65) { return a + 1; }'), 'six'],
      [readTactSource('contract Six { get(65) fun six(a: Int): Int { return a + 1; } }'), 'six'],
    ];
    for (const [signatures, name] of declared) {
      assert.equal(ownMethodId(signatureNamed(signatures, name)), 65);
      assert.equal(signatureNamed(signatures, '65')?.name, name);
    }
    assert.equal(ownMethodId({ name: 'seqno', methodId: getMethodId('seqno') }), undefined);
  });

  it('is called by its name, with what is known of the contract or with given types', async () => {
    for (const signature of [undefined, methodNamed(description, 'six')?.signature]) {
      const { result } = await call('six', '4', signature);
      assert.deepEqual([result.exitCode, result.method, result.methodId], [0, 'six', 65]);
      assert.deepEqual(result.stack[0]?.value, { type: 'int', value: 5n });
    }
    assert.deepEqual((await call('numbered', '')).result.stack[0]?.value, { type: 'int', value: 12n });
  });

  it('has its types when it is called by number, and so has any other method', async () => {
    assert.equal((await call('65', '4')).words.signature?.name, 'six');
    const { result, words } = await call(String(getMethodId('plain')), '');
    assert.deepEqual([result.exitCode, words.signature?.name], [0, 'plain']);
  });

  it('is on the page of its account', async () => {
    const facts = await readContractFacts(
      served.access,
      { raw: address, data: undefined },
      description,
      [],
      {},
    );
    const { lines } = contractText(facts, { name: () => undefined, coin: 'TON' });
    assert.match(lines.join('\n'), /numbered\(\) +12\n/);
  });

  it('runs again step by step', async () => {
    const stack = [{ type: 'int', value: 4n } as const];
    const known = await gatherGetMethod(served.access, { address, method: 'six', methodId: 65, stack });
    const found = await gatherGetMethod(
      served.access,
      { address, method: 'six', stack },
      { ownId: (codeHash) => Promise.resolve(codeHash === description.codeHash ? 65 : undefined) },
    );
    assert.deepEqual([known.methodId, found.methodId], [65, 65]);
    const other = await gatherGetMethod(served.access, { address, method: 'plain', stack: [] });
    assert.equal(other.methodId, getMethodId('plain'));
  });

  it('is copied as a call that reaches it', async () => {
    const { network } = served.access;
    const copied = {
      network,
      address,
      method: 'six',
      methodId: 65,
      stack: [{ type: 'int', value: 4n } as const],
    };
    const { result } = await call('six', '4');
    assert.match(exportAsCurl(copied), /"method":"65"/);
    assert.match(exportAsTypeScript(copied), /\n {2}'65',\n/);
    assert.match(exportAsTypeScript({ ...copied, stack: [{ type: 'null' }] }), /"method":"65"/);
    assert.match(exportAsTest(copied, result, 'jest'), /, '65', \[/);
  });
});
