import { Address, fromNano } from '@ton/core';
import type { V3Transaction } from '../api/v3Objects';
import { loadAnyMessage } from '../cell/loadFolded';
import type { FailedOutcome } from '../execution/emulator/emulator';
import { exitWords, skipReasons } from '../contracts/exitCodes';
import { isSuccessCode } from '../contracts/standardExitCode';
import { shortenMiddle } from '../base/text';
import type { TraceModel, TraceNode } from '../trace/traceModel';
import { counted } from '../trace/figures';
import { hasThrown } from '../trace/outcomeOf';
import { causeOf } from '../trace/verdict';
import type { DestinationState, RefusalReason, RehearsedContract, RehearsedExit } from './preparedSend';
import { balanceReason } from './preparedSend';
import type { SendableMessage } from './sendableMessage';

/** Send modes whose value is not the message's own: 64 carries the rest of the inbound value, 128 the balance. */
const modesWithoutOwnValue = 64 | 128;

/** A message that the emulator could not execute is not rejected. */
export function notRehearsedReason({ error }: { error: string }): RefusalReason {
  return { code: 'emulator-failed', text: lowerFirst(error) };
}

/** What is known about the code of an account (raw address). */
export type ContractOf = (address: string) => RehearsedContract;

/**
 * Why the emulator rejected a message that passed every earlier check.
 *
 * @param account raw address of the destination
 */
export function notAcceptedReason(
  outcome: FailedOutcome,
  balance: bigint,
  account: string,
  contractOf: ContractOf,
): RefusalReason {
  if (outcome.vm === undefined) {
    return balance === 0n
      ? { code: 'balance-too-small', text: 'the account has no coins to pay for the execution' }
      : { code: 'not-executed', text: `the account cannot execute it (balance ${fromNano(balance)})` };
  }
  const { exitCode } = outcome.vm;
  if (isSuccessCode(exitCode)) {
    return { code: 'not-accepted', text: 'the contract finished without accepting the message' };
  }
  const exit = exitOf(exitCode, account, contractOf);
  return { code: 'not-accepted', text: `the contract did not accept it: ${exit.words}`, exit };
}

/**
 * Why an accepted message does not do all it says, by the predicted trace: the failure that the trace's own verdict is
 * about. A wallet that ignores errors succeeds without sending: that counts as a failure, there and here.
 */
export function failureReason(
  model: TraceModel,
  message: SendableMessage,
  before: DestinationState,
  contractOf: ContractOf,
): RefusalReason | undefined {
  const cause = causeOf(model);
  if (cause === undefined) {
    return undefined;
  }
  const [root] = model.nodes;
  const shortage = root === undefined ? undefined : balanceShortage(root.transaction, message, before);
  const reason = shortage ?? reasonOf(cause, contractOf);
  const { account } = cause;
  if (shortage !== undefined || cause === root || account === undefined) {
    return reason;
  }
  const bounced = cause.transaction?.description?.bounce?.type === 'ok' ? ', and its coins come back' : '';
  const text = `${reason.text}${bounced}`;
  return {
    code: 'later-failed',
    text: `${shortenMiddle(Address.parseRaw(account).toString())} fails: ${text}`,
    later: { account, text },
    exit: reason.exit,
  };
}

/** The failure of one transaction, by its phases. */
function reasonOf({ transaction, account = '' }: TraceNode, contractOf: ContractOf): RefusalReason {
  const { compute_ph: compute, action } = transaction?.description ?? {};
  if (compute?.skipped === true) {
    const reason = compute.reason ?? 'the code did not run';
    return { code: 'not-executed', text: skipReasons.get(reason)?.name ?? reason };
  }
  if (hasThrown(transaction) && compute?.exit_code != null) {
    const exit = exitOf(compute.exit_code, account, contractOf);
    return { code: 'compute-failed', text: exit.words, exit };
  }
  if (action?.success === false && action.result_code != null) {
    const words = exitWords(action.result_code, 'action');
    return { code: 'action-failed', text: `result code ${action.result_code} (${words})` };
  }
  const skipped = action?.skipped_actions ?? 0;
  return skipped > 0
    ? {
        code: 'action-failed',
        text: `it leaves out ${skipped} of ${counted(action?.tot_actions ?? skipped, 'action')}`,
      }
    : { code: 'not-executed', text: 'it is aborted' };
}

/** Whether messages were dropped, or the phase failed, for lack of coins. */
function balanceShortage(
  transaction: V3Transaction | undefined,
  { signed }: SendableMessage,
  before: DestinationState,
): RefusalReason | undefined {
  const { compute_ph: compute, action, storage_ph: storage } = transaction?.description ?? {};
  const leftOut = action != null && ((action.skipped_actions ?? 0) > 0 || action.success === false);
  if (!leftOut || signed === undefined) {
    return undefined;
  }
  const wanted = signed.messages.reduce((sum, { mode, message }) => {
    const info = loadAnyMessage(message)?.info;
    return info?.type === 'internal' && (mode & modesWithoutOwnValue) === 0 ? sum + info.value.coins : sum;
  }, 0n);
  const paid = (compute?.gas_fees ?? 0n) + (storage?.storage_fees_collected ?? 0n);
  if (wanted + paid > before.balance) {
    return balanceReason(before.balance, wanted + paid);
  }
  const noFunds = action.no_funds === true || action.result_code === 37 || action.result_code === 40;
  return noFunds
    ? { code: 'balance-too-small', text: 'balance too small to pay for forwarding the messages' }
    : undefined;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function exitOf(code: number, account: string, contractOf: ContractOf): RehearsedExit {
  const { codeHash, interfaces: standards } = contractOf(account);
  const words = `exit code ${code} (${exitWords(code, 'compute', { standards })})`;
  return { account, codeHash, standards, code, words };
}
