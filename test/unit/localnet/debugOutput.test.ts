import { Address, Cell, beginCell, external, storeMessage, toNano } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createAccess, createFetchTransport } from '../../../src/toolkit/access/createAccess';
import type { Network } from '../../../src/toolkit/access/network';
import type { AccountSource } from '../../../src/toolkit/accounts/libraryShelf';
import type { V3TraceWire as V3Trace } from '../../../src/toolkit/api/v3Traces';
import { readBoc } from '../../../src/toolkit/cell/readBoc';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import { describeGetMethodResult } from '../../../src/toolkit/getMethods/describeGetMethodResult';
import { resultToJson } from '../../../src/toolkit/getMethods/resultToJson';
import { runGetMethod } from '../../../src/toolkit/getMethods/runGetMethod';
import { limits } from '../../../src/toolkit/base/limits';
import { DebugBook } from '../../../src/toolkit/localnet/chain/debugBook';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import { setAccount } from '../../../src/toolkit/localnet/control/accountCommands';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import { Redactor, createLog } from '../../../src/toolkit/base/log';
import { readExternalMessage } from '../../../src/toolkit/send/externalMessage';
import { internalMessage } from '../../../src/toolkit/send/sendableMessage';
import { rehearsalText } from '../../../src/toolkit/send/rehearsalText';
import { rehearse } from '../../../src/toolkit/send/rehearse';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { transactionText } from '../../../src/toolkit/trace/transactionText';
import { modelFrom } from '../../support/modelFrom';
import { ManualClock, addressOf, mineWith, testChain, transfer } from './support/testChain';

const source = `
fun onInternalMessage(in: InMessage) { debug.print(42); debug.printString("hello"); }
fun onExternalMessage(in: slice) { debug.print(9); throw 77; }
get fun asked(): int { debug.print(7); return 1; }
`;
const printer = `0:${'88'.repeat(32)}`;

function sourceOf(chain: LocalChain): AccountSource {
  const { last } = chain.ledger;
  return {
    origin: 'test',
    seqno: last.seqno,
    genUtime: last.genUtime,
    endLt: last.endLt,
    account: (address) =>
      Promise.resolve({
        shardAccount: chain.ledger.accounts.get(address)?.current ?? '',
        fidelity: 'exact',
      }),
    library: () => Promise.resolve(undefined),
    config: () => Promise.resolve(chain.config.base64),
  };
}

describe('what contracts print', () => {
  it('is in the log, the control API, the answers, the documents, and the rehearsal', async () => {
    const compiled = await runTolkCompiler({ entrypointFileName: 'a.tolk', fsReadCallback: () => source });
    assert.ok(compiled.status === 'ok', compiled.status === 'error' ? compiled.message : '');
    const lines: string[] = [];
    const log = createLog((_level, line) => lines.push(line), new Redactor());
    const clock = new ManualClock();
    const chain = await testChain({ log, clock });
    const code = Cell.fromBase64(compiled.codeBoc64);
    await setAccount(chain, { address: printer, balance: toNano('1'), code, data: Cell.EMPTY });
    await chain.mine();
    const rehearsal = await rehearse({
      message: internalMessage({
        source: Address.parseRaw(addressOf('bob')),
        destination: Address.parseRaw(printer),
        value: toNano('1'),
        bounce: true,
        body: beginCell().endCell(),
        init: undefined,
      }),
      source: sourceOf(chain),
      emulator: chain.emulator,
      fallbackConfig: defaultNetworkConfig(),
      clock,
    });
    const predicted = rehearsal.trace?.nodes[0]?.transaction;
    assert.equal(predicted?.debug_output?.[0], 's0 = 42');

    await mineWith(chain, transfer('bob', { seqno: 0, to: printer, value: toNano('1'), bounce: true }));
    assert.ok(
      lines.some((line) => line.endsWith(`${printer} printed: s0 = 42`)),
      lines.join('\n'),
    );
    const server = await createServer(chain);
    const ask = async <Body>(url: string, payload?: object): Promise<Body> => {
      const request = payload === undefined ? { url } : { method: 'POST' as const, url, payload };
      return JSON.parse((await server.inject(request)).body) as Body;
    };
    const entries = await ask<{ id: number; account: string; output: string[] }[]>('/control/debug');
    assert.deepEqual(
      entries.map(({ id, account, output }) => [id, account, output[0]]),
      [[1, printer, 's0 = 42']],
    );
    assert.deepEqual(await ask('/control/debug?after=1'), []);
    const { traces } = await ask<{ traces: V3Trace[] }>(`/api/v3/traces?account=${printer}`);
    const model = modelFrom(traces[0] as V3Trace);
    const text = transactionText(model.nodes[1]!, new TraceContext(model, {}));
    assert.match(text, /Debug output\n {2}s0 = 42\n {2}hello/);
    // Who prints nothing has no such field.
    assert.equal('debug_output' in (model.nodes[0]?.transaction ?? {}), false);
    const body = { address: printer, method: 'asked', stack: [] };
    const answer = await ask<{ debug_output?: string[] }>('/api/v3/runGetMethod', body);
    assert.deepEqual(answer.debug_output, ['s0 = 7']);
    await server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.server.address() as AddressInfo;
    const base = `http://127.0.0.1:${port}/api`;
    const network: Network = {
      name: 'Local',
      kind: 'local',
      v2: `${base}/v2`,
      v3: `${base}/v3`,
      globalId: -3,
    };
    const access = createAccess({ network, transport: createFetchTransport() });
    for (const preferredApi of ['v2', 'v3'] as const) {
      const result = await runGetMethod(
        access,
        { address: printer, method: 'asked', stack: [] },
        { preferredApi },
      );
      assert.deepEqual([result.api, result.printed], [preferredApi, ['s0 = 7']]);
      assert.match(describeGetMethodResult(result), /^ {2}printed {2}s0 = 7$/m);
      assert.deepEqual(resultToJson(result).printed, ['s0 = 7']);
    }
    await server.close();
  });

  it('is reported for a contract that refuses a message', async () => {
    const compiled = await runTolkCompiler({ entrypointFileName: 'a.tolk', fsReadCallback: () => source });
    assert.ok(compiled.status === 'ok', compiled.status === 'error' ? compiled.message : '');
    const lines: string[] = [];
    const clock = new ManualClock();
    const chain = await testChain({
      log: createLog((_level, line) => lines.push(line), new Redactor()),
      clock,
    });
    const code = Cell.fromBase64(compiled.codeBoc64);
    await setAccount(chain, { address: printer, balance: toNano('1'), code, data: Cell.EMPTY });
    await chain.mine();
    const boc = beginCell()
      .store(storeMessage(external({ to: Address.parseRaw(printer), body: Cell.EMPTY })))
      .endCell()
      .toBoc();
    await assert.rejects(chain.submit(boc), (error: Error) =>
      /exitcode=77,[^]*\nPrinted:\ns0 = 9/.test(error.message),
    );
    assert.ok(lines.some((line) => line.endsWith(`${printer} printed: s0 = 9`)));

    const message = readExternalMessage(readBoc(boc));
    const rehearsal = await rehearse({
      message,
      source: sourceOf(chain),
      emulator: chain.emulator,
      fallbackConfig: defaultNetworkConfig(),
      clock,
    });
    assert.deepEqual([rehearsal.accepted, rehearsal.printed[0]], [false, 's0 = 9']);
    assert.match(rehearsalText({ message, rehearsal, serviceFees: undefined }), /^printed\n {2}s0 = 9$/m);
  });

  it('is kept up to a limit, the newest last to go', () => {
    const book = new DebugBook();
    const text = 'x'.repeat(limits.debugOutput.most);
    const fit = Math.floor(limits.keptDebugOutput.most / text.length);
    for (let number = 1; number <= fit + 3; number += 1) {
      book.add(`t${number}`, 'a', [text]);
    }
    assert.deepEqual(book.of('t3'), []);
    assert.deepEqual(book.of('t4'), [text]);
    assert.equal(book.after(0).length, fit);
  });
});
