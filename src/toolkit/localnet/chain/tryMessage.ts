import type { BlockContext, BlockNetwork, DryRun, QueuedMessage } from './blockBuilder';
import { rejection } from './rejection';
import { noAccount } from './noAccount';
import { RejectedMessageError } from './rejectedMessageError';

/**
 * Runs an external message on its account's present state without storing anything, as a lite server does before it passes
 * a message on. Throws {@link RejectedMessageError} when the contract does not accept it.
 */
export async function tryMessage(
  { ledger, emulator, config, libraries }: BlockNetwork,
  context: BlockContext,
  { boc, destination }: QueuedMessage,
): Promise<DryRun> {
  const account = ledger.accounts.get(destination);
  if (account === undefined || account.facts.status === 'nonexist') {
    throw new RejectedMessageError(`Failed to unpack account state: ${noAccount(boc, destination)}`);
  }
  const run = {
    config: config.base64,
    libraries,
    shardAccount: account.current,
    message: boc,
    now: context.now,
    lt: context.startLt + 1n,
    seed: context.seed,
  };
  const outcome = await emulator.runTransaction(run);
  if (!outcome.success) {
    throw rejection(destination, outcome);
  }
  return { context, shardAccount: run.shardAccount, outcome };
}
