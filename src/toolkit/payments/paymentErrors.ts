import { WorkbenchError } from '../base/errors';

/** Payments are made by wallets whose keys are public, and settled by blocks that cost nothing. */
export function paymentLocalOnlyError(network: string): WorkbenchError {
  return new WorkbenchError({
    code: 'payment-local-only',
    kind: 'input',
    message: `${network} is not a local network: payments are tested on one only.`,
    hint: 'Start a local network in the editor, or with: ton-workbench localnet.',
  });
}

/** The payments have no such reference. */
export function paymentUnknownError(reference: string): WorkbenchError {
  return new WorkbenchError({
    code: 'payment-unknown',
    kind: 'input',
    message: `There is no payment ${JSON.stringify(reference.slice(0, 100))}.`,
    hint: 'Create it first; its reference is in the answer of create-transfer.',
  });
}

/** Another window of the folder runs the payment API. */
export function paymentsElsewhereError(port: number): WorkbenchError {
  return new WorkbenchError({
    code: 'journal-in-use',
    kind: 'input',
    message: `Another window of this folder runs the payment API, on port ${port}.`,
    hint: 'Use it there, or stop it there first.',
  });
}
