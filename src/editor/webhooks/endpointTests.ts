import * as vscode from 'vscode';
import { checkName } from '../../toolkit/webhook/check/checkRow';
import type { CheckRow, ShopRule } from '../../toolkit/webhook/check/checkRow';
import type { ScenarioName } from '../../toolkit/webhook/send/scenarios';
import { shortUrl } from './endpoints';

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
