import type * as vscode from 'vscode';
import { asCommand } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { CheckRow } from '../../toolkit/webhook/check/shopRules';
import type { WebhookProvider } from '../../toolkit/webhook/provider/webhookProvider';
import type { ReceiverFramework } from '../../toolkit/webhook/receiver/receiverSource';
import { frameworkTitles } from '../../toolkit/webhook/receiver/receiverSource';
import { describeCheck } from '../../toolkit/webhook/views/describeCheck';
import type { ReadOnlyDocument } from '../ui/readOnlyDocuments';
import { withProgress } from '../ui/withProgress';
import type { CheckSetup } from './askCheckSetup';
import { askCheckSetup } from './askCheckSetup';
import type { RunCheck } from './endpointTests';
import { EndpointTests, askEndpoint, rememberEndpoint, shortUrl } from './endpointTests';
import type { WebhookServices } from './listenerCommands';
import { askFramework, knownFramework } from './newReceiverCommand';
import { readWebhookSettings } from './webhookSettings';

/** What a check found. */
interface Checked {
  url: URL;
  setup: CheckSetup;
  rows: readonly CheckRow[];
  /** Whose deliveries were sent. */
  provider: WebhookProvider;
}

/** TON: Check My Webhook Endpoint…: runs every scenario against the developer's receiver and reports rule by rule. */
export class EndpointChecks implements vscode.Disposable {
  readonly #services: WebhookServices;
  readonly #setups = new Map<string, CheckSetup>();
  /** The reports of this window, by their paths. */
  readonly #reports = new Map<string, Checked>();
  #tests: EndpointTests | undefined;

  constructor(services: WebhookServices) {
    this.#services = services;
  }

  /** Asks for missing parts, checks, and opens the report; the Test Explorer shows the same rule by rule. */
  async check(given?: string): Promise<void> {
    const title = 'TON: Check My Webhook Endpoint';
    const { parseEndpoint } = await import('../../toolkit/webhook/send/parseEndpoint');
    const { endpointRules } = await import('../../toolkit/workflows/checkEndpoint');
    const { providerOf } = await import('../../toolkit/webhook/provider/providerOf');
    const { headersToRead } = await import('../../toolkit/webhook/send/headersToSend');
    const url =
      given === undefined
        ? (await askEndpoint(this.#services, title, { listener: false }))?.url
        : parseEndpoint(given);
    const setup = url && (this.#known(given) ?? (await askCheckSetup(this.#services, title)));
    if (url === undefined || setup === undefined) {
      return;
    }
    this.#setups.set(url.href, setup);
    await rememberEndpoint(this.#services, url.href);
    const provider = providerOf(setup.service);
    const rules = endpointRules({
      signatureHeaders: headersToRead(provider, readWebhookSettings().signatureHeaders),
      provider,
      hasSecret: setup.secretName !== undefined,
      withOrders: setup.ordersUrl !== undefined,
    });
    this.#tests ??= new EndpointTests(this.#run);
    const run = this.#tests.begin(url, rules);
    const rows: CheckRow[] = [];
    try {
      await withProgress(`Checking ${shortUrl(url)}`, (signal, report) =>
        this.#run(url, {
          only: undefined,
          withOrders: true,
          signal,
          onRow: (row, count, of) => {
            rows.push(row);
            run.add(row);
            report(`${count} of ${of}: ${row.rule}`);
          },
        }),
      );
    } catch (error) {
      run.fail(error instanceof Error ? error.message : String(error));
      throw error;
    } finally {
      run.end();
    }
    await this.#show({ url, setup, rows, provider });
  }

  /** Asks for the framework of the fixes; the reports that are open change to it. */
  async chooseFramework(): Promise<void> {
    const { documents } = this.#services;
    const framework = await askFramework(this.#services, 'TON: Framework of Webhook Fixes');
    if (framework === undefined) {
      return;
    }
    for (const [path, checked] of this.#reports) {
      if (documents.isOpen(path)) {
        documents.keep(path, reportOf(checked, framework));
      } else {
        this.#reports.delete(path);
      }
    }
  }

  dispose(): void {
    this.#tests?.dispose();
  }

  /** Checks again with the endpoint's last setup. */
  readonly #run: RunCheck = async (url, { only, withOrders, signal, onRow }) => {
    const { checkEndpoint } = await import('../../toolkit/workflows/checkEndpoint');
    const { providerOf } = await import('../../toolkit/webhook/provider/providerOf');
    const { headersToRead } = await import('../../toolkit/webhook/send/headersToSend');
    const { tellsAmount } = await import('../../toolkit/webhook/check/shopRules');
    const setup = this.#setups.get(url.href);
    const secret = setup && (await this.#secretOf(setup));
    if (setup === undefined || secret === undefined) {
      throw new WorkbenchError({
        code: 'check-not-set-up',
        kind: 'input',
        message: `The secret for checking ${url.href} no longer exists.`,
        hint: 'Run TON: Check My Webhook Endpoint… again.',
      });
    }
    const { coin, signatureHeaders: named } = readWebhookSettings();
    const provider = providerOf(setup.service);
    const signatureHeaders = headersToRead(provider, named);
    const { fields, ordersUrl } = setup;
    // A receiver that looks for every payment on the chain needs the shop for a sample, too.
    const shop =
      ordersUrl === undefined || (!withOrders && tellsAmount(provider))
        ? undefined
        : { ordersUrl: new URL(ordersUrl), access: await this.#localAccess(signal) };
    const check = { url, secret, fields, only, provider, signatureHeaders, coin, signal };
    for await (const event of checkEndpoint({ ...check, shop, withOrders })) {
      if (event.type === 'row') {
        onRow(event.row, event.count, event.of);
      }
    }
  };

  /** @returns undefined if it was removed */
  async #secretOf({ secretName }: CheckSetup): Promise<string | undefined> {
    if (secretName === undefined) {
      return '';
    }
    const secrets = await this.#services.webhooks.secrets.all();
    return secrets.find(({ name }) => name === secretName)?.value;
  }

  async #localAccess(signal: AbortSignal): Promise<Access> {
    const { localNetwork, connections, networks } = this.#services;
    await localNetwork.ensureRunning(signal);
    return connections.to(networks.local());
  }

  #known(url: string | undefined): CheckSetup | undefined {
    return url === undefined ? undefined : this.#setups.get(url);
  }

  async #show(checked: Checked): Promise<void> {
    const { url } = checked;
    const path = `webhook-check/${encodeURIComponent(url.href)}/check ${url.host}`;
    this.#reports.set(path, checked);
    const framework = (await knownFramework(this.#services)) ?? 'express';
    await this.#services.documents.show(path, reportOf(checked, framework), { language: 'ton-report' });
  }
}

/** The report, each fix with a way to copy it. */
function reportOf({ url, setup, rows, provider }: Checked, framework: ReceiverFramework): ReadOnlyDocument {
  const reference = setup.fields['reference'];
  const { text, fixes } = describeCheck(
    rows,
    { url: url.href, secretName: setup.secretName, reference, ordersUrl: setup.ordersUrl },
    framework,
    provider,
  );
  const copies = fixes.map(({ name, line, code }) => ({
    name,
    line,
    command: asCommand('tonWorkbench.copyWebhookFix', '$(copy) Copy Fix', code),
  }));
  return {
    text,
    lenses: [
      asCommand('tonWorkbench.checkWebhookEndpoint', '$(refresh) Check again', url.href),
      { command: 'workbench.view.testing.focus', title: '$(beaker) Test Explorer' },
      ...(fixes.length === 0
        ? []
        : [
            asCommand(
              'tonWorkbench.chooseWebhookFramework',
              `Fixes for ${frameworkTitles[framework]}; switch…`,
            ),
            asCommand('tonWorkbench.newWebhookReceiver', '$(new-file) New Webhook Receiver…'),
          ]),
    ],
    lineLenses: copies,
    links: copies.map(({ name, command }) => ({ words: name, command: { ...command, title: 'Copy Fix' } })),
  };
}
