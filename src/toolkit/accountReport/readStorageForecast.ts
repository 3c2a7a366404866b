import type { Access } from '../access/createAccess';
import { createAccountSource } from '../accounts/createAccountSource';
import { WorkbenchError } from '../base/errors';
import { importNetworkConfig } from '../execution/emulator/networkConfig';
import { networkClock } from '../localnet/networkClock';
import type { StorageForecast } from './storageForecast';
import { forecastStorage } from './storageForecast';
import type { StorageRules } from './storageRules';
import { readStorageRules } from './storageRules';
import { readStorageState } from './storageState';

/** An account and the rules of its network, as read at one moment. */
export interface StorageBasis {
  /** ShardAccount, BoC in base64. */
  shardAccount: string;
  rules: StorageRules;
  /** Unix seconds by the network's clock. */
  time: number;
  doubts: readonly string[];
}

/** The first version of the rules (parameter 8) that storage fees are forecast for. */
const firstVersion = 10;

/**
 * Reads what an account's storage fees depend on: its exact state, the configuration, and the network's clock.
 *
 * @param raw address `wc:hex`, lowercase
 * @throws WorkbenchError `config-unreadable` (service), and the access layer's errors
 */
export async function readStorageBasis(
  access: Access,
  raw: string,
  signal?: AbortSignal,
): Promise<StorageBasis> {
  const source = await createAccountSource({ access, signal });
  const [{ shardAccount, fidelity }, config, clock] = await Promise.all([
    source.account(raw, signal),
    source.config(signal),
    networkClock(access.network, signal),
  ]);
  if (config === undefined) {
    throw configMissingError(source.origin);
  }
  const workchain = Number(raw.slice(0, raw.indexOf(':')));
  const rules = readStorageRules(importNetworkConfig(config, source.origin), workchain);
  return {
    shardAccount,
    rules,
    time: Math.max(Math.floor(clock.now() / 1000), source.genUtime),
    doubts: [
      ...(fidelity === 'partial'
        ? ['The service does not return full account cells, so a debt is unknown, and taken to be none.']
        : []),
      ...(rules.version < firstVersion
        ? [
            `The network runs version ${rules.version} of the rules; this forecast is by those of version ${firstVersion}.`,
          ]
        : []),
    ],
  };
}

/**
 * The forecast for an account; undefined if it does not exist.
 *
 * @param shardAccount another state of it, BoC in base64
 */
export function storageForecastOf(
  { rules, time, doubts, shardAccount: current }: StorageBasis,
  shardAccount = current,
): StorageForecast | undefined {
  const state = readStorageState(shardAccount);
  return state && forecastStorage(rules, state, time, doubts);
}

function configMissingError(network: string): WorkbenchError {
  return new WorkbenchError({
    code: 'config-unreadable',
    kind: 'service',
    message: `${network} does not return its configuration, so the prices of storage are unknown.`,
    hint: 'Use a service with API v2 and getConfigAll.',
  });
}
