import assert from 'node:assert/strict';
import { Address, Cell, beginCell, storeMessage, storeShardAccount, toNano } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { createSandboxEmulator } from '../../../../src/toolkit/execution/emulator/createSandboxEmulator';
import type { Emulator } from '../../../../src/toolkit/execution/emulator/emulator';
import { blockSeed } from '../../../../src/toolkit/execution/emulator/emulator';
import { defaultNetworkConfig } from '../../../../src/toolkit/execution/emulator/networkConfig';
import type { AccountState, DeliveryGround } from '../../../../src/toolkit/explore/deliverMessage';
import { readAccountState } from '../../../../src/toolkit/explore/deliverMessage';
import type { MessageUnderWay } from '../../../../src/toolkit/explore/messageUnderWay';
import { readMessageUnderWay } from '../../../../src/toolkit/explore/messageUnderWay';
import { readLightCell } from '../../../../src/toolkit/cell/light/lightCell';

/**
 * Passes a message on to the next address in its body, or to the two next ones, in order. It counts messages (mark 0), or
 * keeps their marks in order.
 */
const source = `
fun onInternalMessage(in: InMessage) {
  var body = in.body;
  if (body.isEmpty()) { return; }
  val mark = body.loadUint(8);
  var data = contract.getData().beginParse();
  val kept = data.loadUint(64);
  contract.setData(beginCell().storeUint(mark == 0 ? kept + 1 : kept * 10 + mark, 64).endCell());
  while (body.remainingBitsCount() > 0) {
    val to = body.loadAddress();
    val out = createMessage({ bounce: true, value: ton("0.1"), dest: to, body: body.loadRef() });
    out.send(SEND_MODE_PAY_FEES_SEPARATELY);
  }
}
fun onBouncedMessage(in: InMessageBounced) {}
`;

/** The raw address of relay 1, 2, …; those from 100 do not exist. */
export function relay(index: number): string {
  return `0:${index.toString(16).padStart(64, '0')}`;
}

/** A body that goes on to other relays. */
export function hops(mark: number, ...next: readonly (readonly [to: number, body: Cell])[]): Cell {
  const builder = beginCell().storeUint(mark, 8);
  next.forEach(([to, body]) => builder.storeAddress(Address.parseRaw(relay(to))).storeRef(body));
  return builder.endCell();
}

/** A way over several relays, one after another. */
export function way(mark: number, relays: readonly number[]): Cell {
  const [next, ...others] = relays;
  return next === undefined ? hops(mark) : hops(mark, [next, way(mark, others)]);
}

/** The first message of a flow. */
export function flowMessage(flow: number, from: number, to: number, body: Cell): MessageUnderWay {
  const info = {
    ...{ type: 'internal' as const, ihrDisabled: true, bounce: true, bounced: false },
    ...{ src: Address.parseRaw(relay(from)), dest: Address.parseRaw(relay(to)) },
    ...{
      value: { coins: toNano('1') },
      ihrFee: 0n,
      forwardFee: 0n,
      createdLt: BigInt(flow + 1),
      createdAt: 0,
    },
  };
  const cell = beginCell()
    .store(storeMessage({ info, init: null, body }))
    .endCell();
  const message = readMessageUnderWay(readLightCell(cell.toBoc()), flow);
  assert.ok(message);
  return message;
}

/** What relays keep. */
export function keptBy(state: AccountState | undefined): bigint {
  assert.ok(state);
  const [root = Cell.EMPTY] = Cell.fromBoc(Buffer.from(state.shardAccount, 'base64'));
  const data = root.refs[0]?.refs[1];
  assert.ok(data);
  return data.beginParse().loadUintBig(64);
}

/** Relays, and what deliveries to them run on. */
export interface Relays {
  ground: (run?: Emulator['runTransaction']) => DeliveryGround;
  account: (address: string) => AccountState;
}

/** Compiles the relay's contract. */
export async function openRelays(): Promise<Relays> {
  const compiled = await runTolkCompiler({ entrypointFileName: 'a.tolk', fsReadCallback: () => source });
  assert.ok(compiled.status === 'ok', compiled.status === 'error' ? compiled.message : '');
  const code = Cell.fromBase64(compiled.codeBoc64);
  const emulator = await createSandboxEmulator();
  const data = beginCell().storeUint(0, 64).endCell();
  const now = 1_800_000_000;
  const accountOf = (address: string): AccountState => {
    const usage = { used: { cells: 3n, bits: 1000n }, storageExtra: null, lastPaid: now, duePayment: null };
    const state = { type: 'active' as const, state: { code, data } };
    const account = {
      ...{ addr: Address.parseRaw(address), storageStats: usage },
      storage: { lastTransLt: 0n, balance: { coins: toNano('10') }, state },
    };
    const isThere = Number.parseInt(address.slice(2), 16) < 100;
    const shard = { account: isThere ? account : null, lastTransactionHash: 0n, lastTransactionLt: 0n };
    return readAccountState(beginCell().store(storeShardAccount(shard)).endCell().toBoc().toString('base64'));
  };
  return {
    ground: (run = (input) => emulator.runTransaction(input)) => ({
      emulator: { runTransaction: run },
      rules: { config: defaultNetworkConfig(), libraries: null },
      context: { seqno: 1, now, startLt: 1_000_000n, seed: blockSeed(1) },
    }),
    account: accountOf,
  };
}
