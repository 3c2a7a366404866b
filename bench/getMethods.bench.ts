import { Executor } from '@ton/sandbox/dist/executor/Executor';
import { TonClient, WalletContractV5R1 } from '@ton/ton';
import { getMethodId } from '@ton/core';
import { describeContract } from '../src/toolkit/contracts/abi/contractDescription';
import { parseTypedStack } from '../src/toolkit/contracts/layouts/parseTypedStack';
import { createAccess } from '../src/toolkit/access/createAccess';
import { defaultNetworkConfig } from '../src/toolkit/execution/emulator/networkConfig';
import { describeGetMethodResult } from '../src/toolkit/getMethods/describeGetMethodResult';
import { runGetMethod } from '../src/toolkit/getMethods/runGetMethod';
import { startLocalnet } from '../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../src/toolkit/base/log';
import { median } from './support/median';
import { report } from './support/report';

/**
 * A local get-method call from text to document, divided into steps, compared with the bare TVM run and
 * @ton/ton.
 */
const runs = 200;
const warmUp = 30;
const method = 'get_public_key';

async function measure(): Promise<void> {
  const localnet = await startLocalnet({ port: 0, log: silentLog });
  try {
    const { v2, v3, accounts } = localnet;
    const access = createAccess({ network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 } });
    const wallet = WalletContractV5R1.create({ publicKey: Buffer.from(accounts[0]?.publicKey ?? '', 'hex') });
    const client = new TonClient({ endpoint: `${v2}/jsonRPC` });
    const bare = await bareCall(wallet);
    const code = {
      code: wallet.init.code,
      codeHash: wallet.init.code.hash().toString('hex'),
      wallet: 'wallet v5 r1',
    };
    const times: Record<'text' | 'types' | 'call' | 'document' | 'whole' | 'peer' | 'bare', number[]> = {
      text: [],
      types: [],
      call: [],
      document: [],
      whole: [],
      peer: [],
      bare: [],
    };
    for (let run = -warmUp; run < runs; run++) {
      const began = performance.now();
      const described = describeContract(code, []).methods.find(({ name }) => name === method);
      const typed = performance.now();
      const stack = parseTypedStack('', described?.signature?.parameters ?? []).flatMap(
        ({ values }) => values,
      );
      const parsed = performance.now();
      const result = await runGetMethod(access, { address: wallet.address.toRawString(), method, stack });
      const called = performance.now();
      describeGetMethodResult(result, { signature: described?.signature });
      const written = performance.now();
      await client.runMethod(wallet.address, method);
      const peered = performance.now();
      await bare();
      const ended = performance.now();
      if (run >= 0) {
        times.types.push(typed - began);
        times.text.push(parsed - typed);
        times.call.push(called - parsed);
        times.document.push(written - called);
        times.whole.push(written - began);
        times.peer.push(peered - written);
        times.bare.push(ended - peered);
      }
    }
    const of = (name: keyof typeof times): number => median(times[name]);
    const executor = { peer: of('bare'), peerName: 'bare Executor run', unit: 'ms' };
    report([
      { name: 'get-method on the local network, text to document', ours: of('whole'), ...executor },
      { name: '  of which looking up the types', ours: of('types'), unit: 'ms' },
      { name: '  of which reading the text', ours: of('text'), unit: 'ms' },
      {
        name: '  of which the call over HTTP',
        ours: of('call'),
        peer: of('peer'),
        peerName: '@ton/ton runMethod',
        unit: 'ms',
      },
      { name: '  of which writing the document', ours: of('document'), unit: 'ms' },
    ]);
  } finally {
    await localnet.close();
  }
}

/** The same method in the sandbox's Executor alone. */
async function bareCall(wallet: WalletContractV5R1): Promise<() => Promise<unknown>> {
  const executor = await Executor.create();
  const { code, data } = wallet.init;
  const config = defaultNetworkConfig().getMethodBase64;
  return () =>
    executor.runGetMethod({
      code,
      data,
      methodId: getMethodId(method),
      stack: [],
      config,
      verbosity: 'short',
      address: wallet.address,
      unixTime: 1_800_000_000,
      balance: 1_000_000_000n,
      randomSeed: Buffer.alloc(32, 1),
      gasLimit: 1_000_000n,
      debugEnabled: false,
    });
}

await measure();
