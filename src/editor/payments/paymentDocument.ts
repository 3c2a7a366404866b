import type * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import { describePayment } from '../../toolkit/payments/describePayment';
import type { MockPayment } from '../../toolkit/payments/mockPayment';
import { payScenarios, payScenarioWords } from '../../toolkit/payments/payScenario';
import { accountName } from '../accounts/knownAccounts';
import type { Services } from '../services';
import type { ReadOnlyDocument } from '../ui/readOnlyDocuments';

/** Opens a payment as a document: where it stands, what has happened, and what can be made to happen as lenses. */
export async function showPayment(services: Services, payment: MockPayment): Promise<void> {
  await services.documents.show(pathOf(payment), page(services, payment), {
    language: 'ton-report',
    preview: true,
  });
}

/** Says in a payment's open document what has happened. */
export function keepPayment(services: Services, payment: MockPayment): void {
  if (services.documents.isOpen(pathOf(payment))) {
    services.documents.keep(pathOf(payment), page(services, payment));
  }
}

function pathOf({ reference }: MockPayment): string {
  return `payment/${reference}/payment ${reference.slice(0, 8)}`;
}

function page(services: Services, payment: MockPayment): ReadOnlyDocument {
  const { reference, status, txHash, problems, webhook } = payment;
  const row = { payment: { reference } };
  const lenses: vscode.Command[] = [
    // Of a paid one, all that is left to try is that somebody pays it again.
    ...(status === 'success'
      ? [asCommand('tonWorkbench.payPayment', 'Pay Again', row, 'paid')]
      : payScenarios.map((scenario) =>
          asCommand('tonWorkbench.payPayment', payScenarioWords[scenario].title, row, scenario),
        )),
    ...(txHash === '' && problems.length === 0
      ? []
      : [asCommand('tonWorkbench.showPaymentTrace', '$(type-hierarchy) Show Trace', row)]),
    ...((webhook?.attempts.length ?? 0) === 0
      ? []
      : [asCommand('tonWorkbench.showPaymentDelivery', '$(inbox) Show Delivery', row)]),
  ];
  const name = accountName(services, services.networks.local());
  const line = (label: string): number =>
    text.split('\n').findIndex((one) => one.trimStart().startsWith(`${label} `));
  const text = describePayment(payment, name);
  return {
    text,
    lenses,
    lineLenses: [
      {
        line: line('reference'),
        command: asCommand('tonWorkbench.copyPaymentReference', '$(copy) Copy Reference', row),
      },
      {
        line: line('reference'),
        command: asCommand('tonWorkbench.copyPaymentBodyHash', '$(copy) Copy Body Hash', row),
      },
    ],
  };
}
