import * as vscode from 'vscode';
import { visibleText } from '../../toolkit/text';
import type { Order } from '../../toolkit/webhook/orders/parseOrders';
import type { TransferPayload } from '../../toolkit/webhook/payload/payload';
import type { FieldValues } from '../../toolkit/webhook/payload/samplePayload';
import { accountsByName } from '../accounts/knownAccounts';
import { domainLookUp } from '../accounts/lookUpDomains';
import type { WebhookServices } from './webhookServices';
import { askText } from '../ui/askText';
import { addressOfName } from '../../toolkit/address/addressOfName';
import { askLocalTransfer } from './askLocalTransfer';
import { problemOf } from './listenerCommands';
import { openOrders } from './openOrders';
import { describeOrder, orderFields } from '../../toolkit/webhook/views/orderFields';
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
): Promise<TestPayload | undefined> {
  const { samplePayload, withFields } = await import('../../toolkit/webhook/payload/samplePayload');
  const { headersToSend } = await import('../../toolkit/webhook/send/headersToSend');
  const { tonPay } = await import('../../toolkit/webhook/provider/tonPay');
  const orders = await openOrders(services);
  const { signatureHeaders, coin } = readWebhookSettings();
  const usualHeaders = headersToSend(tonPay, signatureHeaders);
  const test: TestPayload = {
    payload: samplePayload(),
    fields: orders[0] === undefined ? {} : orderFields(orders[0]),
    timeScale: 1,
    signatureHeaders: usualHeaders,
  };
  for (;;) {
    const now = withFields(test.payload, test.fields, coin);
    const choice = await pick(items(now, test, orders), title);
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
  orders: readonly Order[],
): Item[] {
  const heading = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
  return [
    { label: '$(send) Send', description: `reference ${now.data.reference}`, choice: { kind: 'send' } },
    heading('send the payment of'),
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
    ...fieldNames(now).map((name): Item => ({
      label: `$(edit) ${name}`,
      description: visibleText(valueOf(now, name), 200) || 'not set',
      choice: { kind: 'field', name },
    })),
    heading('delivery'),
    {
      label: '$(key) Signature header',
      description: signatureHeaders.join(' and '),
      choice: { kind: 'header' },
    },
    {
      label: '$(clock) Waits between attempts',
      description: timeScale === 1 ? '1, 5, and 15 s, like the service' : '100 times shorter',
      choice: { kind: 'time' },
    },
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
function fieldNames(payload: TransferPayload): string[] {
  const all = [...Object.keys(payload.data), ...Object.keys(payload).filter((name) => name !== 'data')];
  return [...order, ...all.filter((name) => !order.includes(name))];
}

function valueOf(payload: TransferPayload, name: string): string {
  const holder = (name in payload ? payload : payload.data) as Record<string, unknown>;
  const value = holder[name];
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}
