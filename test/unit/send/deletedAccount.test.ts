import { Address, Cell, beginCell, external, storeMessage, toNano } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createAccess, createFetchTransport } from '../../../src/toolkit/access/createAccess';
import { accountText } from '../../../src/toolkit/accountReport/accountText';
import { readAccountReport } from '../../../src/toolkit/accountReport/readAccountReport';
import { readBoc } from '../../../src/toolkit/cell/readBoc';
import { setAccount } from '../../../src/toolkit/localnet/control/accountCommands';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import { readExternalMessage } from '../../../src/toolkit/send/externalMessage';
import { prepareSend } from '../../../src/toolkit/workflows/rehearseInTime';
import { ManualClock, mineWith, testChain, transfer } from '../localnet/support/testChain';

/** Sends everything back and ends, as send mode 160 says. */
const source = `
fun onInternalMessage(in: InMessage) {
    createMessage({ bounce: false, value: 0, dest: in.senderAddress }).send(160);
}
`;
const mortal = `0:${'99'.repeat(32)}`;
const never = `0:${'77'.repeat(32)}`;

describe('a deleted account', () => {
  it('is distinguished from one that never existed, in its report and in a rehearsal', async () => {
    const compiled = await runTolkCompiler({ entrypointFileName: 'a.tolk', fsReadCallback: () => source });
    assert.ok(compiled.status === 'ok', compiled.status === 'error' ? compiled.message : '');
    const clock = new ManualClock();
    const chain = await testChain({ clock });
    const code = Cell.fromBase64(compiled.codeBoc64);
    await setAccount(chain, { address: mortal, balance: toNano('1'), code, data: Cell.EMPTY });
    await chain.mine();
    await mineWith(chain, transfer('bob', { seqno: 0, to: mortal, value: toNano('1') }));
    const server = await createServer(chain);
    try {
      await server.listen({ port: 0, host: '127.0.0.1' });
      const base = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api`;
      const access = createAccess({
        network: { name: 'Local', kind: 'local', v2: `${base}/v2`, v3: `${base}/v3`, globalId: -3 },
        transport: createFetchTransport(),
      });
      const words = async (address: string): Promise<string[]> => {
        const facts = await readAccountReport(access, address, { priority: 'user' });
        const report = accountText(facts, {
          name: () => undefined,
          methodName: () => undefined,
          coin: 'TON',
        });
        const boc = beginCell()
          .store(storeMessage(external({ to: Address.parseRaw(address), body: Cell.EMPTY })))
          .endCell()
          .toBoc();
        const message = readExternalMessage(readBoc(boc));
        const { rehearsal } = await prepareSend({ access, message, emulator: chain.emulator, clock });
        return [/^ {2}state +(.*)$/m.exec(report.text)?.[1] ?? '', rehearsal.reason?.text ?? ''];
      };
      const [state = '', reason = ''] = await words(mortal);
      assert.match(state, /^does not exist \(deleted: /);
      assert.match(reason, /^no such account: it was deleted/);
      const [unknownState = '', unknownReason = ''] = await words(never);
      assert.match(unknownState, /nothing was ever sent to it, or it was deleted/);
      assert.match(unknownReason, /it has never received coins, or it was deleted/);
    } finally {
      await server.close();
    }
  });
});
