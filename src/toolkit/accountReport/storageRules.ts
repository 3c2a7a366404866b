import type { Cell } from '@ton/core';
import { Dictionary } from '@ton/core';
import { WorkbenchError } from '../base/errors';
import { loadFolded } from '../cell/loadFolded';
import type { NetworkConfig } from '../execution/emulator/networkConfig';

/** What storage costs from a moment on, in one workchain. */
interface StoragePrice {
  /** Unix seconds. */
  since: number;
  /** For 2^16 seconds, nanocoins. */
  bit: bigint;
  /** For 2^16 seconds, nanocoins. */
  cell: bigint;
}

/** What a network's configuration says about storage fees in one workchain. */
export interface StorageRules {
  /** Parameter 18, the oldest first; later ones may lie in the future. */
  prices: readonly StoragePrice[];
  /** Nanocoins: a transaction that leaves an active account a larger debt freezes it (parameter 20 or 21). */
  freezeDueLimit: bigint;
  /** Nanocoins: a transaction that leaves a frozen account a larger debt deletes it. */
  deleteDueLimit: bigint;
  /** Masterchain accounts that pay nothing, raw: those of parameter 31, and the configuration (parameter 0). */
  specialAccounts: ReadonlySet<string>;
  /** Parameter 8: the version of the rules. */
  version: number;
}

/**
 * Reads the parameters about storage fees.
 *
 * @param workchain -1 or 0
 * @throws WorkbenchError `config-unreadable` (service)
 */
export function readStorageRules({ parameters, version }: NetworkConfig, workchain: number): StorageRules {
  const isMasterchain = workchain === -1;
  const read = <T>(id: number, reader: (cell: Cell) => T): T => {
    const cell = parameters.get(id);
    try {
      if (cell === undefined) {
        throw new Error('it is missing');
      }
      return reader(cell);
    } catch (cause) {
      throw configUnreadableError(id, cause);
    }
  };
  return {
    prices: read(18, (cell) => readPrices(cell, isMasterchain)),
    ...read(isMasterchain ? 20 : 21, readDueLimits),
    specialAccounts: new Set([
      ...(parameters.has(0) ? [read(0, (cell) => masterchainAddress(cell.beginParse().loadBuffer(32)))] : []),
      ...(parameters.has(31) ? read(31, readSpecialAccounts) : []),
    ]),
    version,
  };
}

/** block.tlb: `_ (Hashmap 32 StoragePrices) = ConfigParam 18` */
function readPrices(cell: Cell, isMasterchain: boolean): StoragePrice[] {
  const entries = loadFolded(cell, (slice) =>
    slice.loadDictDirect(Dictionary.Keys.Uint(32), {
      serialize: () => undefined,
      parse: (entry) => {
        if (entry.loadUint(8) !== 0xcc) {
          throw new Error('it has an unknown form');
        }
        const since = entry.loadUint(32);
        if (isMasterchain) {
          entry.skip(128);
        }
        return { since, bit: entry.loadUintBig(64), cell: entry.loadUintBig(64) };
      },
    }),
  );
  return [...entries].toSorted(([a], [b]) => a - b).map(([, price]) => price);
}

/** block.tlb: GasLimitsPrices, whose last two fields are the limits. */
function readDueLimits(cell: Cell): Pick<StorageRules, 'freezeDueLimit' | 'deleteDueLimit'> {
  const slice = cell.beginParse();
  let tag = slice.loadUint(8);
  if (tag === 0xd1) {
    tag = slice.skip(128).loadUint(8);
  }
  if (tag !== 0xdd && tag !== 0xde) {
    throw new Error('it has an unknown form');
  }
  // gas_price gas_limit [special_gas_limit] gas_credit block_gas_limit
  slice.skip(tag === 0xde ? 320 : 256);
  return { freezeDueLimit: slice.loadUintBig(64), deleteDueLimit: slice.loadUintBig(64) };
}

/** block.tlb: `_ fundamental_smc_addr:(HashmapE 256 True) = ConfigParam 31` */
function readSpecialAccounts(cell: Cell): string[] {
  const addresses = loadFolded(cell, (slice) =>
    slice.loadDict(Dictionary.Keys.Buffer(32), { serialize: () => undefined, parse: () => true }),
  );
  return addresses.keys().map(masterchainAddress);
}

function masterchainAddress(hash: Buffer): string {
  return `-1:${hash.toString('hex')}`;
}

function configUnreadableError(id: number, cause: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'config-unreadable',
    kind: 'service',
    message: `Parameter ${id} of the network's configuration cannot be read, so its storage fees are unknown.`,
    hint: `To see what the service returns: ton-workbench api v2 getConfigParam config_id=${id}`,
    cause,
  });
}
