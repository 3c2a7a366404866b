import { WorkbenchError } from '../../errors';
import { latestTime } from '../chain/chainState';
import type { LocalChain } from '../chain/localChain';
import type { NetworkTime } from './controlApi';
import type { ControlParametersOf } from './controlCommand';

/** Beyond this, wallets reject messages dated by the machine's clock. */
const usualValidity = 60;

/**
 * Moves the network's clock: by `seconds`, to the exact time `at` (Unix seconds), or without either back to the
 * machine's time.
 * @throws WorkbenchError `localnet-time-out-of-range` (input) beyond 32 bits, and before the last block
 */
export function setTime(chain: LocalChain, parameters: ControlParametersOf<'time'>): NetworkTime {
  const seconds = parameters.optionalSeconds('seconds', latestTime);
  const at = parameters.optionalNumber('at', 0, Number.MAX_SAFE_INTEGER);
  const wall = chain.now() - chain.ahead;
  const wanted = Math.floor(at ?? (seconds === undefined ? wall : chain.now() + seconds));
  const { ledger } = chain;
  if (wanted > latestTime) {
    throw outOfRange(wanted, `The latest possible block time is ${latestTime} (32 bits).`);
  }
  if (wanted < ledger.lastUtime) {
    const earlier = ledger.blocks.findLast(({ genUtime }) => genUtime <= wanted);
    const way = earlier === undefined ? 'control/reset' : `control/restore to block ${earlier.seqno}`;
    throw outOfRange(
      wanted,
      `Block ${ledger.last.seqno} is at ${ledger.lastUtime}, and time never goes back. First ${way}.`,
    );
  }
  chain.configure({ timeOffset: wanted - wall });
  return networkTime(chain);
}

/** A network's time, and its consequences. */
export function networkTime(chain: LocalChain): NetworkTime {
  const { ahead } = chain;
  const note =
    ahead > usualValidity
      ? `Wallets refuse messages whose valid_until is based on this machine's clock, which is ${ahead} s behind ` +
        '(exit code 35, 36 or 136). Base it on the time of the last block, or move the clock back with control/time.'
      : undefined;
  return { now: chain.now(), ahead, ...(note === undefined ? {} : { note }) };
}

function outOfRange(wanted: number, hint: string): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-time-out-of-range',
    kind: 'input',
    message: `The network's clock cannot be set to ${wanted}. ${hint}`,
    hint,
    details: { wanted },
  });
}
