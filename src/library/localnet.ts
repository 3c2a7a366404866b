import { callControl } from '../toolkit/localnet/callControl';
import { startLocalnet as startToolkitLocalnet } from '../toolkit/localnet/startLocalnet';
import { createLog, Redactor } from '../toolkit/base/log';
import type { Access } from './access';
import type { ControlApi } from './apiTypes';
import { toolkitAccess } from './toolkitAccess';

export type { ControlApi } from './apiTypes';

/** One of the wallets that a local network starts with. Worthless by design: its keys are public. */
export interface LocalAccount {
  /** `alice`, `bob` and so on. */
  readonly name: string;
  readonly kind: 'v5r1' | 'v4r2';
  /** Raw, lowercase hex. */
  readonly address: string;
  /** 24 words, no password. */
  readonly mnemonic: string;
  /** 32 bytes, hex. */
  readonly publicKey: string;
  /** 64 bytes, hex. */
  readonly secretKey: string;
}

/** What a local network starts with and how it makes blocks. */
export interface LocalnetOptions {
  /** Port to listen on; default 0: any free one. */
  port?: number | undefined;
  /** The wallets; default: ten with a million TON each. */
  wallets?:
    | {
        /** 24 words each. Anyone who can reach the network can read them. */
        mnemonics?: readonly string[] | undefined;
        count?: number | undefined;
        /** Initial balance of each, in nanocoins. */
        balance?: bigint | undefined;
      }
    | undefined;
  /**
   * When blocks are made: `automatic` (soon after a message, the default), `manual` (only by `control('mine')`), or one
   * every so many milliseconds.
   */
  blocks?: 'automatic' | 'manual' | { readonly everyMs: number } | undefined;
  /** Milliseconds between a message and its block; default 20. */
  blockDelayMs?: number | undefined;
  /** Serves API v2 as the older Python service (2.0) did; by default as the C++ service (2.1) does. */
  classicV2?: boolean | undefined;
  /** Folder for the state; default: in memory only. */
  stateDirectory?: string | undefined;
  /** Start from this state, as returned by `control('dump')`: JSON text. */
  load?: string | undefined;
  /** Continue from a block of another network, whose accounts are read when needed. Nothing is sent there. */
  fork?:
    | { readonly access: Access; /** Masterchain block; default: the newest. */ readonly seqno?: number }
    | undefined;
  /** Receives errors and warnings and, at `info`, what contracts print. */
  log?: ((level: 'trace' | 'debug' | 'info' | 'warn' | 'error', line: string) => void) | undefined;
}

/** A running local network. */
export interface Localnet {
  /** Base URL of API v2, without a trailing slash; JSON-RPC is at `${v2}/jsonRPC`. */
  readonly v2: string;
  /** Base URL of API v3, without a trailing slash. */
  readonly v3: string;
  readonly port: number;
  /** The funded wallets. */
  readonly accounts: readonly LocalAccount[];
  /**
   * A command of the control API, such as `faucet`, `deploy`, `mine`, `snapshot`, `restore`, or `status`.
   * Amounts are nanocoins in decimal text, cells BoCs in base64 or hex. docs/local-network.md describes them.
   * @throws WorkbenchError `localnet-refused` (input)
   */
  control<Name extends keyof ControlApi>(
    command: Name,
    parameters?: ControlApi[Name]['parameters'],
  ): Promise<ControlApi[Name]['result']>;
  /** Stops the network and its thread; a state folder keeps everything. */
  close(): Promise<void>;
}

/**
 * Starts a local TON network in a worker thread, with the same HTTP APIs as the public networks, on
 * 127.0.0.1.
 *
 * @throws WorkbenchError `localnet-port-taken`, `localnet-state-in-use`, `localnet-dump-invalid`; with
 * `fork`, also the errors of reading that network
 * @example
 * ```ts
 * import { startLocalnet } from 'ton-workbench/localnet';
 *
 * const net = await startLocalnet({ port: 0 });
 * const [alice] = net.accounts;
 * await net.control('faucet', { address: alice.address, amount: '1000000000' });
 * await net.close();
 * ```
 */
export async function startLocalnet(options: LocalnetOptions = {}): Promise<Localnet> {
  const { blocks = 'automatic', fork, log = () => undefined } = options;
  const net = await startToolkitLocalnet({
    port: options.port ?? 0,
    wallets: options.wallets,
    blockDelayMs: options.blockDelayMs,
    stateDirectory: options.stateDirectory,
    load: options.load,
    isClassicV2: options.classicV2,
    mode:
      blocks === 'automatic'
        ? undefined
        : blocks === 'manual'
          ? { kind: 'manual' }
          : { kind: 'interval', every: Math.max(10, blocks.everyMs) },
    fork: fork === undefined ? undefined : { access: toolkitAccess(fork.access), seqno: fork.seqno },
    log: createLog(log, new Redactor()),
  });
  const { v2, v3, port, accounts } = net;
  return {
    v2,
    v3,
    port,
    accounts,
    control: (command, parameters) => callControl(net.control, command, parameters ?? {}),
    close: () => net.close(),
  };
}
