import * as z from 'zod';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import type { JettonGift, SentMessage } from '../toolkit/localnet/control/controlApi';

const sentShape = {
  message: jsonFacts.hash,
  trace: jsonFacts.hash.nullable().describe('Null: no block has been made yet.'),
  failed: z.string().optional().describe('Why the emulator could not execute the message.'),
};

const coinsSchema = z
  .strictObject({ account: jsonFacts.account, coins: jsonFacts.nanocoins, ...sentShape })
  .meta({ title: 'Coins that were given' });

const jettonsSchema = z
  .strictObject({
    account: jsonFacts.account,
    jetton: z.strictObject({
      master: jsonFacts.account,
      symbol: z.string().nullable().describe('Null: it is not on the chain.'),
      decimals: z.int().nullable(),
    }),
    wallet: jsonFacts.account.describe("The account's jetton wallet."),
    form: z.string().describe('The mint message that the minter takes.'),
    asked: jsonFacts.units,
    rose: jsonFacts.units
      .nullable()
      .describe(
        "What the balance by the wallet's get_wallet_data rose by. Null: no block has been made yet.",
      ),
    balance: jsonFacts.units.nullable(),
    ...sentShape,
  })
  .meta({ title: 'Jettons that were given' });

/** The schema of what `faucet --json` prints. */
export const faucetAnswerSchema = z.union([coinsSchema, jettonsSchema]);

/** Coins that were given. @param account raw @param coins nanocoins */
export function coinsAnswer(account: string, coins: bigint, sent: SentMessage): z.infer<typeof coinsSchema> {
  return { account, coins: coins.toString(), ...sent };
}

/** Jettons that were given. */
export function jettonsAnswer({
  jetton: master,
  symbol,
  decimals,
  owner,
  ...others
}: JettonGift): z.infer<typeof jettonsSchema> {
  return { account: owner, jetton: { master, symbol, decimals }, ...others };
}
