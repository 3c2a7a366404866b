import type { CommandName } from '../ui/registerCommands';

/** What the window knows of the payment API before it is loaded. */
export const paymentsServer = {
  /** In the state of a workspace: whether it was running; it starts again with its network. */
  isOnKey: 'payments.areOn',
  /** Registered with the window, loaded on first use. */
  commands: [
    'startPayments',
    'stopPayments',
    'copyPaymentSettings',
    'newPayment',
    'openPayment',
    'payPayment',
    'payPaymentOtherwise',
    'showPaymentTrace',
    'showPaymentDelivery',
    'copyPayment',
  ] as const satisfies readonly CommandName[],
};

export type PaymentCommandId = `tonWorkbench.${(typeof paymentsServer.commands)[number]}`;
