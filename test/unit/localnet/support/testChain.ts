import assert from 'node:assert/strict';
import type { Cell, MessageRelaxed, StateInit } from '@ton/core';
import { beginCell, external, internal, SendMode, storeMessage } from '@ton/core';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { defaultNetworkConfig } from '../../../../src/toolkit/execution/emulator/networkConfig';
import { createSandboxEmulator } from '../../../../src/toolkit/execution/emulator/createSandboxEmulator';
import { namedAccounts } from '../../../../src/toolkit/localnet/accounts/namedAccounts';
import type { LocalChainOptions } from '../../../../src/toolkit/localnet/chain/chainState';
import { LocalChain } from '../../../../src/toolkit/localnet/chain/localChain';
import type { BlockRecord } from '../../../../src/toolkit/localnet/records/records';
import { silentLog } from '../../../../src/toolkit/base/log';
import type { Clock } from '../../../../src/toolkit/base/time';
import { systemClock } from '../../../../src/toolkit/base/time';

const config = defaultNetworkConfig();
const emulator = createSandboxEmulator();

/** A clock that stands still until it is told to move. */
export class ManualClock implements Clock {
  milliseconds = 1_800_000_000_000;
  now = (): number => this.milliseconds;
  monotonic = (): number => this.milliseconds;
  after = systemClock.after;
  sleep = (): Promise<void> => Promise.resolve();
}

/** A chain whose blocks are made by `mine()` alone. */
export async function testChain(options: Partial<LocalChainOptions> = {}): Promise<LocalChain> {
  return LocalChain.begin({
    emulator: await emulator,
    config,
    clock: new ManualClock(),
    log: silentLog,
    mode: { kind: 'manual' },
    ...options,
  });
}

/** The raw address of a named account. */
export function addressOf(name: string): string {
  const found = namedAccounts.find((account) => account.name === name);
  assert.ok(found, name);
  return found.address;
}

export interface TransferOptions {
  seqno: number;
  to: string;
  value: bigint;
  body?: Cell | string;
  init?: StateInit;
  bounce?: boolean;
  sendMode?: SendMode;
}

/** A signed external message (BoC) of a named wallet. */
export function transfer(name: string, options: TransferOptions): Buffer {
  const account = namedAccounts.find((candidate) => candidate.name === name);
  if (account === undefined) {
    throw new Error(`no account ${name}`);
  }
  const publicKey = Buffer.from(account.publicKey, 'hex');
  const { seqno, to, value, body, init, bounce = false, sendMode = SendMode.PAY_GAS_SEPARATELY } = options;
  const messages: MessageRelaxed[] = [
    internal({ to, value, bounce, body: body ?? null, init: init ?? null }),
  ];
  const secretKey = Buffer.from(account.secretKey, 'hex');
  const args = { seqno, secretKey, messages, sendMode, timeout: 2_000_000_000 };
  if (account.kind === 'v5r1') {
    const wallet = WalletContractV5R1.create({ publicKey });
    return externalBoc(wallet.address.toRawString(), wallet.createTransfer(args));
  }
  const wallet = WalletContractV4.create({ workchain: 0, publicKey });
  return externalBoc(wallet.address.toRawString(), wallet.createTransfer(args));
}

/** An external message (BoC) with this body. */
export function externalBoc(to: string, body: Cell, init?: StateInit): Buffer {
  const message = external({ to, body, ...(init === undefined ? {} : { init }) });
  return beginCell().store(storeMessage(message)).endCell().toBoc();
}

/** Submits all, then makes one block. */
export async function mineWith(chain: LocalChain, ...messages: Buffer[]): Promise<BlockRecord> {
  for (const message of messages) {
    await chain.submit(message);
  }
  return chain.mine();
}

/** The root of the names, as the configuration has it. */
export function rootResolver({ config }: LocalChain): string {
  const hash = config.parameters.get(4)?.beginParse().loadBuffer(32);
  return `-1:${hash?.toString('hex')}`;
}
