import * as z from 'zod';
import { limits } from '../../limits';
import { latestTime } from '../chain/chainState';

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
