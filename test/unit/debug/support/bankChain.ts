import type { Message } from '@ton/core';
import {
  Address,
  Cell,
  Dictionary,
  beginCell,
  contractAddress,
  internal,
  loadMessage,
  loadShardAccount,
  loadTransaction,
  storeMessage,
  storeMessageRelaxed,
  toNano,
} from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { mapSource } from '../../../../src/toolkit/build/mapSource';
import type { DebugProgram, DebugRun } from '../../../../src/toolkit/debug/debugProgram';
import { failedActionOf } from '../../../../src/toolkit/replay/failureAt';
import { storageReader } from '../../../../src/toolkit/debug/storageReader';
import { createSandboxEmulator } from '../../../../src/toolkit/execution/emulator/createSandboxEmulator';
import type { Emulator } from '../../../../src/toolkit/execution/emulator/emulator';
import { absentAccount, everyStep } from '../../../../src/toolkit/execution/emulator/emulator';
import { defaultNetworkConfig } from '../../../../src/toolkit/execution/emulator/networkConfig';
import type { Recording } from '../../../../src/toolkit/recording/recording';
import { followRegisters } from '../../../../src/toolkit/recording/followRegisters';
import { recordTransaction } from '../../../../src/toolkit/execution/emulator/recordTransaction';
import { mapSteps } from '../../../../src/toolkit/sourceMap/mapSteps';
import type { SourceMap } from '../../../../src/toolkit/sourceMap/sourceMap';

/** Three contracts: what keeps money, what orders it on behalf of people, and what sets its prices. */
export const bankSources = {
  bank: `
const ERR_POOR = 401
struct Storage { fee: coins; rate: uint32; total: coins; accounts: map<uint32, coins> }
struct (0x00000001) Deposit { who: uint32; amount: coins }
struct (0x00000002) Withdraw { who: uint32; amount: coins }
struct (0x00000003) Configure { fee: coins; rate: uint32 }
struct (0x00000004) Paid { amount: coins }
type Order = Deposit | Withdraw | Configure
fun onInternalMessage(in: InMessage) {
    val order = lazy Order.fromSlice(in.body);
    var kept = Storage.fromCell(contract.getData());
    match (order) {
        Deposit => {
            val found = kept.accounts.get(order.who);
            val before = found.isFound ? found.loadValue() : ton("0");
            val added = order.amount - kept.fee;
            kept.accounts.set(order.who, before + added);
            kept.total += added;
        }
        Withdraw => {
            val found = kept.accounts.get(order.who);
            val has = found.isFound ? found.loadValue() : ton("0");
            val cost = order.amount + kept.fee * kept.rate;
            assert (cost <= has) throw ERR_POOR;
            kept.accounts.set(order.who, has - cost);
            kept.total -= cost;
            val paid = createMessage({
                bounce: false,
                value: order.amount,
                dest: in.senderAddress,
                body: Paid { amount: order.amount }
            });
            paid.send(SEND_MODE_PAY_FEES_SEPARATELY);
        }
        Configure => {
            kept.fee = order.fee;
            kept.rate = order.rate;
        }
        else => { return; }
    }
    contract.setData(kept.toCell());
}
`,
  relay: `
struct Storage { bank: address; markup: coins }
struct (0x00000010) Take { who: uint32; amount: coins }
struct (0x00000011) Put { who: uint32; amount: coins }
struct (0x00000012) Markup { markup: coins }
struct (0x00000001) Deposit { who: uint32; amount: coins }
struct (0x00000002) Withdraw { who: uint32; amount: coins }
type Order = Take | Put | Markup
fun onInternalMessage(in: InMessage) {
    val order = lazy Order.fromSlice(in.body);
    var kept = Storage.fromCell(contract.getData());
    match (order) {
        Take => {
            val amount = order.amount + kept.markup;
            val taken = createMessage({
                bounce: true,
                value: 0,
                dest: kept.bank,
                body: Withdraw { who: order.who, amount: amount }
            });
            taken.send(SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE);
        }
        Put => {
            val added = createMessage({
                bounce: true,
                value: 0,
                dest: kept.bank,
                body: Deposit { who: order.who, amount: order.amount }
            });
            added.send(SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE);
        }
        Markup => {
            kept.markup = order.markup;
            contract.setData(kept.toCell());
        }
        else => {}
    }
}
`,
  oracle: `
struct Storage { bank: address; percent: uint32 }
struct (0x00000020) Tick { price: coins }
struct (0x00000021) Percent { percent: uint32 }
struct (0x00000003) Configure { fee: coins; rate: uint32 }
type Order = Tick | Percent
fun onInternalMessage(in: InMessage) {
    val order = lazy Order.fromSlice(in.body);
    var kept = Storage.fromCell(contract.getData());
    match (order) {
        Tick => {
            val fee = order.price * kept.percent / 100;
            val set = createMessage({
                bounce: true,
                value: 0,
                dest: kept.bank,
                body: Configure { fee: fee, rate: 2 }
            });
            set.send(SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE);
        }
        Percent => {
            kept.percent = order.percent;
            contract.setData(kept.toCell());
        }
        else => {}
    }
}
`,
};

export type BankContract = keyof typeof bankSources;

/** A message to one of the contracts: who gets it, and its body. */
export interface BankMessage {
  to: BankContract;
  body: Cell;
}

const sender = new Address(0, Buffer.alloc(32, 9));

/** What happens before somebody takes too much, and that. */
export function usualMessages(): BankMessage[] {
  const message = (
    to: BankContract,
    opcode: number,
    fill: (cell: ReturnType<typeof beginCell>) => unknown,
  ) => {
    const cell = beginCell().storeUint(opcode, 32);
    fill(cell);
    return { to, body: cell.endCell() };
  };
  return [
    message('oracle', 0x21, (cell) => cell.storeUint(10, 32)),
    message('oracle', 0x20, (cell) => cell.storeCoins(toNano('1'))),
    message('relay', 0x12, (cell) => cell.storeCoins(toNano('0.2'))),
    message('relay', 0x11, (cell) => cell.storeUint(7, 32).storeCoins(toNano('6'))),
    message('relay', 0x11, (cell) => cell.storeUint(7, 32).storeCoins(toNano('4'))),
    message('relay', 0x10, (cell) => cell.storeUint(7, 32).storeCoins(toNano('8'))),
  ];
}

/** A transaction that ran. */
export interface RanTransaction {
  account: string;
  /** Hash, lowercase hex. */
  hash: string;
  run: DebugRun;
  /** Runs it with another message body; undefined if no code runs then. */
  again: (body: Cell) => Promise<Recording | undefined>;
}

const config = defaultNetworkConfig().base64;
const begun = 1_800_000_000;

/** The three contracts on an engine, without a network: messages run one after another, with what they send. */
export class BankChain {
  readonly #maps = new Map<string, { map: SourceMap; code: Cell }>();
  #lt = 1_000_000n;

  private constructor(private readonly emulator: Emulator) {}

  static async start(): Promise<BankChain> {
    return new BankChain(await createSandboxEmulator());
  }

  async #compiled(name: BankContract, text: string): Promise<{ map: SourceMap; code: Cell }> {
    const known = this.#maps.get(text);
    if (known !== undefined) {
      return known;
    }
    const file = `${name}.tolk`;
    const [map] = await mapSource(file, { read: () => text, isTrusted: false });
    const compiled = await runTolkCompiler({ entrypointFileName: file, fsReadCallback: () => text });
    if (compiled.status !== 'ok' || map === undefined) {
      throw new Error(compiled.status === 'ok' ? 'no map' : compiled.message);
    }
    const made = { map, code: Cell.fromBase64(compiled.codeBoc64) };
    this.#maps.set(text, made);
    return made;
  }

  /**
   * Deploys the contracts, runs the messages, and gives all that ran as a debugger's program; it begins with the last
   * transaction of the bank.
   * @param changed sources with a fault
   */
  async run(
    messages: readonly BankMessage[],
    changed: Partial<typeof bankSources> = {},
  ): Promise<{ program: DebugProgram; ran: readonly RanTransaction[] }> {
    const sources = { ...bankSources, ...changed };
    const maps = new Map<string, SourceMap>();
    const states = new Map<string, string>();
    const addresses = {} as Record<BankContract, Address>;
    const ran: RanTransaction[] = [];
    const empty = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(4));
    const data = {
      bank: () =>
        beginCell().storeCoins(toNano('0.01')).storeUint(1, 32).storeCoins(0).storeDict(empty).endCell(),
      relay: () => beginCell().storeAddress(addresses.bank).storeCoins(0).endCell(),
      oracle: () => beginCell().storeAddress(addresses.bank).storeUint(1, 32).endCell(),
    };
    for (const name of ['bank', 'relay', 'oracle'] as const) {
      const { code, map } = await this.#compiled(name, sources[name]);
      const init = { code, data: data[name]() };
      addresses[name] = contractAddress(0, init);
      maps.set(addresses[name].toRawString(), map);
      await this.#deliver(this.#message(addresses[name], Cell.EMPTY, init), states, maps, ran);
    }
    for (const { to, body } of messages) {
      await this.#deliver(this.#message(addresses[to], body), states, maps, ran);
    }
    const nameOf = (address: string): string | undefined =>
      (Object.keys(addresses) as BankContract[]).find((name) => addresses[name].toRawString() === address);
    const bank = addresses.bank.toRawString();
    const program: DebugProgram = {
      threads: ran.map(({ account, hash, run }, index) => ({
        name: `${index + 1} ${nameOf(account)}`,
        hash,
        load: () => Promise.resolve(run),
      })),
      first: ran.findLastIndex(({ account }) => account === bank),
      pathOf: (file) => file,
      accountName: nameOf,
    };
    return { program, ran };
  }

  #message(to: Address, body: Cell, init?: { code: Cell; data: Cell }): Cell {
    this.#lt += 1_000n;
    const relaxed = internal({
      to,
      value: toNano(init === undefined ? '1' : '20'),
      body,
      bounce: true,
      init,
    });
    const { info } = relaxed;
    const filled = { ...relaxed, info: { ...info, src: sender, createdLt: this.#lt, createdAt: begun } };
    return beginCell().store(storeMessageRelaxed(filled)).endCell();
  }

  async #deliver(
    first: Cell,
    states: Map<string, string>,
    maps: ReadonlyMap<string, SourceMap>,
    ran: RanTransaction[],
  ): Promise<void> {
    const waiting = [first];
    for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
      const account = destinationOf(message);
      const map = maps.get(account);
      if (map === undefined) {
        continue;
      }
      const before = states.get(account) ?? absentAccount;
      this.#lt += 1_000n;
      const lt = this.#lt;
      const execute = async (boc: Cell) => {
        const outcome = await this.emulator.runTransaction({
          ...{ config, libraries: null, shardAccount: before, now: begun, lt, seed: Buffer.alloc(32, 5) },
          ...{ message: boc.toBoc().toString('base64'), verbosity: everyStep },
        });
        if (!outcome.success) {
          throw new Error(outcome.error);
        }
        return outcome;
      };
      const { transaction: boc, shardAccount, vmLog } = await execute(message);
      const cell = Cell.fromBase64(boc);
      const transaction = loadTransaction(cell.beginParse());
      const recording = recordTransaction(boc, vmLog);
      const state = loadShardAccount(Cell.fromBase64(before).beginParse()).account?.storage.state;
      const c4 = state?.type === 'active' ? state.state.data : transaction.inMessage?.init?.data;
      const layout = map.layouts?.structs.get('Storage');
      const run: DebugRun = {
        recording,
        lines: recording && mapSteps(recording, map),
        registers:
          recording && followRegisters(recording, { c4: c4 ?? Cell.EMPTY, c5: Cell.EMPTY, c7: undefined }),
        cause: '',
        failedStep: recording && failedActionOf(recording, transaction),
        exitText: String,
        constants: new Map(),
        readStorage: storageReader(layout && map.layouts && { set: map.layouts, layout }),
        notes: [],
        transaction,
      };
      const original = message;
      const again = async (body: Cell): Promise<Recording | undefined> => {
        const { transaction: other, vmLog: log } = await execute(withBody(original, body));
        return recordTransaction(other, log);
      };
      states.set(account, shardAccount);
      ran.push({ account, hash: cell.hash().toString('hex'), run, again });
      waiting.push(
        ...[...transaction.outMessages.values()].map((out: Message) =>
          beginCell().store(storeMessage(out)).endCell(),
        ),
      );
    }
  }
}

function destinationOf(message: Cell): string {
  const slice = message.beginParse().skip(4);
  slice.loadAddressAny();
  const to = slice.loadAddressAny();
  return Address.isAddress(to) ? to.toRawString() : '';
}

function withBody(message: Cell, body: Cell): Cell {
  const loaded = loadMessage(message.beginParse());
  return beginCell()
    .store(storeMessage({ ...loaded, body }))
    .endCell();
}
