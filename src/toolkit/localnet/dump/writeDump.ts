import * as z from 'zod';
import { WorkbenchError } from '../../base/errors';
import { limits, overLimitError } from '../../base/limits';
import { visibleText } from '../../base/text';
import { mapInTurns } from '../../base/turns';
import { latestTime } from '../chain/chainState';
import { wholeAccount } from '../chain/history';
import type { LocalChain } from '../chain/localChain';

/**
 * Dumps the network's current state. Dumps of the same state are equal.
 * @throws WorkbenchError `localnet-dump-fork`, `localnet-dump-busy` (input), `over-limit`
 */
export async function writeDump(chain: LocalChain): Promise<StateDump> {
  if (chain.fork !== undefined) {
    throw dumpOfForkError();
  }
  if (!chain.isIdle) {
    throw dumpBusyError(chain.pending.size + chain.carried);
  }
  const { ledger, settings, config } = chain;
  const { last } = ledger;
  const { names = {}, genesis } = settings;
  const failed = [...ledger.failed.values()].sort((a, b) => compare(a.hash, b.hash));
  // States are immutable, so the ones collected here can be written while blocks are made.
  const states = new Map(
    [...ledger.accounts].map(([address, { versions }]) => [address, versions.at(-1)] as const),
  );
  const addresses = [...new Set([...states.keys(), ...Object.keys(names)])].sort(compare);
  if (addresses.length > limits.dumpAccounts.most) {
    throw overLimitError('dumpAccounts');
  }
  let size = 0;
  const accounts = await mapInTurns(addresses, (address) => {
    const version = states.get(address);
    const boc = version && wholeAccount(ledger, version).toString('base64');
    size += boc?.length ?? 0;
    if (size > limits.stateDump.most) {
      throw overLimitError('stateDump');
    }
    const name = names[address];
    return {
      address,
      ...(name === undefined ? {} : { name }),
      ...(boc === undefined ? {} : { boc }),
    };
  });
  return {
    format: dumpFormat,
    version: dumpVersion,
    seqno: last.seqno,
    time: last.genUtime,
    lt: last.endLt.toString(),
    config: {
      origin: config.origin,
      boc: config.base64,
      ...(settings.config?.set === undefined ? {} : { set: [...settings.config.set] }),
    },
    ...(genesis === undefined
      ? {}
      : {
          wallets: {
            mnemonics: genesis.accounts.map(({ mnemonic }) => mnemonic),
            balance: genesis.balance,
          },
        }),
    libraries: [...settings.libraries].sort(compare),
    accounts,
    failed: failed.map(({ boc, error, ignoreSignatures }) => ({
      boc,
      error,
      ...(ignoreSignatures === true ? { ignoreSignatures } : {}),
    })),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The format name in a dump. */
export const dumpFormat = 'ton-workbench-localnet';

/** The version that is written, and the only one accepted. */
export const dumpVersion = 1;

const boc = z.string().max(limits.bocText.most);
const rawAddress = z.string().regex(/^(?:0|-1):[0-9a-f]{64}$/, 'is not a raw address in lower-case hex');
const name = z
  .string()
  .regex(
    /^[A-Za-z_][\w-]{0,63}$/,
    'may only have letters, digits, _ and -, and cannot start with a digit or -',
  );

/**
 * The state of a local network as a file that another machine can load. BoCs are base64, amounts nanocoins and
 * logical times decimal text, addresses raw. Blocks, transactions, snapshots, and server settings are not included.
 */
export const stateDumpSchema = z.strictObject({
  format: z.literal(dumpFormat),
  version: z.literal(dumpVersion),
  /** Of the last block. */
  seqno: z.int().min(1).max(2_000_000_000),
  /** Time of the last block, Unix seconds; the loading network's clock continues from there. */
  time: z.int().min(0).max(latestTime),
  /** The first logical time after the last block. */
  lt: z.string().regex(/^[1-9]\d{0,17}$/, 'is not a logical time'),
  config: z.strictObject({
    origin: z.string().max(500),
    boc,
    /** Ids of the parameters that were set one by one. */
    set: z.array(z.int32()).max(1_000).optional(),
  }),
  /** The network's initial wallets, if not the usual ten. */
  wallets: z
    .strictObject({
      mnemonics: z.array(z.string().max(500)).min(1).max(100),
      balance: z.string().regex(/^\d{1,30}$/, 'is not an amount in nanocoins'),
    })
    .optional(),
  /** Those added from outside. */
  libraries: z.array(boc).max(limits.dumpLibraries.most),
  /** By address. An entry without a BoC only has a name. */
  accounts: z
    .array(
      z.strictObject({
        address: rawAddress,
        name: name.optional(),
        /** ShardAccount. */
        boc: boc.optional(),
      }),
    )
    .max(limits.dumpAccounts.most),
  /** Messages that the emulator could not execute and that wait with their coins. */
  failed: z
    .array(
      z.strictObject({
        boc,
        error: z.string().max(limits.serviceErrorText.most),
        ignoreSignatures: z.literal(true).optional(),
      }),
    )
    .max(limits.dumpLibraries.most),
});

export type StateDump = z.infer<typeof stateDumpSchema>;

/** @param what the part and its problem; may contain text of the dump */
export function dumpInvalidError(what: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-dump-invalid',
    kind: 'input',
    message: `This state cannot be loaded: ${visibleText(what, 300)}. Nothing was changed.`,
    hint: 'Load an answer of control/dump.',
    ...(cause === undefined ? {} : { cause }),
  });
}

export function dumpVersionError(version: unknown): WorkbenchError {
  const given = visibleText(JSON.stringify(version) ?? 'undefined', 40);
  return new WorkbenchError({
    code: 'localnet-dump-version',
    kind: 'input',
    message: `This state has version ${given}; this TON Workbench reads version ${dumpVersion}. Nothing was changed.`,
    hint: 'Update TON Workbench, or dump the state again with this version.',
  });
}

/** A fork cannot be dumped: most of its state is on the other network. */
export function dumpOfForkError(): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-dump-fork',
    kind: 'input',
    message:
      'A fork reads its accounts from another network when needed, so it does not have the whole state.',
    hint: 'Dump and load on a local network that is not a fork; keep a fork with --state.',
  });
}

/** Pending messages would be lost. */
function dumpBusyError(pending: number): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-dump-busy',
    kind: 'input',
    message: `${pending} messages or changes are waiting for a block and would be missing.`,
    hint: 'Make the blocks first (control/mine), or drop what is waiting (control/dropPending).',
  });
}
