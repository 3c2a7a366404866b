import type { AddressInfo } from 'node:net';
import type { Cell } from '@ton/core';
import { beginCell, storeMessage } from '@ton/core';
import { networkAt } from '../access/resolveNetwork';
import type { Network } from '../access/network';
import { WorkbenchError } from '../base/errors';
import { silentLog } from '../base/log';
import type { Clock } from '../base/time';
import { readTransaction } from '../cell/light/bitCursor';
import { readLightCell } from '../cell/light/lightCell';
import type { ExecutedTransaction } from '../execution/encodeRun';
import { transactionSurroundings } from '../execution/cascade';
import { createSandboxEmulator } from '../execution/emulator/createSandboxEmulator';
import { absentAccount } from '../execution/emulator/emulator';
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

/** A message that was sent and is held back. */
export interface HeldMessage {
  message: MessageUnderWay;
  /** The wallet's transaction that sent it; undefined for one sent in a contract's name. */
  sender: ExecutedTransaction | undefined;
  /** The wallet before: ShardAccount, BoC in base64. */
  before: string | undefined;
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
      ? { message: this.#forged(message, flow), sender: undefined, before: undefined }
      : this.#fromWallet(message.destination.toRawString(), message.cell, flow);
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
    const outcome = await this.chain.emulator.runTransaction({
      ...transactionSurroundings(this.chain, this.chain.newContext(), before),
      message: cell.toBoc().toString('base64'),
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
    return { message, sender: { address, boc, shardAccount }, before };
  }

  async close(): Promise<void> {
    await this.end();
  }
}

function notSentError(message: string): WorkbenchError {
  return new WorkbenchError({ code: 'message-rejected', kind: 'failed', message });
}
