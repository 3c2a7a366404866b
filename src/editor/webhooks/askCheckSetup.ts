import * as vscode from 'vscode';
import type { FieldValues } from '../../toolkit/webhook/payload/samplePayload';
import { ownFieldName } from '../../toolkit/webhook/provider/webhookProvider';
import type { ProviderChoice } from '../../toolkit/webhook/provider/providerOf';
import { describeOrder, orderFields } from '../../toolkit/webhook/views/orderFields';
import { askText } from '../ui/askText';
import type { WebhookServices } from './listenerCommands';
import { openOrders, problemOf } from './listenerCommands';
import { askSigningSecret } from './secretCommands';
import { askService, chosenService } from './listenedService';

/** In the state of the workspace: the URL of a shop's orders, last given. */
const ordersUrlKey = 'webhookOrdersUrl';

/** How an endpoint is checked; kept for checking it again. */
export interface CheckSetup {
  /** Undefined: the service delivers without, and there is none. */
  secretName: string | undefined;
  /** Of every payload. */
  fields: FieldValues;
  /** Where the shop tells of its orders, for tests. */
  ordersUrl?: string;
  /** Whose deliveries are sent; default: the payment service's. */
  service?: ProviderChoice | undefined;
}

/** Asks what to sign with, and for which payment; warns before it is about an order. @returns undefined if canceled */
export async function askCheckSetup(
  services: WebhookServices,
  title: string,
): Promise<CheckSetup | undefined> {
  const { providerOf } = await import('../../toolkit/webhook/provider/providerOf');
  const provider = providerOf(chosenService(services));
  const secret = await askSigningSecret(services, `${title}: your receiver's secret`, provider);
  const wish = secret && (await askPayment(services, title));
  const reference = wish?.fields['reference'];
  return secret === undefined || wish === undefined || (reference !== undefined && !(await mayPay(reference)))
    ? undefined
    : { secretName: secret.value === '' ? undefined : secret.name, ...wish };
}

/** The payment of the payloads; an open order tests the receiver's own rules, and a shop that tells of its orders all. */
async function askPayment(
  services: WebhookServices,
  title: string,
): Promise<Omit<CheckSetup, 'secretName'> | undefined> {
  const { providerOf } = await import('../../toolkit/webhook/provider/providerOf');
  const service = chosenService(services);
  const provider = providerOf(service);
  const { canCheckOrders } = await import('../../toolkit/webhook/check/shopRules');
  const namesOrders = provider.carries.includes('reference');
  const orders = namesOrders ? await openOrders(services) : [];
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: '$(beaker) A sample payment',
        description: namesOrders ? 'its reference matches no order' : 'its transaction is not on the chain',
        fields: {},
      },
      ...(canCheckOrders(provider)
        ? [
            {
              label: "$(checklist) A sample payment, and my shop's test orders…",
              description:
                'also shows what is marked as paid; needs a URL of your shop that reports its orders',
              fields: 'by URL' as const,
            },
          ]
        : []),
      ...orders.slice(0, 50).map((order) => ({
        label: '$(package) An open order',
        description: `${describeOrder(order)}; your server will mark it as paid`,
        fields: orderFields(order),
      })),
      ...(namesOrders
        ? [
            {
              label: orders.length === 0 ? '$(edit) An open order…' : '$(edit) Another open order…',
              description: `by its ${ownFieldName(provider, 'reference')}; your server will mark it as paid`,
              fields: 'by reference' as const,
            },
          ]
        : []),
      {
        label: '$(plug) Deliveries of another service…',
        description: `now ${provider.title}`,
        fields: 'by service' as const,
      },
    ],
    {
      title,
      placeHolder: `Choose the payment that the test deliveries of ${provider.title} are about`,
      ignoreFocusOut: true,
    },
  );
  if (picked === undefined) {
    return undefined;
  }
  switch (picked.fields) {
    case 'by reference': {
      const reference = await askReference(title);
      return reference === undefined ? undefined : { fields: { reference }, service };
    }
    case 'by URL': {
      const ordersUrl = await askOrdersUrl(services, title);
      return ordersUrl === undefined ? undefined : { fields: {}, ordersUrl, service };
    }
    case 'by service':
      return (await askService(services, title)) === undefined ? undefined : askPayment(services, title);
    default:
      return { fields: picked.fields, service };
  }
}

async function askReference(title: string): Promise<string | undefined> {
  const reference = await askText({
    title,
    prompt: 'Reference of an order that your application is waiting for.',
    placeholder: 'Reference',
    validate: (text) => (text.trim() === '' ? 'Enter a reference, or press Escape to cancel.' : undefined),
  });
  return typeof reference === 'string' ? reference.trim() : undefined;
}

async function askOrdersUrl({ context }: WebhookServices, title: string): Promise<string | undefined> {
  const { parseEndpoint } = await import('../../toolkit/webhook/send/parseEndpoint');
  const url = await askText({
    title,
    prompt:
      'URL of your shop, for tests only: some orders are opened there with POST and paid on the local network, their webhooks are delivered, correctly and incorrectly, and GET URL/REFERENCE returns how often each was paid.',
    placeholder: 'http://127.0.0.1:3000/test/orders',
    value: context.workspaceState.get<string>(ordersUrlKey, ''),
    validate: (text) => problemOf(() => parseEndpoint(text)),
  });
  if (typeof url !== 'string') {
    return undefined;
  }
  const { href } = parseEndpoint(url);
  await context.workspaceState.update(ordersUrlKey, href);
  return href;
}

/** A check that names an order changes it at the shop. */
async function mayPay(reference: string): Promise<boolean> {
  const check = 'Check';
  const answer = await vscode.window.showWarningMessage(
    `Check with the order ${reference}?`,
    {
      modal: true,
      detail:
        'This sends genuine deliveries although nobody has paid. A shop that does not check the chain marks the order as paid.',
    },
    check,
  );
  return answer === check;
}
