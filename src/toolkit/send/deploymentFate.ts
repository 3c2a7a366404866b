import type { V3Transaction } from '../api/v3Objects';
import { WorkbenchError } from '../base/errors';
import type { TraceModel } from '../trace/traceModel';

/**
 * What became of a contract with the message that deploys it, or would become by the rehearsal. `refused`: it is there,
 * although its own code did not accept that message. `absent`: it is not there, and the coins stay at the address.
 */
export type DeploymentFate = 'accepted' | 'refused' | 'absent' | 'unknown';

/** @param transaction that of the new contract, with the message that deploys it */
export function deploymentFate(transaction: V3Transaction | undefined): DeploymentFate {
  if (transaction?.end_status == null) {
    return 'unknown';
  }
  if (transaction.end_status !== 'active') {
    return 'absent';
  }
  return transaction.description?.aborted === true ? 'refused' : 'accepted';
}

/** What a trace says about the contract that it deploys at a raw address. */
export function deploymentIn(trace: TraceModel | undefined, address: string): DeploymentFate {
  return deploymentFate(
    trace?.nodes.find(({ transaction }) => transaction?.account === address)?.transaction,
  );
}

/** What is said of a contract that is there, and refused the message that deployed it. */
export function refusedMessageText(
  name: string,
  { isEmpty, isSent, reason }: { isEmpty: boolean; isSent: boolean; reason?: string | undefined },
): string {
  const what = isEmpty ? 'the empty message' : 'its first message';
  const told = isSent
    ? `${name} is deployed, and it refused ${what}`
    : `${name} would be deployed, and would refuse ${what}`;
  return reason === undefined ? `${told}.` : `${told}: ${reason}`;
}

/** Coins must not be left at an address without a contract once that is foreseen. */
export function notDeployedError(name: string, address: string, hint: string): WorkbenchError {
  return new WorkbenchError({
    code: 'contract-not-deployed',
    kind: 'failed',
    message: `${name} would not be deployed: the message would leave its coins at ${address}, without a contract. Nothing was sent.`,
    hint,
  });
}

/** The message that was to deploy it was executed all the same. */
export function missingContractError(name: string, address: string, hint: string): WorkbenchError {
  return new WorkbenchError({
    code: 'contract-not-deployed',
    kind: 'failed',
    message: `${name} is not deployed: the message was executed, but there is no contract at ${address}.`,
    hint,
  });
}
