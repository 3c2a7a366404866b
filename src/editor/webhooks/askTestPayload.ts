import * as vscode from 'vscode';
import { addressOfName } from '../../toolkit/address/shortAddress';
import { clockTime, shortenMiddle, visibleText } from '../../toolkit/base/text';
import type { Order } from '../../toolkit/webhook/orders/parseOrders';
import type { TransferPayload } from '../../toolkit/webhook/payload/payload';
import type { FieldValues } from '../../toolkit/webhook/payload/samplePayload';
import type { WebhookProvider } from '../../toolkit/webhook/provider/webhookProvider';
import { describeWaits } from '../../toolkit/webhook/views/sentNodes';
import { describeOrder, orderFields } from '../../toolkit/webhook/views/orderFields';
import { accountWord, accountsByName } from '../project/accountName';
import { domainLookUp } from '../project/domainLookUp';
import { askText } from '../ui/askText';
import { withProgress } from '../ui/withProgress';
import type { WebhookServices } from './listenerCommands';
import { openOrders, problemOf, recentTransfers } from './listenerCommands';
import { readWebhookSettings } from './webhookSettings';

/** What a test webhook contains, and how fast its retries follow. */
export interface TestPayload {
  payload: TransferPayload;
  fields: FieldValues;
  /** Factor for the waits between attempts: 1 is real time. */
  timeScale: number;
  /** The name of the signature header. */
  signatureHeaders: readonly string[];
}

/** Waits of 1, 5 and 15 s become 10, 50 and 150 ms. */
const compressed = 0.01;

type Choice =
  | { kind: 'send' }
  | { kind: 'order'; order: Order }
  | { kind: 'transfer' }
  | { kind: 'time' }
  | { kind: 'header' }
  | { kind: 'field'; name: string };

/** What there is to choose from. */
interface Offered {
  orders: readonly Order[];
  fields: readonly string[];
  /** Whether the signature may be in one of several headers. */
  hasHeaders: boolean;
  provider: WebhookProvider;
}

interface Item extends vscode.QuickPickItem {
  choice?: Choice;
}

/**
 * Shows the payload field by field until the user sends it: pressing Enter right away sends a sample, or the payment
 * of the first open order.
 * @returns undefined if the user canceled
 */
export async function askTestPayload(
  services: WebhookServices,
  title: string,
  provider: WebhookProvider,
): Promise<TestPayload | undefined> {
  const { samplePayload, withFields } = await import('../../toolkit/webhook/payload/samplePayload');
  const { headersToRead, headersToSend } = await import('../../toolkit/webhook/send/headersToSend');
  const { sentFields } = await import('../../toolkit/webhook/send/sendScenario');
  const orders = provider.carries.includes('reference') ? await openOrders(services) : [];
  const { signatureHeaders: named, coin } = readWebhookSettings();
  const signatureHeaders = headersToRead(provider, named);
  const usualHeaders = headersToSend(provider, signatureHeaders);
  const test: TestPayload = {
    payload: samplePayload(),
    fields: orders[0] === undefined ? {} : orderFields(orders[0]),
    timeScale: 1,
    signatureHeaders: usualHeaders,
  };
  for (;;) {
    const now = withFields(test.payload, test.fields, coin);
    const hasHeaders = provider.signatureHeaders.length > 1;
    const fields = sentFields(provider, now, coin);
    const choice = await pick(items(now, test, { orders, fields, hasHeaders, provider }), title);
    switch (choice?.kind) {
      case undefined:
        return undefined;
      case 'send':
        return test;
      case 'order':
        test.fields = { ...test.fields, ...orderFields(choice.order) };
        break;
      case 'time':
        test.timeScale = test.timeScale === 1 ? compressed : 1;
        break;
      case 'header':
        test.signatureHeaders = nextHeaders(test.signatureHeaders, usualHeaders, signatureHeaders);
        break;
      case 'transfer': {
        const payload = await askLocalTransfer(services, now.data.reference);
        if (payload !== undefined) {
          test.payload = payload;
          test.fields = { reference: now.data.reference };
        }
        break;
      }
      case 'field': {
        const { name } = choice;
        const value = await askText({
          title: `${title}: ${name}`,
          prompt: 'Sent as is, even if it is wrong: that is what tests are for.',
          placeholder: addressFields.includes(name) ? 'Address, or the name of an account' : name,
          value: valueOf(now, name),
          validate: (text) => problemOf(() => withFields(test.payload, { [name]: text })),
          ...(addressFields.includes(name) ? { lookUp: domainLookUp(services) } : {}),
        });
        if (typeof value === 'string') {
          const sent = addressFields.includes(name) ? addressOfName(value, accountsByName(services)) : value;
          test.fields = { ...test.fields, [name]: sent };
        }
      }
    }
  }
}

async function pick(choices: Item[], title: string): Promise<Choice | undefined> {
  const picked = await vscode.window.showQuickPick(choices, {
    title,
    placeHolder: 'Press Enter to send, or choose a field to change',
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  return picked?.choice;
}

/** The usual headers, then each other accepted one, then all at once, and back. */
function nextHeaders(
  now: readonly string[],
  usual: readonly string[],
  read: readonly string[],
): readonly string[] {
  const others = read.filter((name) => !usual.includes(name)).map((name) => [name]);
  const all = [usual, ...others, ...(others.length === 0 ? [] : [read])];
  const index = all.findIndex((names) => names.join() === now.join());
  return all[(index + 1) % all.length] ?? usual;
}

function items(
  now: TransferPayload,
  { timeScale, signatureHeaders }: TestPayload,
  { orders, fields, hasHeaders, provider }: Offered,
): Item[] {
  const waits = describeWaits(provider.delivery.retryDelaysMs);
  const heading = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
  return [
    {
      label: '$(send) Send',
      description: provider.carries.includes('reference')
        ? `reference ${now.data.reference}`
        : `transaction ${shortenMiddle(now.data.txHash)}`,
      choice: { kind: 'send' },
    },
    heading('a real payment instead'),
    ...orders.slice(0, 20).map((order): Item => ({
      label: '$(package) An open order',
      description: describeOrder(order),
      choice: { kind: 'order', order },
    })),
    {
      label: '$(history) A transfer on the local network…',
      description: 'its amount, addresses, hashes, and trace',
      choice: { kind: 'transfer' },
    },
    heading('fields'),
    ...inOrder(fields).map((name): Item => ({
      label: `$(edit) ${name}`,
      description: visibleText(valueOf(now, name), 200) || 'not set',
      choice: { kind: 'field', name },
    })),
    ...(hasHeaders || waits !== undefined ? [heading('delivery')] : []),
    ...(hasHeaders
      ? [
          {
            label: '$(key) Signature header',
            description: signatureHeaders.join(' and '),
            choice: { kind: 'header' as const },
          },
        ]
      : []),
    ...(waits === undefined
      ? []
      : [
          {
            label: '$(clock) Waits between attempts',
            description: timeScale === 1 ? `${waits}, like the service` : '100 times shorter',
            choice: { kind: 'time' as const },
          },
        ]),
  ];
}

const addressFields = ['senderAddr', 'recipientAddr'];

const order = [
  'amount',
  'rawAmount',
  'asset',
  'assetTicker',
  'reference',
  'senderAddr',
  'recipientAddr',
  'status',
  'errorCode',
  'errorMessage',
  'commentToSender',
  'commentToRecipient',
  'txHash',
  'traceId',
  'bodyBase64Hash',
  'date',
  'event',
  'timestamp',
];

/** The most frequently changed fields come first. */
function inOrder(fields: readonly string[]): string[] {
  return [
    ...order.filter((name) => fields.includes(name)),
    ...fields.filter((name) => !order.includes(name)),
  ];
}

function valueOf(payload: TransferPayload, name: string): string {
  const holder = (name in payload ? payload : payload.data) as Record<string, unknown>;
  const value = holder[name];
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

/**
 * Lets the user pick a transfer that happened on the local network, as the payload that the service would send for
 * it.
 * @returns undefined if the user canceled or there is none
 */
async function askLocalTransfer(
  services: WebhookServices,
  reference: string,
): Promise<TransferPayload | undefined> {
  const { transferPayload } = await import('../../toolkit/webhook/payload/transferPayload');
  const { assetName } = await import('../../toolkit/webhook/values/asset');
  const transfers = await withProgress('Reading the transfers of the local network', (signal) =>
    recentTransfers(services, signal),
  );
  if (transfers.length === 0) {
    void vscode.window.showInformationMessage('There are no transfers on the local network yet.');
    return undefined;
  }
  const names = accountWord(services, services.networks.local());
  const picked = await vscode.window.showQuickPick(
    transfers.map((transfer) => ({
      label: `${transfer.success ? '$(pass)' : '$(error)'} ${transfer.amount} ${assetName(transfer.asset, transfer.ticker)}`,
      description: `${names(transfer.sender)} → ${names(transfer.recipient)}`,
      detail: [
        clockTime(transfer.time),
        transfer.success ? 'succeeded' : 'failed',
        ...(transfer.comment === undefined ? [] : [`"${visibleText(transfer.comment, 60)}"`]),
      ].join(', '),
      transfer,
    })),
    {
      title: 'TON: A Transfer on the Local Network',
      placeHolder: 'Choose the transfer to send a webhook for',
      matchOnDescription: true,
      matchOnDetail: true,
      ignoreFocusOut: true,
    },
  );
  return picked && transferPayload(picked.transfer, { reference });
}
