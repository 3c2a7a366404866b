import type { FailedOutcome } from '../../execution/emulator/emulator';
import type { BlockContext } from '../../execution/cascade';
import { ApiError } from '../api/apiError';
import { BlockBuilder } from '../chain/blockBuilder';
import type { Ledger } from '../chain/ledger';
import type { LocalChain } from '../chain/localChain';
import { previewLedger } from '../chain/previewLedger';
import type { InboundMessage } from '../chain/inboundMessage';
import { rejection } from '../chain/inboundMessage';
import type { AccountChange } from '../records/blockInput';
import type { FailedMessage, TraceRecord } from '../records/records';

/** Maximum transactions; beyond it the trace is returned incomplete. */
const mostTransactions = 1_000;

/** The effects of a message on a separate copy of the chain. */
export interface Emulation {
  /** The trace's accounts beforehand, and its transactions. */
  ledger: Ledger;
  trace: TraceRecord;
  context: BlockContext;
  /** Not all messages could be run. */
  isIncomplete: boolean;
}

/**
 * Runs an external message and its consequences on the chain's current state. Stores nothing.
 * @throws ApiError 500 with the service's words if there is no account, or the contract does not accept the message
 */
export async function emulateMessage(
  chain: LocalChain,
  { boc, hash, facts: { destination } }: InboundMessage,
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
  const touched = new Set(builder.executed.map(({ address }) => address));
  const before = [...touched].flatMap((address) => stateOf(chain, address) ?? []);
  const ledger = previewLedger(context, before, builder.executed);
  const root = ledger.messages(hash)[0]?.consumer;
  if (root == null) {
    throw refusal(destination, builder);
  }
  const { trace } = root;
  return { ledger, trace, context, isIncomplete: trace.pendingMessages > 0 };
}

/** The service's text for an unused address; clients compare it. */
export function accountNotFound(): ApiError {
  return new ApiError(500, 'Failed to fetch account state: Account not found in accounts_dict');
}

/** Copies an account from the chain to the preview, unless it is already there. */
export function adopt(chain: LocalChain, preview: Ledger, address: string): void {
  const state = preview.accounts.has(address) ? undefined : stateOf(chain, address);
  if (state !== undefined) {
    preview.adopt(state);
  }
}

function stateOf({ ledger }: LocalChain, address: string): AccountChange | undefined {
  const current = ledger.accounts.get(address)?.current;
  return current === undefined ? undefined : { address, shardAccount: Buffer.from(current, 'base64') };
}

function refusal(destination: string, { refused, failed }: BlockBuilder): Error {
  const outcome = refused[0]?.outcome ?? failedOutcome(failed[0]);
  const reason =
    outcome === undefined
      ? 'an account that it needs could not be read'
      : rejection(destination, outcome).reason;
  return new ApiError(500, `Failed to emulate trace: ${reason}`);
}

function failedOutcome(failed: FailedMessage | undefined): FailedOutcome | undefined {
  return failed === undefined ? undefined : { success: false, error: failed.error, engineFailed: true };
}
