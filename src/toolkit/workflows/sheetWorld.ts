import type { AddressInfo } from 'node:net';
import type { Cell } from '@ton/core';
import { beginCell, storeMessage } from '@ton/core';
import { networkAt } from '../access/resolveNetwork';
import type { Network } from '../access/network';
import { WorkbenchError } from '../base/errors';
import { limits, overLimitError } from '../base/limits';
import { silentLog } from '../base/log';
import type { Clock } from '../base/time';
import { readTransaction } from '../cell/light/bitCursor';
import { readLightCell } from '../cell/light/lightCell';
import type { ExecutedTransaction } from '../execution/encodeRun';
import { encodeRun } from '../execution/encodeRun';
import type { QueuedMessage } from '../execution/cascade';
import { Cascade, transactionSurroundings } from '../execution/cascade';
import { createSandboxEmulator } from '../execution/emulator/createSandboxEmulator';
import { absentAccount, emulatorFailedError } from '../execution/emulator/emulator';
import { defaultNetworkConfig } from '../execution/emulator/networkConfig';
import type { AccountState, DeliveryGround } from '../explore/deliverMessage';
import { readAccountState } from '../explore/deliverMessage';
import type { MessageUnderWay } from '../explore/messageUnderWay';
import { readMessageUnderWay } from '../explore/messageUnderWay';
import type { LocalChain } from '../localnet/chain/localChain';
import { parseDump, readDump } from '../localnet/dump/readDump';
import { localnetHost } from '../localnet/localnetHost';
import { openChain } from '../localnet/openChain';
import { createServer } from '../localnet/server/createServer';
import type { InternalMessage, SendableMessage } from '../send/sendableMessage';
import { buildTrace } from '../trace/buildTrace';
import type { TraceModel } from '../trace/traceModel';

/** A message that was sent and is held back. */
export interface HeldMessage {
  message: MessageUnderWay;
  /** The wallet's transaction that sent it; undefined for one sent in a contract's name. */
  sender: ExecutedTransaction | undefined;
  /** The wallet before: ShardAccount, BoC in base64. */
  before: string | undefined;
  /** What the wallet's transaction ran on. */
  ground: DeliveryGround | undefined;
}

/** Milliseconds from a message to its block. */
const blockDelay = 1;

/** A local network in this process, for one exploration: its time stands still, and messages can be held back. */
export class SheetWorld {
  private constructor(
    private readonly chain: LocalChain,
    readonly network: Network,
    private readonly end: () => Promise<void>,
  ) {}

  /**
   * @param load a state that control/dump wrote, as text; default: a new network
   * @throws WorkbenchError `localnet-dump-invalid` (input)
   */
  static async open(clock: Clock, load?: string): Promise<SheetWorld> {
    const emulator = await createSandboxEmulator();
    const now = clock.now();
    const { chain } = await openChain({
      ...{ emulator, config: defaultNetworkConfig(), log: silentLog },
      clock: { ...clock, now: () => now },
      mode: { kind: 'automatic', delay: blockDelay },
      load: load === undefined ? undefined : () => readDump(parseDump(load), emulator),
    });
    const server = await createServer(chain, { log: silentLog });
    await server.listen({ host: localnetHost, port: 0 });
    const { port } = server.server.address() as AddressInfo;
    return new SheetWorld(chain, networkAt(`http://${localnetHost}:${port}`, 'Local'), async () => {
      await server.close();
      await chain.close();
    });
  }

  /** What deliveries run on from now on. */
  ground(): DeliveryGround {
    const { emulator, config, libraries } = this.chain;
    return { emulator, rules: { config, libraries }, context: this.chain.newContext() };
  }

  /** An account as it is now. */
  account(address: string): AccountState {
    return readAccountState(this.#shardAccount(address));
  }

  /** Raw addresses of the contracts that have a name here. */
  names(): Map<string, string> {
    return new Map(Object.entries(this.chain.settings.names ?? {}).map(([address, name]) => [name, address]));
  }

  #shardAccount(address: string): string {
    return this.chain.ledger.accounts.get(address)?.current ?? absentAccount;
  }

  /** The block that the network is at; {@link goBack} returns to it. */
  get seqno(): number {
    return this.chain.ledger.last.seqno;
  }

  /** Forgets everything since a block. */
  async goBack(seqno: number): Promise<void> {
    await this.chain.restore(seqno);
  }

  /** Sets accounts in a block of their own. */
  async setAccounts(accounts: Iterable<readonly [address: string, shardAccount: string]>): Promise<void> {
    this.chain.change(
      [...accounts].map(([address, boc]) => ({ address, shardAccount: Buffer.from(boc, 'base64') })),
    );
    await this.chain.mine();
  }

  /**
   * Sends a message without delivering it: a wallet's transaction happens, and what it sends stays under way.
   *
   * @param flow which one this is, from 0
   * @throws WorkbenchError `message-rejected` (failed), if the wallet refuses, or sends nothing
   */
  async hold(message: SendableMessage, flow: number): Promise<HeldMessage> {
    return message.kind === 'internal'
      ? { message: this.#forged(message, flow), sender: undefined, before: undefined, ground: undefined }
      : this.#fromWallet(message.destination.toRawString(), message.cell, flow);
  }

  /**
   * Sends a message and delivers all that follows, at once and in the order of sending; resolves to its trace.
   * @throws WorkbenchError `message-rejected` (failed), if the wallet refuses; `emulator-failed` (internal)
   */
  async deliver(message: SendableMessage): Promise<TraceModel> {
    const { chain } = this;
    const account = (address: string): string => this.#shardAccount(address);
    const cascade = new Cascade(
      { emulator: chain.emulator, rules: () => chain, account },
      chain.newContext(),
    );
    const boc = message.kind === 'internal' ? this.#forged(message, 0).boc : bocOf(message.cell);
    const queue: QueuedMessage[] = [{ boc, destination: message.destination.toRawString() }];
    await cascade.run(queue, { transactions: limits.traceTransactions.most });
    const [refused, failed] = [cascade.refused[0], cascade.failed[0]];
    if (refused !== undefined) {
      throw notSentError(`The wallet does not accept this: ${refused.outcome.error}.`);
    }
    if (failed !== undefined || queue.length > 0) {
      throw emulatorFailedError(failed?.error ?? overLimitError('traceTransactions').message);
    }
    const touched = [...new Set(cascade.executed.map(({ address }) => address))];
    const before = new Map(touched.map((address) => [address, account(address)]));
    await this.setAccounts(touched.map((address) => [address, cascade.account(address)] as const));
    return buildTrace(encodeRun(cascade.executed, before));
  }

  /** As the network itself sends in a contract's name; older than everything that is sent later. */
  #forged(
    { source, destination, value, bounce, body, init }: InternalMessage,
    flow: number,
  ): MessageUnderWay {
    const { startLt, now } = this.chain.newContext();
    const cell = beginCell()
      .store(
        storeMessage({
          info: {
            ...{
              type: 'internal',
              ihrDisabled: true,
              bounce,
              bounced: false,
              src: source,
              dest: destination,
            },
            ...{ value: { coins: value }, ihrFee: 0n, forwardFee: 0n },
            ...{ createdLt: startLt + BigInt(flow), createdAt: now },
          },
          init: init ?? null,
          body,
        }),
      )
      .endCell();
    const held = readMessageUnderWay(readLightCell(cell.toBoc()), flow);
    if (held === undefined) {
      throw new Error('an internal message was built');
    }
    return held;
  }

  async #fromWallet(address: string, cell: Cell, flow: number): Promise<HeldMessage> {
    const before = this.#shardAccount(address);
    const ground = this.ground();
    const outcome = await ground.emulator.runTransaction({
      ...transactionSurroundings(ground.rules, ground.context, before),
      message: bocOf(cell),
    });
    if (!outcome.success) {
      throw notSentError(`The wallet does not accept this: ${outcome.error}.`);
    }
    const boc = Buffer.from(outcome.transaction, 'base64');
    const [message, ...others] = readTransaction(readLightCell(boc)).outMessages.flatMap(
      (one) => readMessageUnderWay(one, flow) ?? [],
    );
    if (message === undefined || others.length > 0) {
      throw notSentError('The wallet sends nothing: it has too few coins, or refuses.');
    }
    await this.setAccounts([[address, outcome.shardAccount]]);
    const shardAccount = Buffer.from(outcome.shardAccount, 'base64');
    return { message, sender: { address, boc, shardAccount }, before, ground };
  }

  async close(): Promise<void> {
    await this.end();
  }
}

function bocOf(cell: Cell): string {
  return cell.toBoc().toString('base64');
}

function notSentError(message: string): WorkbenchError {
  return new WorkbenchError({ code: 'message-rejected', kind: 'failed', message });
}
