import * as vscode from 'vscode';
import { canonicalAddress, friendlyWallet } from '../../toolkit/address/canonicalAddress';
import { resolveAccount } from '../../toolkit/address/resolveAccount';
import { limits } from '../../toolkit/base/limits';
import type { MockPayment } from '../../toolkit/payments/mockPayment';
import type { PaymentsThread } from '../../toolkit/payments/startPaymentsThread';
import { visibleText } from '../../toolkit/base/text';
import { nativeAsset } from '../../toolkit/webhook/values/asset';
import { accountReader } from '../project/accountReader';
import { accountName, accountSuggestions, accountsByName, knownAccounts } from '../project/accountName';
import { coinLabel } from '../ui/readWorkspaceFile';
import { askText, pickOrType } from '../ui/askText';
import { withProgress } from '../ui/withProgress';
import type { WebhookServices } from '../webhooks/listenerCommands';
import { readWebhookSettings } from '../webhooks/webhookSettings';
import type { EditorPayments } from './editorPayments';

/** What can be paid with. */
interface PayableAsset {
  /** `TON`, or the raw address of a jetton's master. */
  asset: string;
  label: string;
  decimals: number;
}

const title = 'TON: New Payment';

/**
 * Asks for a payment and creates it as a shop would.
 * @returns undefined if the user canceled
 */
export async function newPayment(
  services: WebhookServices,
  payments: EditorPayments,
  control: PaymentsThread['control'],
): Promise<MockPayment | undefined> {
  const asset = await askAsset(services);
  const amount = asset && (await askAmount(asset));
  const recipient = amount && (await askRecipient(services, payments));
  const comment = recipient && (await askComment());
  if (asset === undefined || amount === undefined || recipient === undefined || comment === undefined) {
    return undefined;
  }
  return withProgress('Creating the payment', async (signal) => {
    const { findPayer } = await import('../../toolkit/payments/findPayer');
    const { accounts: wallets } = await services.localNetwork.ensureRunning(signal);
    const access = await services.connections.to(services.networks.local());
    const order = { reference: 'A new payment', amount, asset: asset.asset, decimals: asset.decimals };
    const { coin } = readWebhookSettings();
    const payer = await findPayer({ access, wallets, order, recipient, coin, signal });
    const request = JSON.stringify({
      asset: asset.asset,
      senderAddr: friendlyWallet(payer.address),
      recipientAddr: friendlyWallet(recipient),
      ...(comment === '' ? {} : { commentToRecipient: comment }),
    });
    // The digits as typed: a JavaScript number could lose some.
    return control.call('create', `{"amount":${amount},${request.slice(1)}`);
  });
}

/** Without jettons on the network there is nothing to ask. */
async function askAsset(services: WebhookServices): Promise<PayableAsset | undefined> {
  const coin = { asset: nativeAsset, label: coinLabel(), decimals: 9 };
  const jettons = await readJettons(services);
  if (jettons.length === 0) {
    return coin;
  }
  const picked = await vscode.window.showQuickPick(
    [coin, ...jettons].map((one) => ({
      label: one.label,
      description: one === coin ? 'the coin of the network' : `jetton ${one.asset}`,
      one,
    })),
    { title, placeHolder: 'Choose what is paid', ignoreFocusOut: true },
  );
  return picked?.one;
}

async function readJettons(services: WebhookServices): Promise<PayableAsset[]> {
  const { PaymentJettons } = await import('../../toolkit/payments/paymentJettons');
  const access = await services.connections.to(services.networks.local());
  const jettons = new PaymentJettons(access);
  const { jetton_masters: masters } = await access.v3.jettonMasters({ limit: 50 });
  const name = accountName(services, services.networks.local());
  const read = (masters ?? []).map(async ({ address }): Promise<PayableAsset[]> => {
    const raw = address == null ? undefined : canonicalAddress(address);
    const facts = raw === undefined ? undefined : await jettons.facts(raw);
    return raw === undefined || facts === undefined
      ? []
      : [
          {
            asset: raw,
            label: visibleText(facts.ticker ?? name(raw) ?? 'jetton', 40),
            decimals: facts.decimals,
          },
        ];
  });
  return (await Promise.all(read)).flat();
}

async function askAmount({ label, decimals }: PayableAsset): Promise<string | undefined> {
  const { readAmount } = await import('../../toolkit/payments/readAmount');
  const answer = await askText({
    title,
    prompt: `Amount in ${label}, with up to ${decimals} decimals`,
    placeholder: '1.5',
    value: '1.5',
    validate: (text) => {
      const read = readAmount(text.trim(), decimals);
      return 'problem' in read ? `The ${read.problem}.` : undefined;
    },
  });
  const read = typeof answer === 'string' ? readAmount(answer.trim(), decimals) : undefined;
  return read === undefined || 'problem' in read ? undefined : read.amount;
}

/** The merchant of last time comes first. */
async function askRecipient(
  services: WebhookServices,
  payments: EditorPayments,
): Promise<string | undefined> {
  const network = services.networks.local();
  const name = accountName(services, network);
  const accounts = knownAccounts(services, network);
  const { recipient } = payments;
  const known = accounts.some(({ address }) => address === recipient);
  const first = recipient === undefined || known ? [] : [unnamed(recipient, name)];
  const sorted = [...first, ...accounts].toSorted(
    (one, other) => Number(other.address === recipient) - Number(one.address === recipient),
  );
  const answer = await pickOrType({
    title,
    placeholder: 'Choose who gets the payment: your shop',
    suggestions: accountSuggestions(sorted),
    read: accountReader(
      () => accountsByName(services, network),
      (raw) => name(raw),
    ),
  });
  if (typeof answer !== 'string') {
    return undefined;
  }
  const address = resolveAccount(answer, accountsByName(services, network));
  await payments.setRecipient(address);
  return address;
}

function unnamed(
  address: string,
  nameOf: (address: string) => string | undefined,
): { name: string; address: string; kind: string; isWallet: boolean } {
  return { name: nameOf(address) ?? address, address, kind: 'last chosen', isWallet: true };
}

async function askComment(): Promise<string | undefined> {
  const answer = await askText({
    title,
    prompt: 'Comment for the recipient, such as your order number; Enter for none',
    placeholder: 'order 42',
    validate: (text) =>
      text.length > limits.paymentComment.most
        ? `Use at most ${limits.paymentComment.most} characters.`
        : undefined,
  });
  return typeof answer === 'string' ? answer.trim() : undefined;
}
