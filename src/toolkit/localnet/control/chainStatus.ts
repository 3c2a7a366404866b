import { configWords } from '../chain/configWords';
import type { LocalChain } from '../chain/localChain';
import { readLightCell } from '../../cell/light/readLightCell';
import { noFaults } from '../faults/faults';
import type { Faults } from '../faults/faults';
import type { FailedMessage } from '../records/failedMessage';
import { readMessage } from '../../cell/light/readMessage';
import type { FailedMessageStatus, LocalnetStatus } from './localnetStatus';

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
    emulator: `@ton/sandbox, TON ${commit.slice(0, 8)} of ${date}`,
    ...(chain.stateProblems.length === 0 ? {} : { stateProblems: chain.stateProblems }),
    ...(faults === noFaults ? {} : { faults }),
    ...(chain.fork === undefined ? {} : { fork: chain.fork.status() }),
  };
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
