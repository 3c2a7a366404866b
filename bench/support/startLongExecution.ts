import { beginCell, Cell, contractAddress, external, storeMessage, toNano } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { createAccess } from '../../src/toolkit/access/createAccess';
import type { Access } from '../../src/toolkit/access/createAccess';
import { callControl } from '../../src/toolkit/localnet/callControl';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';

const source = `
import "@stdlib/gas-payments"
fun onInternalMessage(in: InMessage) {}
fun onExternalMessage(body: slice) {
    acceptExternalMessage();
    var times = body.loadUint(32);
    var sum = 0;
    while (times > 0) { sum += times; times -= 1; }
    contract.setData(beginCell().storeUint(sum, 256).endCell());
}
`;
/** How often the loop runs: 40,000 steps. */
const times = 4_450;

/** A local network with a transaction of 40,000 steps. */
export interface LongExecution {
  network: Localnet;
  access: Access;
  hash: string;
  code: Cell;
  source: string;
}

/** Starts the network and runs the transaction. */
export async function startLongExecution(): Promise<LongExecution> {
  const network = await startLocalnet({ port: 0, mode: { kind: 'manual' }, log: silentLog });
  const { v2, v3, control } = network;
  const access = createAccess({ network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 } });
  const compiled = await runTolkCompiler({ entrypointFileName: 'main.tolk', fsReadCallback: () => source });
  if (compiled.status !== 'ok') {
    throw new Error(compiled.message);
  }
  const code = Cell.fromBase64(compiled.codeBoc64);
  const data = beginCell().endCell();
  const address = contractAddress(0, { code, data });
  const texts = { code: compiled.codeBoc64, data: data.toBoc().toString('base64') };
  await callControl(control, 'deploy', { ...texts, value: toNano('100').toString() });
  await callControl(control, 'mine', {});
  const body = beginCell().storeUint(times, 32).endCell();
  const message = beginCell().store(storeMessage(external({ to: address, body })));
  await access.v3.message({ boc: message.endCell().toBoc().toString('base64') });
  await callControl(control, 'mine', {});
  const { transactions } = await access.v3.transactions({ account: [address.toRawString()], limit: 1 });
  return { network, access, hash: transactions![0]!.hash!, code, source };
}
