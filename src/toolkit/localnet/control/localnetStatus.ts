import { readLightCell } from '../../cell/light/lightCell';
import { readMessage } from '../../cell/light/readMessage';
import { engineVersion } from '../../execution/emulator/emulator';
import type { NetworkConfig } from '../../execution/emulator/networkConfig';
import { configWords } from '../chain/configWords';
import type { LocalChain } from '../chain/localChain';
import type { Faults } from '../faults/faults';
import { noFaults } from '../faults/faults';
import type { BlockMode, ForkStatus } from '../records/blockInput';
import type { FailedMessage } from '../records/records';

/** `restarting`: the worker crashed and a new one is loading its state. */
export type LocalnetState = 'running' | 'restarting' | 'closed' | 'failed';

/** A message that the emulator could not execute. */
export interface FailedMessageStatus {
  /** Lowercase hex. */
  hash: string;
  /** Raw, lowercase hex; null for an external message. */
  source: string | null;
  destination: string;
  /** Nanocoins that wait with it; null for an external message. */
  value: string | null;
  /** The emulator's reason, for people. */
  error: string;
}

export interface LocalnetStatus {
  state: LocalnetState;
  /** Hash of the first block, lowercase hex; identifies the history. */
  chain: string;
  /** How many times this process has gone back to an earlier block, started over, or loaded a state. */
  turns: number;
  /** Last masterchain seqno. */
  seqno: number;
  /** Messages waiting for a block: accepted external ones, and internal ones on their way. */
  pending: number;
  /** Nothing is left to do: no pending messages or changes, and no block in progress. */
  idle: boolean;
  /** Messages that the emulator could not execute. They keep their coins and wait to be retried or dropped. */
  failed: readonly FailedMessageStatus[];
  /** Tick-tock accounts that the emulator could not call in the last block. */
  failedCalls?: readonly { address: string; which: 'tick' | 'tock'; error: string }[] | undefined;
  transactions: number;
  /** Seconds that the network's clock is ahead of the machine's. */
  ahead: number;
  /** How blocks are made. */
  mode: BlockMode;
  /** The active configuration, and the running emulator. */
  configOrigin: string;
  emulator: string;
  /** Names given to contracts when they were deployed: by raw address, lowercase hex. */
  names?: Readonly<Record<string, string>> | undefined;
  /** Problems of the saved state, as text: damage found at startup, or a failing disk. */
  stateProblems?: readonly string[] | undefined;
  /** The faults that it injects into its answers; undefined: none. */
  faults?: Faults | undefined;
  /** Of a fork: its origin, and how much has been read. */
  fork?: ForkStatus | undefined;
}

/** The status of a network that injects these faults. */
export function chainStatus(chain: LocalChain, faults: Faults = noFaults): LocalnetStatus {
  const { commit, date } = chain.emulator.version;
  return {
    state: 'running',
    chain: chain.ledger.block(chain.ledger.firstSeqno)?.master.rootHash ?? '',
    turns: chain.turns,
    seqno: chain.ledger.last.seqno,
    pending: chain.pending.size + chain.carried,
    idle: chain.isIdle,
    failed: [...chain.ledger.failed.values()].map(describeFailed),
    ...(chain.failures.calls.length === 0 ? {} : { failedCalls: chain.failures.calls }),
    transactions: chain.ledger.transactions.length,
    ahead: chain.ahead,
    mode: chain.mode,
    configOrigin: configWords(chain),
    names: chain.settings.names ?? {},
    emulator: `@ton/sandbox, TON ${commit.slice(0, 8)} of ${date}${otherVersion(chain.config)}`,
    ...(chain.stateProblems.length === 0 ? {} : { stateProblems: chain.stateProblems }),
    ...(faults === noFaults ? {} : { faults }),
    ...(chain.fork === undefined ? {} : { fork: chain.fork.status() }),
  };
}

/** A fork, or an adopted configuration, may be of a newer network than the engine. */
function otherVersion({ version }: NetworkConfig): string {
  return version > engineVersion
    ? `; it runs version ${engineVersion} of TVM and rules, the configuration is of version ${version}: rehearsals and replays say where this matters`
    : '';
}

function describeFailed({ hash, boc, destination, error }: FailedMessage): FailedMessageStatus {
  const { kind, source, value } = readMessage(readLightCell(Buffer.from(boc, 'base64')));
  return {
    hash,
    source,
    destination,
    value: kind === 'internal' ? value.toString() : null,
    error,
  };
}
