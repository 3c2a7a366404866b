import type { DryRun, QueuedMessage } from '../../execution/queuedMessage';
import { transactionSurroundings } from '../../execution/transactionSurroundings';
import type { BlockContext } from '../../execution/transactionSurroundings';
import type { BlockNetwork } from './chainWorld';
import { rejection } from './rejection';
import { noAccount } from './noAccount';
import { RejectedMessageError } from './rejectedMessageError';

/**
 * Runs an external message on its account's current state without storing anything, like a lite server before it
 * passes a message on. Throws {@link RejectedMessageError} if the contract does not accept it.
 */
export async function tryMessage(
  network: BlockNetwork,
  context: BlockContext,
  { boc, destination }: QueuedMessage,
): Promise<DryRun> {
  const account = network.ledger.accounts.get(destination);
  if (account === undefined || account.facts.status === 'nonexist') {
    throw new RejectedMessageError(`Failed to unpack account state: ${noAccount(boc, destination)}`);
  }
  const surroundings = transactionSurroundings(network, context, account.current);
  const outcome = await network.emulator.runTransaction({ ...surroundings, message: boc });
  if (!outcome.success) {
    throw rejection(destination, outcome);
  }
  return { context, shardAccount: surroundings.shardAccount, outcome };
}
