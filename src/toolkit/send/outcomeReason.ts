import { Address, fromNano } from '@ton/core';
import type { Transaction, TransactionDescriptionGeneric } from '@ton/core';
import type { FailedOutcome } from '../emulator/emulator';
import { exitWords, skipReasons } from '../exitCodes';
import { isSuccessCode } from '../isSuccessCode';
import { loadAnyMessage } from '../cell/loadAnyMessage';
import type { DestinationState } from './destinationState';
import { balanceReason } from './refusalReason';
import type { RefusalReason, RehearsedExit } from './refusalReason';
import type { RehearsedContract } from './rehearsedContract';
import type { SendableMessage } from './sendableMessage';
import { shortenMiddle } from '../text';

/** Send modes whose value is not the message's own: 64 carries the rest of the inbound value, 128 the balance. */
const modesWithoutOwnValue = 64 | 128;

/** A message that the emulator could not execute is not rejected. */
export function notRehearsedReason({ error }: { error: string }): RefusalReason {
  return { code: 'emulator-failed', text: lowerFirst(error) };
}

/** A transaction and its account: the transaction itself does not contain the workchain. */
export interface ExecutedAt {
  /** Raw, in lowercase. */
  address: string;
  transaction: Transaction;
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
 * The first failure in an accepted message's trace; undefined if everything succeeded. A wallet that ignores errors
 * succeeds without sending: that counts as a failure.
 */
export function failureReason(
  transactions: readonly ExecutedAt[],
  message: SendableMessage,
  before: DestinationState,
  contractOf: ContractOf,
): RefusalReason | undefined {
  const [{ transaction: root, address } = {}, ...later] = transactions;
  const description = root === undefined ? undefined : genericOf(root);
  if (root === undefined || address === undefined || description === undefined) {
    return undefined;
  }
  return (
    computeReason(description, address, contractOf) ??
    balanceShortage(description, message, before) ??
    actionReason(description) ??
    laterReason(later, contractOf)
  );
}

function computeReason(
  { computePhase }: TransactionDescriptionGeneric,
  account: string,
  contractOf: ContractOf,
): RefusalReason | undefined {
  if (computePhase.type === 'skipped') {
    const skipped = skipReasons.get(computePhase.reason.replaceAll('-', '_'));
    return { code: 'not-executed', text: skipped?.name ?? computePhase.reason };
  }
  if (computePhase.success) {
    return undefined;
  }
  const exit = exitOf(computePhase.exitCode, account, contractOf);
  return { code: 'compute-failed', text: exit.words, exit };
}

/** Whether messages were dropped, or the phase failed, for lack of coins. */
function balanceShortage(
  { actionPhase, computePhase, storagePhase }: TransactionDescriptionGeneric,
  { signed }: SendableMessage,
  before: DestinationState,
): RefusalReason | undefined {
  const leftOut = actionPhase != null && (actionPhase.skippedActions > 0 || !actionPhase.success);
  if (!leftOut || signed === undefined) {
    return undefined;
  }
  const wanted = signed.messages.reduce((sum, { mode, message }) => {
    const info = loadAnyMessage(message)?.info;
    return info?.type === 'internal' && (mode & modesWithoutOwnValue) === 0 ? sum + info.value.coins : sum;
  }, 0n);
  const gas = computePhase.type === 'vm' ? computePhase.gasFees : 0n;
  const paid = gas + (storagePhase?.storageFeesCollected ?? 0n);
  if (wanted + paid > before.balance) {
    return balanceReason(before.balance, wanted + paid);
  }
  const noFunds = actionPhase.noFunds || actionPhase.resultCode === 37 || actionPhase.resultCode === 40;
  return noFunds
    ? { code: 'balance-too-small', text: 'balance too small to pay for forwarding the messages' }
    : undefined;
}

function actionReason({ actionPhase }: TransactionDescriptionGeneric): RefusalReason | undefined {
  if (actionPhase == null) {
    return undefined;
  }
  if (!actionPhase.success) {
    return { code: 'action-failed', text: resultWords(actionPhase.resultCode) };
  }
  const { skippedActions } = actionPhase;
  return skippedActions === 0
    ? undefined
    : {
        code: 'action-failed',
        text: `${skippedActions} of ${actionPhase.totalActions} actions cannot be done and are skipped`,
      };
}

function laterReason(later: readonly ExecutedAt[], contractOf: ContractOf): RefusalReason | undefined {
  for (const { address, transaction } of later) {
    const description = genericOf(transaction);
    if (description === undefined || (!description.aborted && description.actionPhase?.success !== false)) {
      continue;
    }
    const reason = computeReason(description, address, contractOf) ?? actionReason(description);
    // Coins sent to an account without code are credited: that is only a failure if they bounced.
    const justCredited = description.computePhase.type === 'skipped' && description.bouncePhase == null;
    if (reason !== undefined && !justCredited) {
      const bounced = description.bouncePhase?.type === 'ok' ? ', its coins bounce' : '';
      const text = `${reason.text}${bounced}`;
      return {
        code: 'later-failed',
        text: `${shortenMiddle(Address.parseRaw(address).toString())} fails: ${text}`,
        later: { account: address, text },
        exit: reason.exit,
      };
    }
  }
  return undefined;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function genericOf(transaction: Transaction): TransactionDescriptionGeneric | undefined {
  return transaction.description.type === 'generic' ? transaction.description : undefined;
}

function exitOf(code: number, account: string, contractOf: ContractOf): RehearsedExit {
  const { codeHash, interfaces: standards } = contractOf(account);
  const words = `exit code ${code} (${exitWords(code, 'compute', { standards })})`;
  return { account, codeHash, standards, code, words };
}

function resultWords(code: number): string {
  return `result code ${code} (${exitWords(code, 'action')})`;
}
