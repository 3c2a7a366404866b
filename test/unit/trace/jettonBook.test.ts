import assert from 'node:assert/strict';
import { Address, Cell, beginCell } from '@ton/core';
import type { StackValue } from '../../../src/toolkit/stack/stackValue';
import { modelFrom } from '../../support/modelFrom';
import type { GetMethodSource } from '../../../src/toolkit/trace/jettonBook';
import { JettonBook } from '../../../src/toolkit/trace/jettonBook';
import { moneyOf } from '../../../src/toolkit/trace/money';
import { traceActions } from '../../../src/toolkit/trace/traceActions';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import type { TraceKnowledge } from '../../../src/toolkit/trace/traceModel';
import { traceText } from '../../../src/toolkit/trace/traceText';
import type { V3TraceWire as V3Trace } from '../../../src/toolkit/api/v3Traces';
import { onChainContent } from '../../support/onChainContent';
import { chain, fakeAccount, syntheticTrace } from './syntheticTrace';

const raw = (index: number): string => fakeAccount(index).toLowerCase();
const address = (index: number): Address => Address.parseRaw(raw(index));
const [alice, aliceWallet, bob, master] = [0, 1, 3, 9] as const;

/**
 * A trace in which alice's wallet pays 2500 units to bob's, told so by `commander`; the service says nothing of jettons.
 */
function payment(commander?: string, knowledge?: TraceKnowledge): TraceContext {
  const transfer = beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(0, 64)
    .storeCoins(2500)
    .storeAddress(address(bob))
    .storeAddress(address(alice))
    .storeUint(0, 1)
    .storeCoins(1)
    .storeUint(0, 1)
    .endCell();
  const internal = beginCell()
    .storeUint(0x178d4519, 32)
    .storeUint(0, 64)
    .storeCoins(2500)
    .storeAddress(address(alice))
    .storeAddress(address(alice))
    .storeCoins(1)
    .storeUint(0, 1)
    .endCell();
  const trace: V3Trace = syntheticTrace(3, chain);
  const rows = trace.transactions_order?.map((hash) => trace.transactions?.[hash]) ?? [];
  [transfer, internal].forEach((body, index) => {
    for (const message of [rows[index]?.out_msgs?.[0], rows[index + 1]?.in_msg]) {
      assert.ok(message);
      message.opcode = `0x${body.beginParse().loadUint(32).toString(16).padStart(8, '0')}`;
      message.message_content = { body: body.toBoc().toString('base64') };
    }
  });
  if (commander !== undefined) {
    for (const message of [rows[0]?.out_msgs?.[0], rows[1]?.in_msg]) {
      assert.ok(message);
      message.source = commander;
    }
  }
  return new TraceContext(modelFrom(trace), knowledge);
}

const slice = (of: Address): StackValue => ({ type: 'slice', cell: beginCell().storeAddress(of).endCell() });
const int = (value: bigint): StackValue => ({ type: 'int', value });
/** Contracts that answer by TEP-74 and TEP-89. */
function contracts({
  content = onChainContent({ symbol: 'GRM', decimals: '3' }),
  confirmed = aliceWallet,
}: { content?: Cell; confirmed?: number } = {}): GetMethodSource & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    run: (account, method, stack) => {
      asked.push(`${method} ${account === raw(master) ? 'master' : 'wallet'}`);
      switch (method) {
        case 'get_wallet_data': {
          const owner = account === raw(aliceWallet) ? alice : bob;
          return Promise.resolve([
            int(5n),
            slice(address(owner)),
            slice(address(master)),
            { type: 'cell', cell: Cell.EMPTY },
          ]);
        }
        case 'get_wallet_address':
          assert.equal(stack.length, 1);
          return Promise.resolve([slice(address(confirmed))]);
        case 'get_jetton_data':
          return Promise.resolve([
            int(100n),
            int(-1n),
            slice(address(alice)),
            { type: 'cell', cell: content },
            { type: 'cell', cell: Cell.EMPTY },
          ]);
        default:
          return Promise.resolve(undefined);
      }
    },
  };
}

describe("jettons' own metadata", () => {
  const words = (context: TraceContext): string => traceActions(context)[0]?.words ?? '';

  it('is found when the master moves jettons by force, with the owner of the wallet', async () => {
    // The receiver's wallet is known, so the master is; who commands it would be taken for the owner.
    const known = new Map([[raw(2), { owner: raw(bob), master: raw(master) }]]);
    const context = payment(raw(master), { jettonWallets: known });
    assert.equal(context.jettonWallet(raw(aliceWallet))?.owner, undefined);
    const told = await new JettonBook(contracts()).complete(context);
    assert.equal(told.jettonWallet(raw(aliceWallet))?.owner, raw(alice));
    const { rows } = moneyOf(told);
    assert.equal(rows.find(({ account }) => account === raw(alice))?.jettons.get(raw(master)), -2500n);
    assert.equal(rows.find(({ account }) => account === raw(master))?.jettons.get(raw(master)), undefined);
    const words = traceActions(told).map((action) => action.words);
    const transfer = words.find((one) => one.startsWith('jetton transfer')) ?? '';
    assert.ok(transfer.includes(`${told.name(raw(alice))} → `), words.join());
  });

  it('gives amounts their symbol and decimals, and names its origin', async () => {
    const context = payment();
    assert.match(words(context), /^jetton transfer 2 500 units,/);
    const source = contracts();
    const known = await new JettonBook(source).complete(context);
    assert.match(words(known), /^jetton transfer 2\.5 GRM,/);
    const paid = moneyOf(known).rows.map(({ account, jettons }) => [account, jettons.get(raw(master))]);
    assert.deepEqual(
      paid.filter(([, amount]) => amount !== undefined).sort(),
      [
        [raw(alice), -2500n],
        [raw(bob), 2500n],
      ].sort(),
    );
    assert.match(
      traceText(known),
      /Read from the contracts\n.*confirmed by the master\n.*symbol GRM, 3 decimals from get_jetton_data/,
    );
    // The other end of the transfer is of the same jetton: one wallet is enough.
    assert.deepEqual(source.asked, [
      'get_wallet_data wallet',
      'get_wallet_address master',
      'get_jetton_data master',
    ]);
  });

  it('is requested once per contract', async () => {
    const source = contracts();
    const book = new JettonBook(source);
    await book.complete(payment());
    const count = source.asked.length;
    const again = await book.complete(await book.complete(payment()));
    assert.equal(source.asked.length, count);
    assert.match(words(again), /2\.5 GRM/);
  });

  it('does not count for a wallet that its master does not confirm', async () => {
    const known = await new JettonBook(contracts({ confirmed: 7 })).complete(payment());
    assert.doesNotMatch(words(known), /GRM/);
    assert.match(traceText(known), /does not confirm it: its jettons are not the master's/);
  });

  it('is not fetched from links: an off-chain jetton stays in base units', async () => {
    const content = beginCell().storeUint(1, 8).storeStringTail('https://example.invalid/j.json').endCell();
    const known = await new JettonBook(contracts({ content })).complete(payment());
    assert.match(words(known), /^jetton transfer 2 500 units of /);
    assert.match(
      traceText(known),
      /at https:\/\/example\.invalid\/j\.json, which is not fetched automatically/,
    );
    const empty = await new JettonBook(contracts({ content: new Cell() })).complete(payment());
    assert.match(traceText(empty), /has no symbol; amounts are in base units/);
  });

  it('has the decimals that are on-chain, also if its symbol is elsewhere', async () => {
    const content = onChainContent({ decimals: '3', uri: 'https://example.invalid/j.json' });
    const known = await new JettonBook(contracts({ content })).complete(payment());
    assert.match(words(known), /^jetton transfer 2\.5 jettons of /);
    assert.match(
      traceText(known),
      /has 3 decimals from get_jetton_data, and no symbol there: it is at https/,
    );
    assert.doesNotMatch(traceText(known), /base units/);
  });

  it('has nine decimals if on-chain content has none, and none if they are not a number', async () => {
    const book = (attributes: Record<string, string>): JettonBook =>
      new JettonBook(contracts({ content: onChainContent(attributes) }));
    assert.match(words(await book({ symbol: 'N' }).complete(payment())), /0\.0000025 N,/);
    assert.match(words(await book({ symbol: 'N', decimals: 'ten' }).complete(payment())), /2 500 units of/);
  });

  it('is displayed safely, whatever the symbol contains', async () => {
    const content = onChainContent({ symbol: 'A\u202eB\n', decimals: '0' });
    const known = await new JettonBook(contracts({ content })).complete(payment());
    assert.doesNotMatch(traceText(known).replaceAll('\n', ''), /\p{Bidi_Control}/u);
    assert.doesNotMatch(words(known), /\n/);
  });

  it('stays as known if the network fails, and is requested again later', async () => {
    const source = contracts();
    let isDown = true;
    const book = new JettonBook({
      run: (...args) => (isDown ? Promise.reject(new Error('down')) : source.run(...args)),
    });
    const context = payment();
    assert.equal(await book.complete(context), context);
    isDown = false;
    assert.match(words(await book.complete(context)), /2\.5 GRM/);
  });
});
