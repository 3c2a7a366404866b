import * as z from 'zod';
import { canonicalHash } from '../address/canonicalAddress';
import { WorkbenchError } from '../base/errors';
import { jsonFacts } from '../base/jsonFacts';
import type { AccountReport } from './readAccountReport';

/** The schema of an account for programs. */
export const accountSchema = z.strictObject({
  address: jsonFacts.account,
  friendly: z.string(),
  network: z.string(),
  state: z.string(),
  balance: jsonFacts.nanocoins.nullable(),
  domain: z.string().nullable(),
  interfaces: z.array(z.string()),
  methods: z.array(z.strictObject({ id: z.int(), name: z.string().nullable() })),
  codeHash: jsonFacts.hash.nullable(),
  dataHash: jsonFacts.hash.nullable(),
  lastTransaction: z
    .strictObject({ hash: jsonFacts.hash.nullable(), lt: jsonFacts.logicalTime.nullable() })
    .nullable(),
  wallet: z
    .strictObject({
      type: z.string().optional(),
      seqno: z.int().optional(),
      id: z.int().optional(),
      isSignatureAllowed: z.boolean().optional(),
    })
    .nullable(),
  jetton: z
    .strictObject({
      master: jsonFacts.account,
      owner: jsonFacts.account.nullable().describe('Null for the master itself.'),
      balance: jsonFacts.units.nullable(),
      symbol: z.string().nullable(),
      decimals: z.int().nullable(),
    })
    .nullable()
    .describe('The jetton that it is a wallet or the master of.'),
  jettons: z
    .array(
      z.strictObject({
        symbol: z.string().optional(),
        decimals: z.int().nullable(),
        balance: jsonFacts.units.nullable(),
        master: jsonFacts.account.optional(),
        isScam: z.boolean(),
      }),
    )
    .nullable()
    .describe('The jettons that it holds; null if that is not known.'),
});

/**
 * An account as JSON for programs: amounts as decimal text, unknown facts as null.
 *
 * @param methodName the name of a method id, if it is known
 */
export function accountJson(
  facts: AccountReport,
  methodName: (id: number) => string | undefined,
): z.infer<typeof accountSchema> {
  const { wallet, jettons, ownJetton } = facts;
  return {
    address: facts.raw,
    friendly: facts.friendly,
    network: facts.network,
    state: facts.state,
    balance: facts.balance?.toString() ?? null,
    domain: facts.domain ?? null,
    interfaces: [...facts.interfaces],
    methods: facts.methodIds.map((id) => ({ id, name: methodName(id) ?? null })),
    codeHash: hashOf(facts.codeHash),
    dataHash: hashOf(facts.dataHash),
    lastTransaction:
      facts.lastHash === undefined
        ? null
        : { hash: hashOf(facts.lastHash), lt: facts.lastLt?.toString() ?? null },
    wallet: wallet === undefined || WorkbenchError.is(wallet) ? null : { ...wallet },
    jetton:
      ownJetton === undefined
        ? null
        : {
            master: ownJetton.master,
            owner: ownJetton.wallet?.owner ?? null,
            balance: ownJetton.wallet?.balance?.toString() ?? null,
            symbol: ownJetton.unit?.symbol ?? null,
            decimals: ownJetton.unit?.decimals ?? null,
          },
    jettons:
      jettons === undefined || jettons === 'unknown' || WorkbenchError.is(jettons)
        ? null
        : jettons.rows.map((row) => ({
            ...row,
            decimals: row.decimals ?? null,
            balance: row.balance?.toString() ?? null,
          })),
  };
}

/** API v2 writes hashes in base64. */
function hashOf(text: string | undefined): string | null {
  return (text === undefined ? undefined : canonicalHash(text)) ?? null;
}
