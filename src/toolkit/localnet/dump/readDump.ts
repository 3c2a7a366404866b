import { Cell, loadShardAccount } from '@ton/core';
import type * as z from 'zod';
import { readLightCell } from '../../cell/light/lightCell';
import { readAccount, readMessage } from '../../cell/light/readMessage';
import { loadFolded } from '../../cell/loadFolded';
import { readBoc as readCheckedBoc } from '../../cell/readBoc';
import { checkShape } from '../../base/checkShape';
import type { Emulator } from '../../execution/emulator/emulator';
import { importNetworkConfig } from '../../execution/emulator/networkConfig';
import { WorkbenchError } from '../../base/errors';
import { WorkBudget, limits, overLimitError } from '../../base/limits';
import { mapInTurns } from '../../base/turns';
import { accountNames } from '../../accounts/localAccount';
import { deriveAccounts } from '../accounts/deriveAccounts';
import { namedAccounts } from '../accounts/namedAccounts';
import type { LoadedState } from '../chain/chainState';
import { tryConfig } from '../chain/tryConfig';
import type { AccountChange, ChainSettings } from '../records/blockInput';
import type { FailedMessage } from '../records/records';
import type { StateDump } from './writeDump';
import { dumpFormat, dumpInvalidError, dumpVersion, dumpVersionError, stateDumpSchema } from './writeDump';

/**
 * Validates a dump for loading. Nothing is trusted: each account is parsed completely, the configuration is tried on
 * the engine, keys are derived from their mnemonics.
 * @param value the result of JSON.parse
 * @throws WorkbenchError `localnet-dump-invalid`, `localnet-dump-version` (input), `over-limit`
 */
export async function readDump(value: unknown, emulator: Emulator): Promise<LoadedState> {
  const dump = await checkForm(value);
  const { seqno, time: genUtime } = dump;
  const endLt = BigInt(dump.lt);
  const cells = new WorkBudget('dumpCells');
  const config = await part('config', async () => {
    const { boc, ...given } = dump.config;
    const imported = importNetworkConfig(boc, given.origin);
    await tryConfig(emulator, imported);
    return { boc: imported.base64, ...given };
  });
  const libraries = await Promise.all(
    dump.libraries.map((boc, index) =>
      part(`libraries[${index}]`, () => {
        cells.spend(readCheckedBoc(Buffer.from(boc, 'base64')).cellCount);
        return Cell.fromBase64(boc).toBoc().toString('base64');
      }),
    ),
  );
  const genesis = await part('wallets', () => readWallets(dump));
  const changes = await mapInTurns(
    dump.accounts.flatMap(({ address, boc }, index) => (boc === undefined ? [] : [{ address, boc, index }])),
    ({ address, boc, index }) => part(`accounts[${index}]`, () => readState(address, boc, endLt, cells)),
  );
  const failed = await mapInTurns([...dump.failed.entries()], ([index, message]) =>
    part(`failed[${index}]`, () => readFailed(message, cells)),
  );
  const settings: ChainSettings = {
    timeOffset: 0,
    config,
    libraries: [...new Set(libraries)],
    snapshots: {},
    names: readNames(dump, genesis?.accounts ?? namedAccounts),
    ...(genesis === undefined ? {} : { genesis }),
  };
  return {
    base: { seqno: seqno - 1, genUtime, endLt: endLt - 1n },
    settings,
    block: { genUtime, startLt: endLt - 1n, changes, transactions: [], ...(failed.length > 0 && { failed }) },
  };
}

/**
 * A dump as text.
 * @throws WorkbenchError `localnet-dump-invalid` (input), `over-limit`
 */
export function parseDump(text: string): unknown {
  if (text.length > limits.stateDump.most) {
    throw overLimitError('stateDump');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw dumpInvalidError('it is not JSON', error);
  }
}

/** There can be many accounts, so checking them yields to other work; the rest is checked at once. */
async function checkForm(value: unknown): Promise<StateDump> {
  const head = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (head['format'] !== dumpFormat) {
    throw dumpInvalidError(`its format is not ${JSON.stringify(dumpFormat)}`);
  }
  if (head['version'] !== dumpVersion) {
    throw dumpVersionError(head['version']);
  }
  const given: unknown = head['accounts'];
  const rows: unknown[] | undefined =
    Array.isArray(given) && given.length <= limits.dumpAccounts.most ? given : undefined;
  const rest = checked(stateDumpSchema, rows === undefined ? value : { ...head, accounts: [] });
  const { element } = stateDumpSchema.shape.accounts;
  const accounts = await mapInTurns((rows ?? []).entries(), ([index, row]) =>
    checked(element, row, ['accounts', index]),
  );
  const addresses = accounts.map(({ address }) => address);
  if (new Set(addresses).size < addresses.length) {
    throw dumpInvalidError('an account is listed twice');
  }
  return { ...rest, accounts };
}

/** @param at the value's path in the dump, for the error */
function checked<T>(schema: z.ZodType<T>, value: unknown, at: readonly PropertyKey[] = []): T {
  const { data, problem } = checkShape(schema, value);
  if (problem !== undefined) {
    const place = [...at, problem.path].filter((name) => name !== '').join('.');
    throw dumpInvalidError(`${place || 'it'} ${problem.words}`);
  }
  return data;
}

/** Runs a check; reports a failure with the part's name. */
async function part<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (WorkbenchError.is(error, 'over-limit')) {
      throw error;
    }
    throw dumpInvalidError(`${name}: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

async function readWallets({ wallets }: StateDump): Promise<ChainSettings['genesis']> {
  return (
    wallets && {
      accounts: await deriveAccounts(wallets.mnemonics),
      balance: BigInt(wallets.balance).toString(),
    }
  );
}

function readState(address: string, text: string, endLt: bigint, cells: WorkBudget): AccountChange {
  const shardAccount = Buffer.from(text, 'base64');
  const read = readCheckedBoc(shardAccount);
  cells.spend(read.cellCount);
  if (read.roots.length !== 1) {
    throw new Error('its BoC has more than one root');
  }
  const { lastTransactionLt } = readAccount(readLightCell(shardAccount));
  const { account } = loadFolded(Cell.fromBoc(shardAccount)[0] as Cell, loadShardAccount);
  if (account != null && account.addr.toRawString() !== address) {
    throw new Error(`its BoC is of ${account.addr.toRawString()}`);
  }
  if (lastTransactionLt >= endLt || (account?.storage.lastTransLt ?? 0n) > endLt) {
    throw new Error('its last transaction is after the last block');
  }
  return { address, shardAccount };
}

function readFailed(
  { boc: text, error, ignoreSignatures }: StateDump['failed'][number],
  cells: WorkBudget,
): FailedMessage {
  const boc = Buffer.from(text, 'base64');
  cells.spend(readCheckedBoc(boc).cellCount);
  const cell = readLightCell(boc);
  const { kind, destination } = readMessage(cell);
  if (kind === 'external-out' || destination === null) {
    throw new Error('it is a message without a destination');
  }
  return {
    ...{ hash: cell.hexHash, boc: boc.toString('base64'), destination, error },
    ...(ignoreSignatures === undefined ? {} : { ignoreSignatures }),
  };
}

function readNames(
  { accounts }: StateDump,
  wallets: Parameters<typeof accountNames>[0],
): Readonly<Record<string, string>> {
  const taken = new Set(accountNames(wallets).keys());
  return Object.fromEntries(
    accounts.flatMap(({ address, name }, index): [string, string][] => {
      if (name === undefined) {
        return [];
      }
      if (taken.has(name)) {
        throw dumpInvalidError(`accounts.${index}.name: two accounts are called ${name}`);
      }
      taken.add(name);
      return [[address, name]];
    }),
  );
}
