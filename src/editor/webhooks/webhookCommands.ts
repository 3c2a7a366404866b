import * as vscode from 'vscode';
import type { TraceRef, TransactionRef } from '../../commandTargets';
import { runCommand } from '../../contributions';
import { canonicalHash } from '../../toolkit/address/canonicalAddress';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { Misbehavior } from '../../toolkit/webhook/delivery/onPurpose';
import type { DeliveryPolicy } from '../../toolkit/webhook/provider/webhookProvider';
import { findForList } from '../traces/openTraceCommand';
import type { OpenTrace } from '../traces/openTraces';
import { askText } from '../ui/askText';
import type { CommandHandlers } from '../ui/registerCommands';
import type { EditedDeliveries, GivenDelivery } from './editedDeliveries';
import {
  checkOnChainCommand,
  copyDeliveryAsCurl,
  copyDeliveryValue,
  openDelivery,
  requireDelivery,
  resendCommand,
} from './editedDeliveries';
import type { EndpointChecks } from './endpointChecks';
import { tellQuietly } from './endpointTests';
import type { DeliveryFilter } from './listCommands';
import { clearDeliveries, exportDeliveries, filterDeliveries, searchDeliveries } from './listCommands';
import type { WebhookServices } from './listenerCommands';
import {
  allowWebhookHost,
  copyWebhookUrl,
  forwardWebhooks,
  problemOf,
  startWebhooks,
} from './listenerCommands';
import { newReceiverCommand } from './newReceiverCommand';
import { payOrder } from './payOrder';
import { changeSecrets } from './secretCommands';
import { sendTestCommand } from './sendTestCommand';
import type { WebhookCommandId } from './webhookCommandIds';
import { listenedService } from './listenedService';
import type { WebhookTree } from './webhookTree';

export type WebhookCommands = Required<Pick<CommandHandlers, WebhookCommandId>>;

/** What the commands need. */
export interface WebhookParts {
  services: WebhookServices;
  filter: DeliveryFilter;
  tree: WebhookTree;
  edited: EditedDeliveries;
  checks: EndpointChecks;
}

/** The implementation of each command. */
export function webhookCommands({ services, filter, tree, edited, checks }: WebhookParts): WebhookCommands {
  return {
    'tonWorkbench.startWebhooks': () => startWebhooks(services),
    'tonWorkbench.stopWebhooks': () => services.webhooks.stop(),
    'tonWorkbench.copyWebhookUrl': () => copyWebhookUrl(services),
    'tonWorkbench.allowWebhookHost': () => allowWebhookHost(services),
    'tonWorkbench.forwardWebhooks': () => forwardWebhooks(services),
    'tonWorkbench.webhookSecrets': (what) => changeSecrets(services, what),
    'tonWorkbench.refuseDeliveries': () => refuseDeliveries(services),
    'tonWorkbench.payOrder': (order) => payOrder(services, order),
    'tonWorkbench.acceptDeliveries': () => services.webhooks.refuseNext(undefined),
    'tonWorkbench.newOrdersFile': () => newOrdersFile(services),
    'tonWorkbench.sendTestWebhook': (test) => sendTestCommand(services, test),
    'tonWorkbench.checkWebhookEndpoint': (url) => checks.check(url),
    'tonWorkbench.copyWebhookFix': (code) => copyWebhookFix(code),
    'tonWorkbench.chooseWebhookFramework': () => checks.chooseFramework(),
    'tonWorkbench.newWebhookReceiver': () => newReceiverCommand(services),
    'tonWorkbench.openDelivery': (item) => openDelivery(services, item),
    'tonWorkbench.resendDelivery': (item) => resendCommand(services, item, false),
    'tonWorkbench.resendDeliveryTo': (item) => resendCommand(services, item, true),
    'tonWorkbench.editDelivery': (item) => edited.open(item),
    'tonWorkbench.sendEditedDelivery': (name, ask) => edited.send(name, ask === true),
    'tonWorkbench.cancelEditedDelivery': (name) => edited.cancel(name),
    'tonWorkbench.copyDeliveryAsCurl': (item) => copyDeliveryAsCurl(services, item),
    'tonWorkbench.copyDeliveryValue': (item) => copyDeliveryValue(item),
    'tonWorkbench.checkDeliveryOnChain': (item) => checkOnChainCommand(services, item),
    'tonWorkbench.showDeliveryTrace': (item) => showDeliveryTrace(services, item),
    'tonWorkbench.debugDelivery': (item) => debugDelivery(services, item),
    'tonWorkbench.searchDeliveries': () => searchDeliveries(filter),
    'tonWorkbench.filterDeliveries': () => filterDeliveries(filter),
    'tonWorkbench.clearDeliveryFilter': () => filter.clear(),
    'tonWorkbench.clearDeliveries': () => clearDeliveries(services),
    'tonWorkbench.exportDeliveries': () => exportDeliveries(services, filter),
    'tonWorkbench.showOlderDeliveries': () => tree.showOlder(),
  };
}

/** Copies the code of a fix, with what it imports. */
async function copyWebhookFix(code: string): Promise<void> {
  await vscode.env.clipboard.writeText(code);
  tellQuietly('Copied the fix');
}

const firstOrders = `{
  "orders": [
    {
      "reference": "order-1",
      "amount": "10.5",
      "asset": "TON"
    }
  ]
}
`;

/** Opens the workspace's orders file, creating one with an example if there is none. */
async function newOrdersFile({ webhooks }: WebhookServices): Promise<void> {
  const place = await webhooks.orders.locate();
  if (place === undefined) {
    throw new WorkbenchError({
      code: 'no-folder',
      kind: 'input',
      message: 'No folder is open to put an orders file in.',
      hint: 'Open a folder first.',
    });
  }
  if (!place.exists) {
    await vscode.workspace.fs.writeFile(place.file, new TextEncoder().encode(firstOrders));
  }
  await vscode.window.showTextDocument(place.file);
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showWarningMessage(
      'This folder is not trusted, so its orders file is not read: all references are accepted.',
    );
  }
}

/** TON: Debug Payment: debugs the transaction that a delivery names, on the chosen network, with the others of its trace. */
async function debugDelivery(services: WebhookServices, item: GivenDelivery): Promise<void> {
  const ref = await findPaymentTrace(services, item, 'debug');
  await runCommand(vscode.commands, 'tonWorkbench.debug', ref);
}

/** TON: Show Trace of Payment: opens the page of the trace that a delivery names, at its transaction. */
async function showDeliveryTrace(services: WebhookServices, item: GivenDelivery): Promise<void> {
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

interface Choice extends vscode.QuickPickItem {
  /** Undefined: asked for. */
  behavior: Misbehavior | undefined;
}

const choices = ({ timeoutMs, retryDelaysMs }: DeliveryPolicy): readonly Choice[] => [
  {
    label: '$(error) Answer 500',
    detail: 'As if your application had failed.',
    behavior: { how: 'status', status: 500 },
  },
  {
    label: '$(error) Answer 503',
    detail: 'As if it were being deployed.',
    behavior: { how: 'status', status: 503 },
  },
  {
    label: `$(clock) Answer after ${timeoutMs / 1000 + 2} s`,
    detail: `The service gives up after ${timeoutMs / 1000} s${retryDelaysMs.length === 0 ? '' : ' and sends again'}; the payment counts once.`,
    behavior: { how: 'delay', ms: timeoutMs + 2_000 },
  },
  {
    label: '$(debug-disconnect) Cut the connection',
    detail: 'As if the process had died before it answered.',
    behavior: { how: 'cut' },
  },
  { label: '$(edit) Another status or delay…', detail: 'For example 429 or 3s.', behavior: undefined },
];

/** TON: Refuse Next Deliveries…: makes this window's listener misbehave, to see the sender's retries. */
async function refuseDeliveries({ webhooks }: WebhookServices): Promise<void> {
  const title = 'TON: Refuse Next Deliveries';
  const { parseMisbehavior, parseRefusedCount, describeMisbehavior } =
    await import('../../toolkit/webhook/delivery/onPurpose');
  const { delivery, secretForm } = await listenedService();
  const attempts = 1 + delivery.retryDelaysMs.length;
  const picked = await vscode.window.showQuickPick(choices(delivery), {
    title,
    placeHolder: `Choose what happens to the next deliveries with a valid ${secretForm.mark}`,
  });
  if (picked === undefined) {
    return;
  }
  let behavior = picked.behavior;
  if (behavior === undefined) {
    const text = await askText({
      title,
      prompt: 'A status from 300 to 599, or the seconds until the answer, such as 3s.',
      placeholder: '429',
      validate: (given) => problemOf(() => parseMisbehavior(given)),
    });
    if (typeof text !== 'string') {
      return;
    }
    behavior = parseMisbehavior(text);
  }
  const question = `How many are ${describeMisbehavior(behavior)}?`;
  const count = await askText({
    title: `${title}: How Many?`,
    prompt:
      attempts === 1
        ? `${question} The service tries each delivery once.`
        : `${question} The service tries each delivery up to ${attempts} times: after ${attempts - 1} refusals, the last attempt is accepted.`,
    placeholder: '3',
    value: '3',
    validate: (given) => problemOf(() => parseRefusedCount(given)),
  });
  if (typeof count === 'string') {
    await webhooks.ensureRunning();
    await webhooks.refuseNext({ behavior, count: parseRefusedCount(count) });
  }
}
