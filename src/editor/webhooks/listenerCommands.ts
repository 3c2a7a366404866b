import * as vscode from 'vscode';
import type { WebhookRow } from '../../commandTargets';
import { readSetting, showView } from '../../contributions';
import { WorkbenchError, errorSentences } from '../../toolkit/base/errors';
import { limits } from '../../toolkit/base/limits';
import type { WebhookInbox } from '../../toolkit/webhook/journal/openKeptInbox';
import type { Order } from '../../toolkit/webhook/orders/parseOrders';
import type { HappenedTransfer } from '../../toolkit/webhook/payload/transferPayload';
import type { SentTest } from '../../toolkit/webhook/views/sentNodes';
import type { TraceServices } from '../traces/liveTraces';
import { askText } from '../ui/askText';
import { showError } from '../ui/showError';
import { withProgress } from '../ui/withProgress';
import type { Webhooks } from './webhooks';

/** Starts the listener; errors point to the setting to change. */
export async function startWebhooks(services: WebhookServices): Promise<void> {
  try {
    const { address } = await withProgress('Starting the webhook listener', () =>
      services.webhooks.ensureRunning(),
    );
    await showView(vscode.commands, 'webhooks');
    void vscode.window.setStatusBarMessage(`Listening on ${address.local}`, 4000);
  } catch (error) {
    await showError(error, services.log, startActions(services, error));
  }
}

function startActions(services: WebhookServices, error: unknown): { title: string; run(): unknown }[] {
  const setting = settingBehind(error);
  return setting === undefined
    ? []
    : [
        { title: 'Try Again', run: () => startWebhooks(services) },
        {
          title: 'Open Setting',
          run: () => vscode.commands.executeCommand('workbench.action.openSettings', setting),
        },
      ];
}

function settingBehind(error: unknown): string | undefined {
  switch (WorkbenchError.is(error) ? error.code : undefined) {
    case 'port-in-use':
    case 'port-not-allowed':
    case 'listen-failed':
      return 'tonWorkbench.ports';
    case 'provider-unknown':
      return 'tonWorkbench.webhooks.service';
    case 'hmac-invalid':
      return 'tonWorkbench.webhooks.signature';
    case 'path-invalid':
      return 'tonWorkbench.webhooks.path';
    case 'forward-invalid':
    case 'forward-to-itself':
      return 'tonWorkbench.webhooks.forward';
    default:
      return undefined;
  }
}

/** Copies the user-side address; offers to allow a host that would be refused. */
export async function copyWebhookUrl(services: WebhookServices): Promise<void> {
  const { address, settings } = await withProgress('Starting the webhook listener', () =>
    services.webhooks.ensureRunning(),
  );
  await vscode.env.clipboard.writeText(address.external);
  const host = address.foreignHost;
  if (host === undefined || settings.allowedHosts.includes(host)) {
    void vscode.window.setStatusBarMessage(`Copied ${address.external}`, 4000);
    return;
  }
  const allow = `Allow ${host}`;
  const answer = await vscode.window.showWarningMessage(
    `Copied ${address.external}. Requests for this host are refused until you allow it.`,
    allow,
  );
  if (answer === allow) {
    await addAllowedHost(services, host);
  }
}

/** Asks for a tunnel's host name and allows it. */
export async function allowWebhookHost(services: WebhookServices): Promise<void> {
  const state = services.webhooks.state();
  const foreign = state.kind === 'running' ? state.address.foreignHost : undefined;
  const host = await askText({
    title: 'TON: Allow Tunnel Host for Webhooks',
    prompt:
      'Host name of your tunnel or forwarded port, without https://. *.example.com allows all its subdomains.',
    placeholder: 'pay-test.example.com',
    ...(foreign === undefined ? {} : { value: foreign }),
    validate: hostProblem,
  });
  if (typeof host === 'string') {
    await addAllowedHost(services, host.trim().toLowerCase());
  }
}

async function addAllowedHost({ webhooks }: WebhookServices, host: string): Promise<void> {
  const hosts = readSetting(vscode.workspace, 'tonWorkbench.webhooks.allowedHosts');
  await vscode.workspace
    .getConfiguration()
    .update(
      'tonWorkbench.webhooks.allowedHosts',
      [...hosts.filter((known) => known !== host), host],
      vscode.ConfigurationTarget.Global,
    );
  await webhooks.followSettings();
  void vscode.window.showInformationMessage(
    `Webhooks for ${host} are allowed now. Give https://${host}${readSetting(vscode.workspace, 'tonWorkbench.webhooks.path')} to the payment service; in production, it only delivers to https.`,
  );
}

function hostProblem(text: string): string | undefined {
  const host = text.trim();
  if (host === '') {
    return 'Enter a host name, or press Escape to cancel.';
  }
  return /^(\*\.)?[\w-]+(\.[\w-]+)*(:\d{1,5})?$/.test(host)
    ? undefined
    : 'Enter a host name such as pay-test.example.com, without https:// or a path.';
}

/** Chooses what is forwarded to the developer's own application, and where. */
export async function forwardWebhooks({ webhooks }: WebhookServices): Promise<void> {
  const { workspace } = vscode;
  const { deliveries: now, url } = readSetting(workspace, 'tonWorkbench.webhooks.forward');
  const items = [
    { label: 'Verified deliveries', detail: 'Deliveries with a valid signature.', which: 'verified' },
    { label: 'All deliveries', detail: 'Even forged ones, to see what your application does.', which: 'all' },
    { label: 'Nothing', detail: 'Do not forward.', which: 'off' },
  ].map((item) => ({ ...item, description: item.which === now ? 'now' : '' }));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'TON: Forward Webhooks',
    placeHolder:
      url === '' ? 'Choose what to forward to your application' : `Choose what to forward to ${url}`,
  });
  if (picked === undefined) {
    return;
  }
  let to = url;
  if (picked.which !== 'off') {
    const { parseEndpoint } = await import('../../toolkit/webhook/send/parseEndpoint');
    const target = await askText({
      title: 'TON: Forward Webhooks to',
      prompt: "Your application's webhook. Bytes and headers arrive unchanged; redirects are not followed.",
      placeholder: 'http://127.0.0.1:3000/webhook',
      value: url,
      validate: (text) => problemOf(() => parseEndpoint(text.trim())),
    });
    if (typeof target !== 'string') {
      return;
    }
    to = parseEndpoint(target.trim()).href;
  }
  await workspace
    .getConfiguration()
    .update(
      'tonWorkbench.webhooks.forward',
      { deliveries: picked.which, url: to },
      vscode.ConfigurationTarget.Global,
    );
  await webhooks.followSettings();
}

/** Why input is invalid, as a validation message. */
export function problemOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return WorkbenchError.is(error) ? errorSentences(error) : String(error);
  }
}

/** The deliveries of the running or the last listener, or an error with the next step: for commands on their rows. */
export function requireInbox({ webhooks }: WebhookServices): WebhookInbox {
  const inbox = webhooks.inbox();
  if (inbox === undefined) {
    throw new WorkbenchError({
      code: 'webhooks-stopped',
      kind: 'input',
      message: 'The webhook listener is not running.',
      hint: 'Start it in the Webhooks view.',
    });
  }
  return inbox;
}

/**
 * The order of the orders file or of the payment API with this reference, or of this row.
 * @throws WorkbenchError `order-gone` (input)
 */
export async function requireOrder(
  { webhooks }: WebhookServices,
  given: string | WebhookRow,
): Promise<Order> {
  const reference = typeof given === 'string' ? given : (given.order?.reference ?? '');
  const { orders = [], problem } = await webhooks.orders.read();
  const order = [...orders, ...webhooks.orders.expected].find((one) => one.reference === reference);
  if (order !== undefined) {
    return order;
  }
  throw new WorkbenchError({
    code: 'order-gone',
    kind: 'input',
    message: problem ?? `The orders file has no order ${JSON.stringify(reference)}.`,
    hint:
      problem === undefined
        ? 'Save the file; it is read in trusted workspaces only.'
        : 'Correct the orders file and save it.',
  });
}

/** Maximum traces searched, newest first. */
const recentTraces = 30;

/** The latest transfers on the local network, which is started if needed. */
export async function recentTransfers(
  services: WebhookServices,
  signal: AbortSignal,
): Promise<HappenedTransfer[]> {
  const { happenedTransfers } = await import('../../toolkit/webhook/chain/happenedTransfers');
  const { traceSourceOf } = await import('../../toolkit/access/traceSourceOf');
  const { chainOf } = await import('../../toolkit/webhook/chain/chainOf');
  await services.localNetwork.ensureRunning(signal);
  const local = services.networks.list().find((network) => network.kind === 'local');
  if (local === undefined) {
    return [];
  }
  const access = await services.connections.to(local);
  const chain = chainOf(traceSourceOf(access), signal);
  const { traces } = await access.v3.traces({ limit: recentTraces, sort: 'desc' }, { signal });
  const ids = (traces ?? []).flatMap((trace) => trace.trace_id ?? []);
  const found = await Promise.all(ids.map((id) => chain.trace(id)));
  return found.flatMap((trace) => (trace === undefined ? [] : happenedTransfers(trace)));
}

/** Shared by the parts of this feature: the services, the traces to show payments in, and the listener. */
export interface WebhookServices extends TraceServices {
  webhooks: Webhooks;
  /** What was sent to the developer's own server. */
  sent: SentTests;
}

/** The workspace's unpaid orders. */
export async function openOrders({ webhooks }: WebhookServices): Promise<Order[]> {
  const { orders = [] } = await webhooks.orders.read();
  const known = (await webhooks.inbox()?.orders()) ?? [];
  const done = known.filter((order) => order.state === 'paid');
  return orders.filter(({ reference }) => !done.some((order) => order.reference === reference));
}

const key = 'webhookSentTests';

/** The tests that this workspace has sent to its own server, newest first, also in earlier sessions. */
export class SentTests implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #tests: readonly SentTest[];

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    this.#tests = memento.get<SentTest[]>(key, []);
  }

  all(): readonly SentTest[] {
    return this.#tests;
  }

  add(test: SentTest): void {
    this.#set([test, ...this.#tests].slice(0, limits.webhookSentTests.most));
  }

  clear(): void {
    this.#set([]);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #set(tests: readonly SentTest[]): void {
    this.#tests = tests;
    this.#changed.fire();
    void this.#memento.update(key, tests);
  }
}
