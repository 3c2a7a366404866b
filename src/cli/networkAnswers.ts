import * as z from 'zod';
import type { NetworkProbe } from '../toolkit/access/probeNetwork';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import type { LocalAccount } from '../toolkit/accounts/localAccount';
import type { LocalnetStatus } from '../toolkit/localnet/control/localnetStatus';
import type { ForkStatus } from '../toolkit/localnet/records/blockInput';

/** The schema of what `networks --json` prints: one document for each network. */
export const networkAnswerSchema = z
  .strictObject({
    name: z.string(),
    kind: z.string(),
    identity: z.enum(['mainnet', 'testnet', 'other']).nullable().describe('By its own answer.'),
    apis: z.array(
      z.strictObject({
        api: z.enum(['v2', 'v3']),
        url: z.string(),
        answers: z.boolean(),
        version: z.string().nullable(),
        seqno: jsonFacts.seqno.nullable(),
        elapsedMs: jsonFacts.milliseconds,
        error: jsonFacts.error.optional(),
      }),
    ),
  })
  .meta({ title: 'A network' });

/** A network that was asked. */
export function networkAnswer({
  network,
  apis,
  identity,
}: NetworkProbe): z.infer<typeof networkAnswerSchema> {
  return {
    name: network.name,
    kind: network.kind,
    identity: identity ?? null,
    apis: apis.map(({ api, url, version, seqno, elapsedMs, error }) => ({
      api,
      url,
      answers: error === undefined,
      version: version ?? null,
      seqno: seqno ?? null,
      elapsedMs: Math.round(elapsedMs),
      ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    })),
  };
}

const walletShape = { name: z.string(), address: jsonFacts.account, kind: z.enum(['v5r1', 'v4r2']) };

const forkShape = { network: z.string(), seqno: jsonFacts.seqno };

/** The schema of what `localnet --json` prints when it is ready. */
export const localnetAnswerSchema = z
  .strictObject({
    v2: z.string(),
    v3: z.string(),
    fork: z.strictObject({ ...forkShape, url: z.string(), genUtime: jsonFacts.unixTime }).optional(),
    accounts: z.array(
      z.strictObject({
        ...walletShape,
        mnemonic: z.string(),
        publicKey: z.string(),
        secretKey: z.string(),
      }),
    ),
  })
  .meta({ title: 'The local network that runs now' });

/** A local network that is ready. */
export function localnetAnswer(
  { v2, v3, accounts }: { v2: string; v3: string; accounts: readonly LocalAccount[] },
  fork: ForkStatus | undefined,
): z.infer<typeof localnetAnswerSchema> {
  return {
    v2,
    v3,
    ...(fork === undefined
      ? {}
      : { fork: { network: fork.network, url: fork.url, seqno: fork.seqno, genUtime: fork.genUtime } }),
    accounts: accounts.map(({ name, address, kind, mnemonic, publicKey, secretKey }) => ({
      ...{ name, address, kind },
      ...{ mnemonic, publicKey, secretKey },
    })),
  };
}

/** The schema of what `localnet status --json` prints. */
export const localnetStatusSchema = z
  .strictObject({
    v2: z.string().optional(),
    v3: z.string().optional(),
    seqno: jsonFacts.seqno,
    transactions: z.int(),
    ahead: z.number().describe("Seconds that its clock is ahead of the machine's."),
    fork: z.strictObject(forkShape).nullable(),
    contracts: z.array(z.strictObject({ name: z.string(), address: jsonFacts.account })),
    wallets: z.array(z.strictObject(walletShape)),
  })
  .meta({ title: "This folder's local network" });

/** A local network that runs elsewhere. */
export function localnetStatusAnswer(
  { v2, v3 }: { v2?: string | undefined; v3?: string | undefined },
  { seqno, transactions, ahead, fork, names = {} }: LocalnetStatus,
  accounts: readonly LocalAccount[],
): z.infer<typeof localnetStatusSchema> {
  return {
    ...{ v2, v3, seqno, transactions, ahead },
    fork: fork === undefined ? null : { network: fork.network, seqno: fork.seqno },
    contracts: Object.entries(names).map(([address, name]) => ({ name, address })),
    wallets: accounts.map(({ name, address, kind }) => ({ name, address, kind })),
  };
}
