import type { DeployedCode } from '../contracts/abi/contractDescription';
import type { Priority } from '../access/limiter';
import { networkKey } from '../access/network';
import type { Network } from '../access/network';
import { parseAddressInput } from '../address/parseAddressInput';
import { systemClock } from '../base/time';
import type { Clock } from '../base/time';
import { readDeployedCode } from './readDeployedCode';
import type { CodeAccess } from './readDeployedCode';

/** Code rarely changes, and never while a question is being asked. */
const keptMs = 10_000;

interface KeptCode {
  until: number;
  code: Promise<DeployedCode>;
  /** Requested in the background and not answered yet; a user's request does not wait for that. */
  isSlow: boolean;
}

/**
 * Caches codes of contracts. Each is requested at most once in ten seconds, however many callers there are,
 * so no caller's signal can cancel the request for the others. Failures are not cached.
 */
export class DeployedCodeCache {
  readonly #kept = new Map<string, KeptCode>();
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#clock = clock;
  }

  /**
   * @param address in any form
   * @param priority of the request, if one is needed
   * @throws WorkbenchError `address-…` (input), or the errors of access
   */
  async read(access: CodeAccess, address: string, priority: Priority): Promise<DeployedCode> {
    const raw = parseAddressInput(address).toRawString();
    const key = `${networkKey(access.network)} ${raw}`;
    const now = this.#clock.now();
    for (const [other, { until }] of this.#kept) {
      if (until < now) {
        this.#kept.delete(other);
      }
    }
    const known = this.#kept.get(key);
    if (known !== undefined && (!known.isSlow || priority === 'background')) {
      return known.code;
    }
    const entry: KeptCode = {
      until: now + keptMs,
      code: readDeployedCode(access, raw, { priority }),
      isSlow: priority === 'background',
    };
    this.#kept.set(key, entry);
    entry.code.then(
      () => (entry.isSlow = false),
      () => this.#kept.get(key) === entry && this.#kept.delete(key),
    );
    return entry.code;
  }

  /**
   * The next reader requests the code again.
   * @param address raw
   */
  forget(network: Network, address: string): void {
    this.#kept.delete(`${networkKey(network)} ${address}`);
  }
}
