import * as vscode from 'vscode';
import type { PaymentRow } from '../../commandTargets';
import { setContextKey } from '../../contextKeys';
import { asCommand, runCommand, showView } from '../../contributions';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { MockPayment, PayScenario } from '../../toolkit/payments/mockPayment';
import { payScenarioWords, payScenarios } from '../../toolkit/payments/mockPayment';
import { paymentUnknownError } from '../../toolkit/payments/paymentErrors';
import { describePayment, paymentStanding, paymentTitle } from '../../toolkit/payments/paymentWords';
import type { PaymentsThread } from '../../toolkit/payments/startPaymentsThread';
import { accountName } from '../project/accountName';
import type { Services } from '../project/services';
import { findForList } from '../traces/openTraceCommand';
import type { ReadOnlyDocument } from '../ui/readOnlyDocuments';
import type { CommandHandlers } from '../ui/registerCommands';
import type { ErrorAction } from '../ui/showError';
import { showError } from '../ui/showError';
import { withProgress } from '../ui/withProgress';
import type { WebhookServices } from '../webhooks/listenerCommands';
import { EditorPayments } from './editorPayments';
import { newPayment } from './newPayment';
import type { PaymentCommandId } from './paymentsServer';

/** Everything about the payment API, loaded on first use: the API and its commands. */
export class PaymentsFeature {
  readonly server: EditorPayments;
  readonly commands: PaymentCommands;
  readonly #parts: vscode.Disposable[];

  /** @param onChange told when what the view shows has changed */
  constructor(services: WebhookServices, onChange: () => void) {
    const payments = new EditorPayments(services);
    this.server = payments;
    this.commands = paymentCommands(services, payments);
    this.#parts = [
      payments.onDidChange(onChange),
      payments.onDidChange(() =>
        setContextKey(vscode.commands, 'tonWorkbench.paymentsRunning', payments.state() !== undefined),
      ),
      payments.onPayment(({ payment }) => keepPayment(services, payment)),
      payments.onSecretChanged(() => void tellSecretChanged()),
      payments.onKeyForgotten(() => void tellKeyForgotten()),
      payments.onUnfitListener((title) => void tellUnfitListener(title)),
      payments.onStopped((error) => void tellPaymentsStopped(services, error)),
    ];
  }

  /** Stops until the next window. */
  async close(): Promise<void> {
    this.#parts.forEach((part) => void part.dispose());
    await this.server.dispose();
  }
}

type PaymentCommands = Required<Pick<CommandHandlers, PaymentCommandId>>;

/** The implementation of each command. */
function paymentCommands(services: WebhookServices, payments: EditorPayments): PaymentCommands {
  const start = (): Promise<PaymentsThread> =>
    withProgress('Starting the payment API', (signal) => payments.start(signal));
  const find = async ({ payment: { reference } }: PaymentRow): Promise<MockPayment> => {
    const found = await (await start()).control.call('find', reference);
    if (found === undefined) {
      throw paymentUnknownError(reference);
    }
    return found;
  };
  const pay = async (row: PaymentRow, scenario: PayScenario): Promise<void> => {
    const { control } = await start();
    const { reference } = row.payment;
    const paid = await withProgress('Paying', () => control.call('pay', reference, { scenario }));
    const name = accountName(services, services.networks.local());
    const words = `${paymentTitle(paid, name)}: ${paymentStanding(paid).text}`;
    void vscode.window.setStatusBarMessage(words, 6000);
  };
  const copy = async (what: string, text: string): Promise<void> => {
    await vscode.env.clipboard.writeText(text);
    void vscode.window.setStatusBarMessage(`Copied ${what}`, 4000);
  };
  return {
    'tonWorkbench.startPayments': () => startPaymentApi(services, start),
    'tonWorkbench.stopPayments': () => payments.stop(),
    'tonWorkbench.copyPaymentSettings': async () => {
      const { url } = await start();
      await copySettings(url, payments, copy);
    },
    'tonWorkbench.newPayment': async () => {
      const { control } = await start();
      const made = await newPayment(services, payments, control);
      if (made !== undefined) {
        await showPayment(services, made);
      }
    },
    'tonWorkbench.openPayment': async (row) => showPayment(services, await find(row)),
    'tonWorkbench.payPayment': (row, given) =>
      pay(row, payScenarios.find((scenario) => scenario === given) ?? 'paid'),
    'tonWorkbench.payPaymentOtherwise': async (row) => {
      const scenario = await askScenario();
      if (scenario !== undefined) {
        await pay(row, scenario);
      }
    },
    'tonWorkbench.showPaymentTrace': async (row) => showTrace(services, await find(row)),
    'tonWorkbench.showPaymentDelivery': ({ payment }) => showDelivery(services, payment.reference),
    'tonWorkbench.copyPayment': async (row, given) => {
      const parts = [
        { label: 'Reference', part: 'reference' },
        { label: 'Body Hash', part: 'bodyHash' },
      ] as const;
      const part =
        given ??
        (await vscode.window.showQuickPick(parts, { title: 'TON: Copy', placeHolder: 'Choose what to copy' }))
          ?.part;
      if (part === 'reference') {
        await copy('the reference', row.payment.reference);
      } else if (part === 'bodyHash') {
        await copy('the body hash', (await find(row)).bodyBase64Hash);
      }
    },
  };
}

/** Starts the API, and says how a shop gets to it; errors point to the setting to change. */
async function startPaymentApi(
  { log }: WebhookServices,
  start: () => Promise<PaymentsThread>,
): Promise<void> {
  try {
    const { url } = await start();
    await showView(vscode.commands, 'localNetwork');
    void tellHowToUse(url);
  } catch (error) {
    await showError(error, log, settingActions(error));
  }
}

async function tellHowToUse(url: string): Promise<void> {
  const [copy, create] = ['Copy Settings…', 'New Payment…'];
  const text = `The payment API answers on ${url}. Start your shop with TONPAY_BASE_URL set to it, or create a payment here.`;
  const answer = await vscode.window.showInformationMessage(text, copy, create);
  if (answer === copy) {
    await runCommand(vscode.commands, 'tonWorkbench.copyPaymentSettings');
  } else if (answer === create) {
    await runCommand(vscode.commands, 'tonWorkbench.newPayment');
  }
}

/** A shop that keeps the old secret refuses every webhook from now on. */
function tellSecretChanged(): Promise<void> {
  return offerSettings('Payment webhooks are signed with a new secret now. Give it to your shop.');
}

/** A shop that keeps the old key is refused from now on. */
function tellKeyForgotten(): Promise<void> {
  return offerSettings(
    'This editor did not keep the API key of the payment API: there is a new one now. Give it to your shop, which still has the earlier one.',
  );
}

async function offerSettings(what: string): Promise<void> {
  const copy = 'Copy Settings…';
  const answer = await vscode.window.showInformationMessage(what, copy);
  if (answer === copy) {
    await runCommand(vscode.commands, 'tonWorkbench.copyPaymentSettings');
  }
}

/** Without another setting, every webhook is refused. @param title of the service that the listener expects */
async function tellUnfitListener(title: string): Promise<void> {
  const { providerOf } = await import('../../toolkit/webhook/provider/providerOf');
  const own = providerOf();
  const set = `Expect ${own.title}`;
  const answer = await vscode.window.showWarningMessage(
    `Webhooks of payments go to this window's listener, which expects ${title} webhooks: it refuses them, because ${own.title} signs differently.`,
    set,
  );
  if (answer === set) {
    await vscode.workspace
      .getConfiguration()
      .update('tonWorkbench.webhooks.service', own.name, vscode.ConfigurationTarget.Global);
  }
}

/** Tells why the payment API does not run, and offers to start it. */
async function tellPaymentsStopped({ log }: WebhookServices, error: WorkbenchError): Promise<void> {
  const run = (): unknown => runCommand(vscode.commands, 'tonWorkbench.startPayments');
  await showError(error, log, [{ title: 'Start Payment API', run }, ...settingActions(error)]);
}

const settingOf: Readonly<Record<string, string>> = {
  'port-in-use': 'tonWorkbench.ports',
  'port-not-allowed': 'tonWorkbench.ports',
  'listen-failed': 'tonWorkbench.ports',
  'endpoint-invalid': 'tonWorkbench.payments.webhookUrl',
  'https-required': 'tonWorkbench.payments.webhookUrl',
};

function settingActions(error: unknown): ErrorAction[] {
  const setting = WorkbenchError.is(error) ? settingOf[error.code] : undefined;
  const run = (): unknown => vscode.commands.executeCommand('workbench.action.openSettings', setting);
  return setting === undefined ? [] : [{ title: 'Open Setting', run }];
}

/** Copies what a shop needs; the values of secrets are never shown. */
async function copySettings(
  url: string,
  { settings }: EditorPayments,
  copy: (what: string, text: string) => Promise<void>,
): Promise<void> {
  const { apiKey = '', webhookSecret = '' } = settings;
  const lines = [`TONPAY_BASE_URL=${url}`, `TONPAY_API_KEY=${apiKey}`, `WEBHOOK_SECRET=${webhookSecret}`];
  const picked = await vscode.window.showQuickPick(
    [
      { label: 'URL', description: url, detail: 'For TONPAY_BASE_URL of your shop.', text: url },
      {
        label: 'API Key',
        detail: 'For TONPAY_API_KEY of your shop; optional, sent as x-api-key.',
        text: apiKey,
      },
      {
        label: 'Webhook Secret',
        detail: 'For WEBHOOK_SECRET of your shop, which verifies the webhooks with it.',
        text: webhookSecret,
      },
      { label: 'All as .env', detail: 'The three as lines of an .env file.', text: `${lines.join('\n')}\n` },
    ],
    { title: 'TON: Copy Payment Settings', placeHolder: 'Choose what to copy for your shop' },
  );
  if (picked !== undefined) {
    await copy(picked.label, picked.text);
  }
}

async function askScenario(): Promise<PayScenario | undefined> {
  const picked = await vscode.window.showQuickPick(
    payScenarios.map((scenario) => {
      const { title, detail } = payScenarioWords[scenario];
      return { label: title, detail, scenario };
    }),
    { title: 'TON: Pay Another Way', placeHolder: 'Choose what happens to the payment' },
  );
  return picked?.scenario;
}

/** The page of the trace that has settled the payment, else of the last message that has not. */
async function showTrace(services: WebhookServices, payment: MockPayment): Promise<void> {
  const hash = payment.traceId || payment.txHash || payment.problems.at(-1)?.txHash;
  if (hash === undefined || hash === '') {
    throw new WorkbenchError({
      code: 'trace-not-found',
      kind: 'input',
      message: 'Nobody has paid this payment yet.',
      hint: 'Pay it first: from its row, or with a wallet.',
    });
  }
  const [found] = await withProgress('Opening the trace', () =>
    findForList(services, services.networks.local(), hash),
  );
  if (found === undefined) {
    throw new WorkbenchError({
      code: 'trace-not-found',
      kind: 'input',
      message: 'The local network no longer knows the trace of this payment.',
      hint: 'It was reset, or went back to an earlier block.',
    });
  }
  services.traces.add([found]);
  await runCommand(vscode.commands, 'tonWorkbench.showTracePage', { key: found.key }, true);
}

/** The newest delivery of a payment's webhook that the listener has kept. */
async function showDelivery({ webhooks }: WebhookServices, reference: string): Promise<void> {
  await webhooks.showKept();
  const { items = [] } = (await webhooks.inbox()?.deliveries({ text: reference })) ?? {};
  const delivery = items.find((one) => one.reference === reference);
  if (delivery === undefined) {
    throw new WorkbenchError({
      code: 'delivery-gone',
      kind: 'input',
      message: 'The webhook listener has no delivery of this payment.',
      hint: 'A payment that settles while the listener runs is delivered to it, unless another URL is set.',
    });
  }
  await runCommand(vscode.commands, 'tonWorkbench.openDelivery', delivery.id);
}

/** Opens a payment as a document: where it stands, what has happened, and what can be made to happen as lenses. */
async function showPayment(services: Services, payment: MockPayment): Promise<void> {
  await services.documents.show(pathOf(payment), page(services, payment), {
    language: 'ton-report',
    preview: true,
  });
}

/** Says in a payment's open document what has happened. */
function keepPayment(services: Services, payment: MockPayment): void {
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
        command: asCommand('tonWorkbench.copyPayment', '$(copy) Copy Reference', row, 'reference'),
      },
      {
        line: line('reference'),
        command: asCommand('tonWorkbench.copyPayment', '$(copy) Copy Body Hash', row, 'bodyHash'),
      },
    ],
  };
}
