import { silentLog } from '../../src/toolkit/base/log';
import { systemClock } from '../../src/toolkit/base/time';
import { createSandboxEmulator } from '../../src/toolkit/execution/emulator/createSandboxEmulator';
import { defaultNetworkConfig } from '../../src/toolkit/execution/emulator/networkConfig';
import type { OpenChain } from '../../src/toolkit/localnet/openChain';
import { openChain } from '../../src/toolkit/localnet/openChain';
import { spreadingEmulator } from './spreadingEmulator';

/** A local network whose messages spread, and which makes blocks only when it is told to. */
export async function openSpreadingChain(stateDirectory?: string): Promise<OpenChain> {
  return openChain({
    emulator: spreadingEmulator(await createSandboxEmulator()),
    config: defaultNetworkConfig(),
    clock: systemClock,
    log: silentLog,
    mode: { kind: 'manual' },
    ...(stateDirectory === undefined ? {} : { stateDirectory }),
  });
}
