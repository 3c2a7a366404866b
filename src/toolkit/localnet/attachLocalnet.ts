import { Listeners } from '../base/numberWidths';
import { silentLog } from '../base/log';
import type { Log } from '../base/log';
import { systemClock } from '../base/time';
import type { Clock } from '../base/time';
import { callControl } from './callControl';
import type { Localnet } from './localnet';
import type { LocalnetStatus } from './control/localnetStatus';

/** Polling interval for an attached network's status, in milliseconds. */
const intervalMs = 500;

/**
 * A local network run by another process, for example by a second window of the same workspace. Closing it only
 * detaches. If the network ends, the status becomes `failed`.
 * @throws WorkbenchError `localnet-unreachable` (network) if nothing answers on that port
 */
export async function attachLocalnet(
  port: number,
  { log = silentLog, clock = systemClock }: { log?: Log; clock?: Clock } = {},
): Promise<Localnet> {
  const origin = `http://127.0.0.1:${port}`;
  const control = `${origin}/control`;
  const accounts = await callControl(control, 'accounts', {});
  let status = await callControl(control, 'status', {});
  const listeners = new Listeners<LocalnetStatus>();
  const controller = new AbortController();
  const tell = (now: LocalnetStatus): void => {
    const changed = JSON.stringify(now) !== JSON.stringify(status);
    status = now;
    if (changed) {
      listeners.tell(now);
    }
  };
  const poll = async (): Promise<void> => {
    while (!controller.signal.aborted) {
      await clock.sleep(intervalMs, controller.signal);
      tell(await callControl(control, 'status', {}, controller.signal));
    }
  };
  poll().catch((error: unknown) => {
    if (!controller.signal.aborted) {
      log.warn(`the local network in another window has ended: ${String(error)}`);
      tell({ ...status, state: 'failed' });
    }
  });
  return {
    v2: `${origin}/api/v2`,
    v3: `${origin}/api/v3`,
    control,
    port,
    portChanged: false,
    accounts,
    status: () => status,
    onStatus: (listener) => listeners.add(listener),
    close: () => {
      controller.abort();
      return Promise.resolve();
    },
  };
}
