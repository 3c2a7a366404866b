import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import { canonicalHash } from '../../toolkit/address/canonicalHash';
import { WorkbenchError } from '../../toolkit/errors';
import type { TraceRef, TransactionRef } from '../../commandTargets';
import type { OpenTrace } from '../traces/openTraces';
import { findForList } from '../traces/openTraceCommand';
import { requireDelivery } from './deliveryCommands';
import type { GivenDelivery } from './deliveryCommands';
import type { WebhookServices } from './webhookServices';

/** TON: Debug Payment: debugs the transaction that a delivery names, on the chosen network, with the others of its trace. */
export async function debugDelivery(services: WebhookServices, item: GivenDelivery): Promise<void> {
  const ref = await findPaymentTrace(services, item, 'debug');
  await runCommand(vscode.commands, 'tonWorkbench.debug', ref);
}

/** TON: Show Trace of Payment: opens the page of the trace that a delivery names, at its transaction. */
export async function showDeliveryTrace(services: WebhookServices, item: GivenDelivery): Promise<void> {
  const ref = await findPaymentTrace(services, item, 'show');
  await runCommand(vscode.commands, 'tonWorkbench.showTracePage', ref, true);
}

/**
 * The transaction that a delivery names, on the chosen network; its trace if that has no such transaction. The trace is
 * listed.
 * @param deed what is to be done with the payment
 * @throws WorkbenchError `trace-not-found`, that of a delivery without a payment, and the network's errors
 */
async function findPaymentTrace(
  services: WebhookServices,
  item: GivenDelivery,
  deed: 'debug' | 'show',
): Promise<TraceRef | TransactionRef> {
  const { payment, verdict } = await requireDelivery(services, item);
  if (payment === null) {
    const { noPaymentError } = await import('../../toolkit/webhook/payload/readTransfers');
    throw noPaymentError(`This delivery (${verdict})`, deed);
  }
  const hash = canonicalHash(payment.txHash);
  const trace = await findPayment(services, [hash, canonicalHash(payment.traceId)]);
  services.traces.add([trace]);
  const index = trace.model.nodes.findIndex((node) => node.hash === hash);
  const { key } = trace;
  return index < 0 ? { key } : { key, index };
}

/** @throws WorkbenchError `trace-not-found`, and the network's errors */
async function findPayment(
  services: WebhookServices,
  hashes: readonly (string | undefined)[],
): Promise<OpenTrace> {
  const network = services.networks.current();
  for (const hash of new Set(hashes)) {
    try {
      const [found] = hash === undefined ? [] : await findForList(services, network, hash);
      if (found !== undefined) {
        return found;
      }
    } catch (error) {
      if (!WorkbenchError.is(error, 'trace-not-found')) {
        throw error;
      }
    }
  }
  throw new WorkbenchError({
    code: 'trace-not-found',
    kind: 'input',
    message: `${network.name} knows no transaction of this payment.`,
    hint: 'Switch to the network of the payment; the hashes of made-up deliveries are on none.',
  });
}
