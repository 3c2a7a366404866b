import { ApiError } from '../api/apiError';
import { BlockBuilder } from '../chain/blockBuilder';
import type { BlockContext } from '../chain/blockBuilder';
import type { ExternalMessage } from '../chain/externalMessage';
import { Ledger } from '../chain/ledger';
import type { LocalChain } from '../chain/localChain';
import type { TraceRecord } from '../records/records';
import { rejection } from '../chain/rejection';

/** Transactions after which a trace is answered as far as it is known. */
const mostTransactions = 1_000;

/** What a message would do, on a copy of the chain that nothing else knows. */
export interface Emulation {
  /** The accounts of the trace as they were, and its transactions. */
  ledger: Ledger;
  trace: TraceRecord;
  context: BlockContext;
  /** Not all messages could be run. */
  isIncomplete: boolean;
}

/**
 * Runs an external message and all that follows on the chain's present state. Stores nothing.
 * @throws ApiError 500 with the service's words when there is no account, or the contract does not accept the message
 */
export async function emulateMessage(
  chain: LocalChain,
  { boc, hash, facts: { destination } }: ExternalMessage,
  ignoreSignatures: boolean,
): Promise<Emulation> {
  await chain.load(destination);
  const account = chain.ledger.accounts.get(destination);
  if (account === undefined || account.facts.status === 'nonexist') {
    throw accountNotFound();
  }
  const context = chain.newContext();
  const base64 = boc.toString('base64');
  const builder = new BlockBuilder(chain, context);
  const queue = [{ boc: base64, destination, ignoreSignatures }];
  await builder.run(queue, mostTransactions);
  const ledger = copyOf(chain, context, builder);
  const root = ledger.messages(hash)[0]?.consumer;
  if (root == null) {
    throw await refusal(chain, context, { boc: base64, destination, ignoreSignatures });
  }
  const { trace } = root;
  return { ledger, trace, context, isIncomplete: trace.pendingMessages > 0 };
}

/** What the service says of an address that nothing was ever sent to; clients compare it. */
export function accountNotFound(): ApiError {
  return new ApiError(500, 'Failed to fetch account state: Account not found in accounts_dict');
}

/** A ledger with the accounts that were touched, and the block that was not made. */
function copyOf(
  chain: LocalChain,
  { seqno, now, startLt }: BlockContext,
  { executed }: BlockBuilder,
): Ledger {
  const ledger = new Ledger({ seqno: seqno - 1, genUtime: now, endLt: startLt - 1n });
  for (const address of new Set(executed.map((one) => one.address))) {
    adopt(chain, ledger, address);
  }
  ledger.apply({ genUtime: now, startLt, changes: [], transactions: executed });
  return ledger;
}

/** Takes an account into the copy as the chain has it, unless it is there. */
export function adopt({ ledger }: LocalChain, copy: Ledger, address: string): void {
  const account = ledger.accounts.get(address);
  if (account !== undefined && !copy.accounts.has(address)) {
    copy.adopt({ address, shardAccount: Buffer.from(account.current, 'base64') });
  }
}

async function refusal(
  chain: LocalChain,
  { now, startLt, seed }: BlockContext,
  { boc, destination, ignoreSignatures }: { boc: string; destination: string; ignoreSignatures: boolean },
): Promise<Error> {
  const { emulator, config, libraries, ledger } = chain;
  const run = {
    config: config.base64,
    libraries,
    shardAccount: ledger.accounts.get(destination)?.current ?? '',
    message: boc,
    now,
    lt: startLt + 1n,
    seed,
    ignoreSignatures,
  };
  const outcome = await emulator.runTransaction(run);
  if (outcome.success) {
    return new ApiError(500, 'Failed to emulate trace: an account that it needs could not be read');
  }
  const error = rejection(destination, outcome);
  return new ApiError(500, `Failed to emulate trace: ${error.reason}`);
}
