import * as vscode from 'vscode';
import { isListening } from '../../toolkit/base/isListening';
import type { CheckRow, ShopRule } from '../../toolkit/webhook/check/shopRules';
import { checkName } from '../../toolkit/webhook/check/shopRules';
import { receiverUrl } from '../../toolkit/webhook/receiver/receiverSource';
import type { ScenarioName } from '../../toolkit/webhook/send/scenarios';
import type { Suggestion } from '../ui/askText';
import { pickOrType } from '../ui/askText';
import type { WebhookServices } from './listenerCommands';
import { problemOf } from './listenerCommands';
import { readWebhookSettings } from './webhookSettings';

/** One rule as a test; the scenario `reserialized` has two. */
interface RuleTest {
  scenario: ScenarioName;
  rule: string;
  /** If it is about the shop's orders. */
  shop?: ShopRule;
}

/** Runs an endpoint's check: the scenarios to run, and a callback per row. */
export type RunCheck = (
  url: URL,
  options: {
    only: readonly ScenarioName[] | undefined;
    /** Also the rules about the shop's orders, which are tested together. */
    withOrders: boolean;
    signal: AbortSignal;
    onRow: (row: CheckRow, count: number, of: number) => void;
  },
) => Promise<void>;

/** What each test is about: a scenario, or the shop's orders. */
type ScenarioOf = WeakMap<vscode.TestItem, ScenarioName | 'orders'>;

/** The rules of a webhook receiver in the Test Explorer, a group per endpoint. Created by the first check. */
export class EndpointTests implements vscode.Disposable {
  readonly #controller: vscode.TestController;
  readonly #run: RunCheck;
  readonly #scenarios: ScenarioOf = new WeakMap();

  constructor(run: RunCheck) {
    this.#run = run;
    this.#controller = vscode.tests.createTestController(
      'tonWorkbench.webhookEndpoints',
      'TON webhook receivers',
    );
    this.#controller.createRunProfile(
      'Check',
      vscode.TestRunProfileKind.Run,
      (request, token) => this.#rerun(request, token),
      true,
    );
  }

  /** Shows a check in the Test Explorer while it runs. */
  begin(url: URL, rules: readonly RuleTest[]): EndpointTestRun {
    const item = this.#itemFor(url, rules);
    return new EndpointTestRun(
      this.#controller.createTestRun(new vscode.TestRunRequest([item])),
      item,
      this.#scenarios,
    );
  }

  dispose(): void {
    this.#controller.dispose();
  }

  #itemFor(url: URL, rules: readonly RuleTest[]): vscode.TestItem {
    const known = this.#controller.items.get(url.href);
    if (known?.children.size === rules.length) {
      return known;
    }
    const item = this.#controller.createTestItem(url.href, shortUrl(url));
    for (const [index, test] of rules.entries()) {
      const { scenario, rule, shop } = test;
      const child = this.#controller.createTestItem(testId(scenario, rule), rule);
      child.description = shop === undefined ? scenario : checkName(test);
      this.#scenarios.set(child, shop === undefined ? scenario : 'orders');
      child.sortText = String(index).padStart(2, '0');
      item.children.add(child);
    }
    this.#controller.items.add(item);
    return item;
  }

  async #rerun(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const chosen = request.include ?? [...this.#controller.items].map(([, item]) => item);
    for (const endpoint of new Set(chosen.map((item) => item.parent ?? item))) {
      const rules = chosen.filter((item) => item.parent === endpoint);
      const only = chosen.includes(endpoint)
        ? undefined
        : new Set(rules.flatMap((item) => this.#scenarios.get(item) ?? []));
      const run = new EndpointTestRun(
        this.#controller.createTestRun(request),
        endpoint,
        this.#scenarios,
        only,
      );
      const controller = new AbortController();
      const canceled = token.onCancellationRequested(() => controller.abort());
      try {
        await this.#run(new URL(endpoint.id), {
          only: only && [...only].filter((one) => one !== 'orders'),
          withOrders: only?.has('orders') ?? true,
          signal: controller.signal,
          onRow: (row) => run.add(row),
        });
      } catch (error) {
        run.fail(error instanceof Error ? error.message : String(error));
      } finally {
        canceled.dispose();
        run.end();
      }
    }
  }
}

/** A running check in the Test Explorer. */
class EndpointTestRun {
  readonly #run: vscode.TestRun;
  readonly #items = new Map<string, vscode.TestItem>();

  constructor(
    run: vscode.TestRun,
    endpoint: vscode.TestItem,
    scenarios: ScenarioOf,
    only?: ReadonlySet<ScenarioName | 'orders'>,
  ) {
    this.#run = run;
    for (const [id, item] of endpoint.children) {
      const scenario = scenarios.get(item);
      if (only === undefined || (scenario !== undefined && only.has(scenario))) {
        this.#items.set(id, item);
        run.enqueued(item);
      }
    }
  }

  add(row: CheckRow): void {
    const id = testId(row.scenario, row.rule);
    const item = this.#items.get(id);
    if (item === undefined) {
      return;
    }
    this.#items.delete(id);
    this.#run.started(item);
    this.#run.appendOutput(
      `${row.tolerated ? 'tolerated' : row.ok ? 'ok' : 'FAILED'}  ${row.rule}: expected ${row.expected}, got ${row.got}${row.note === null ? '' : `. ${row.note}`}\r\n`,
      undefined,
      item,
    );
    if (row.ok) {
      this.#run.passed(item, row.ms);
    } else {
      const text = `Expected ${row.expected}, got ${row.got}. ${row.note ?? ''}`.trim();
      this.#run.failed(item, vscode.TestMessage.diff(text, row.expected, row.got), row.ms);
    }
  }

  /** The check was interrupted: the remaining rules could not be tested. */
  fail(reason: string): void {
    this.#items.forEach((item) => this.#run.errored(item, new vscode.TestMessage(reason)));
    this.#items.clear();
  }

  end(): void {
    this.#items.forEach((item) => this.#run.skipped(item));
    this.#run.end();
  }
}

function testId(scenario: ScenarioName, rule: string): string {
  return `${scenario}: ${rule}`;
}

const key = 'webhookEndpoints';
const listenerChoice = 'listener';
const remembered = 10;

/** The target of a webhook. */
export interface WebhookEndpoint {
  url: URL;
  /** Whether it is this window's own listener. */
  isListener: boolean;
}

/** The receivers that this workspace has used, newest first. */
function recentEndpoints({ context }: WebhookServices): string[] {
  return context.workspaceState.get<string[]>(key, []);
}

/** Offers a receiver first from now on. */
export async function rememberEndpoint(services: WebhookServices, url: string): Promise<void> {
  const rest = recentEndpoints(services).filter((known) => known !== url);
  await services.context.workspaceState.update(key, [url, ...rest].slice(0, remembered));
}

/**
 * Asks for a target: this window's listener (started if needed) or any URL of the developer.
 * @param options.listener false: only the developer's own receivers
 * @returns undefined if the user canceled
 */
export async function askEndpoint(
  services: WebhookServices,
  title: string,
  options: { listener: boolean },
): Promise<WebhookEndpoint | undefined> {
  const { parseEndpoint } = await import('../../toolkit/webhook/send/parseEndpoint');
  const answer = await pickOrType({
    title,
    placeholder: `Webhook URL, for example ${receiverUrl()}`,
    suggestions: await suggestions(services, options.listener),
    read: (text) => {
      const reason = problemOf(() => parseEndpoint(text));
      return reason === undefined
        ? { ok: true, label: /^https?:/i.test(text) ? text : parseEndpoint(text).href }
        : { ok: false, reason };
    },
  });
  if (typeof answer !== 'string') {
    return undefined;
  }
  if (answer === listenerChoice) {
    return listenerEndpoint(services);
  }
  const url = parseEndpoint(answer);
  await rememberEndpoint(services, url.href);
  return { url, isListener: false };
}

/** This window's listener as a receiver; starts it if needed. */
export async function listenerEndpoint({ webhooks }: WebhookServices): Promise<WebhookEndpoint> {
  const { listener } = await webhooks.ensureRunning();
  return { url: new URL(listener.url), isListener: true };
}

/** The receivers that are known, those that listen on this machine first, and where a made one listens. */
async function suggestions(services: WebhookServices, withListener: boolean): Promise<Suggestion[]> {
  const { forward } = readWebhookSettings();
  const made = receiverUrl();
  const urls = [...(forward === undefined ? [] : [forward.url]), ...recentEndpoints(services), made];
  const known = await Promise.all(
    // What the settings name may be no URL.
    [...new Set(urls)]
      .filter((url) => URL.canParse(url))
      .map(async (url) => ({ url, listens: await isListening(new URL(url)) })),
  );
  const state = services.webhooks.state();
  const own: Suggestion = {
    value: listenerChoice,
    label: "This window's listener",
    description: state.kind === 'running' ? state.listener.url : 'starts it',
    icon: 'radio-tower',
  };
  return [
    ...(withListener ? [own] : []),
    ...known
      .toSorted((one, other) => Number(other.listens === true) - Number(one.listens === true))
      .map(({ url, listens }) => ({
        value: url,
        label: url,
        icon:
          url === forward?.url ? 'export' : recentEndpoints(services).includes(url) ? 'history' : 'server',
        ...(listens === undefined ? {} : { description: listens ? 'listens' : 'nothing listens there now' }),
      })),
  ];
}

/** `127.0.0.1:3000/webhook`, as shown in titles. */
export function shortUrl(url: URL): string {
  return `${url.host}${url.pathname}`;
}

/** Shows a success message for a moment. */
export function tellQuietly(text: string): void {
  void vscode.window.setStatusBarMessage(text, 5000);
}
