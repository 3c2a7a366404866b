import * as vscode from 'vscode';
import type { GetMethodRequest, MethodRow } from '../../commandTargets';
import { methodNamed, ownMethodId } from '../../toolkit/contracts/abi/methodNamed';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';
import type { Priority } from '../../toolkit/access/limiter';
import type { Network } from '../../toolkit/access/network';
import { lowerHex } from '../../toolkit/address/lowerHex';
import { resolveAccount } from '../../toolkit/address/resolveAccount';
import { textHash } from '../../toolkit/build/textHashes';
import { methodKey } from '../../toolkit/gas/gasKeys';
import type { ExportedCall } from '../../toolkit/getMethods/exportedCall';
import { isSuccess } from '../../toolkit/getMethods/getMethodResult';
import type { SummaryOptions } from '../../toolkit/getMethods/summarizeResult';
import type { LastAnswer, SummaryPart } from '../../toolkit/getMethods/summaryText';
import { LastAnswers } from '../../toolkit/getMethods/summaryText';
import { ownValue } from '../../toolkit/base/collections';
import type { ContractAnswer } from '../../toolkit/workflows/callContract';
import { accountName, accountsByName } from '../project/accountName';
import { perWindow } from '../networks/sourceNames';
import { methodsOf } from '../project/methodsOf';
import type { Services } from '../project/services';
import { coinLabel } from '../ui/readWorkspaceFile';
import { currentText } from '../ui/openDocument';
import { withProgress } from '../ui/withProgress';
import { gasFigures } from './gasFigures';
import type { CompleteCall } from './recentCalls';
import { RecentCalls } from './recentCalls';

const forms = [
  { label: 'TypeScript', description: 'with @ton/ton if possible, otherwise with fetch', form: 'typescript' },
  {
    label: 'curl',
    description: 'v3 if it can carry the arguments, otherwise v2; the key is read from TON_API_KEY',
    form: 'curl',
  },
  { label: 'Test', description: 'for node:test: expects the current answer', form: 'node:test' },
  { label: 'Test', description: 'for jest: expects the current answer', form: 'jest' },
] as const;

/** Copies a call for use elsewhere: the given one, the last of a row, else the last. */
export async function copyCallCommand(
  services: Services,
  asked: GetMethodRequest | MethodRow = {},
): Promise<void> {
  const given = 'pin' in asked ? rowCall(services, asked) : asked;
  const [last] = new RecentCalls(services.context.workspaceState).all();
  const call = given.address === undefined ? last : given;
  if (call?.address === undefined || call.method === undefined) {
    void vscode.window.showInformationMessage('Run a get-method first: this copies the last call.');
    return;
  }
  const picked = await vscode.window.showQuickPick(forms, {
    title: `TON: Copy ${call.method} as`,
    placeHolder: 'Choose a format',
  });
  if (picked === undefined) {
    return;
  }
  const [{ exportAsCurl, exportAsTypeScript }, { parseStackText }, { parseAddressInput }] = await Promise.all(
    [
      import('../../toolkit/getMethods/exportedCall'),
      import('../../toolkit/stack/parseStackText'),
      import('../../toolkit/address/parseAddressInput'),
    ],
  );
  const { networks } = services;
  const network = networks.find(call.network) ?? networks.current();
  const accounts = accountsByName(services, network);
  const parsed = parseAddressInput(resolveAccount(call.address, accounts));
  const address = parsed.toString();
  const { method, stack = '' } = call;
  const description = await methodsOf(services, network, parsed.toRawString()).catch(() => undefined);
  const exported: ExportedCall = {
    ...{ network, address, method },
    methodId: ownMethodId(methodNamed(description, method)?.signature),
    stack: parseStackText(stack, { accounts }),
  };
  const isTest = picked.form === 'node:test' || picked.form === 'jest';
  const text = isTest
    ? await asTest(services, exported, { address, method, stack }, picked.form)
    : picked.form === 'curl'
      ? exportAsCurl(exported)
      : exportAsTypeScript(exported);
  await vscode.env.clipboard.writeText(text);
  void vscode.window.setStatusBarMessage(`Copied ${method} as ${picked.label}`, 4000);
}

/** The last call of a row's get-method, or the call without arguments. */
function rowCall(services: Services, { pin: { network, address }, method }: MethodRow): GetMethodRequest {
  const { calls = {} } = services.pins.find(network, address) ?? {};
  return { network, address, method: method.name, stack: ownValue(calls, method.name)?.stack ?? '' };
}

/** A test asserts the current answer, so the call is run now. */
async function asTest(
  services: Services,
  exported: ExportedCall,
  call: { address: string; method: string; stack: string },
  form: 'node:test' | 'jest',
): Promise<string> {
  const network = services.networks.find(exported.network.name);
  const { result } = await withProgress(`${call.method} on ${exported.network.name}`, (signal) =>
    callOnNetwork(services, network ?? services.networks.current(), call, { signal, priority: 'user' }),
  );
  const { exportAsTest } = await import('../../toolkit/getMethods/exportAsTest');
  return exportAsTest(exported, result, form);
}

/** Runs a call on a running network, with what this window knows about its accounts and contracts. */
export async function callOnNetwork(
  services: Services,
  network: Network,
  call: CompleteCall,
  options: { signal?: AbortSignal; priority?: Priority } = {},
): Promise<ContractAnswer> {
  const [access, { answerOf, callContract }] = await Promise.all([
    services.connections.to(network),
    import('../../toolkit/workflows/callContract'),
  ]);
  const { address, method, stack } = call;
  return answerOf(
    callContract({
      ...{ access, address, method, stack, ...options },
      accounts: accountsByName(services, network),
      describe: (raw) => methodsOf(services, network, raw, options.signal, options.priority),
      log: services.log,
    }),
  );
}

/** Options for showing an answer: the contract's types and errors, the user's names, and the coin's label. */
export function shownWith(
  services: Services,
  { words }: ContractAnswer,
): SummaryOptions & { origin?: string } {
  return { accountName: accountName(services), coinLabel: coinLabel(), ...words };
}

/** A call, and its answer in a few words. */
interface AnsweredCall extends Pick<CompleteCall, 'stack' | 'texts'> {
  summary: readonly SummaryPart[];
  /** Whether the user ran this call. */
  isAsked: boolean;
}

/**
 * The last answers of get-methods of the workspace's contracts, for the lenses in their sources. Kept for the
 * session.
 */
class SourceAnswers {
  readonly #services: Services;
  readonly #answers = new LastAnswers();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(services: Services) {
    this.#services = services;
    services.context.subscriptions.push(this.#changed);
  }

  /** Keeps an answer if the workspace knows its contract. */
  async note(
    { result, description }: Pick<ContractAnswer, 'result' | 'description'>,
    { stack, texts, summary, isAsked }: AnsweredCall,
  ): Promise<void> {
    const { name: contract, file, codeHash } = description ?? {};
    if (contract === undefined) {
      return;
    }
    const method = methodNamed(description, result.method)?.name ?? result.method;
    const hasChanged = this.#answers.note({
      contract,
      method,
      network: result.network,
      address: result.address,
      stack,
      ...(texts === undefined ? {} : { typed: texts.join(', ') }),
      answer: summary,
      failed: !isSuccess(result),
      gas: result.gasUsed,
      block: result.block,
      at: Date.now(),
      codeHash,
      source: await this.#sourceNow(file),
      isAsked,
    });
    if (result.gasUsed !== null && isSuccess(result)) {
      const last = this.#answers.of(contract, method);
      const typed = texts?.join(', ') ?? (last?.stack === stack ? last.typed : undefined);
      gasFigures(this.#services).note(methodKey(contract, method, typed ?? stack), result.gasUsed);
    }
    if (hasChanged) {
      this.#changed.fire();
    }
  }

  of(contract: string, method: string): LastAnswer | undefined {
    return this.#answers.of(contract, method);
  }

  ofContract(contract: string): LastAnswer[] {
    return this.#answers.ofContract(contract);
  }

  forget(answer: LastAnswer): void {
    if (this.#answers.forget(answer)) {
      this.#changed.fire();
    }
  }

  /** A source and the hash of its current text, to detect later edits. */
  async #sourceNow(file: string | undefined): Promise<LastAnswer['source']> {
    const uri = file === undefined ? undefined : this.#services.project.uriOf(file);
    if (file === undefined || uri === undefined || sourceLanguage(file) === undefined) {
      return undefined;
    }
    try {
      return { file, hash: textHash(await currentText(uri), file) };
    } catch (error) {
      this.#services.log.debug(`${file} cannot be read: ${String(error)}`);
      return undefined;
    }
  }
}

/** This window's answers. */
export const sourceAnswers = perWindow((services: Services) => new SourceAnswers(services));

/**
 * Records an answer in the row of a pinned contract and for the lens above its get-method, and returns its
 * summary.
 * @param isAsked whether the user ran this call; an answer that only keeps a view current does not replace
 * that of another call
 */
export async function noteAnswer(
  services: Services,
  call: CompleteCall,
  answer: ContractAnswer,
  { isAsked }: { isAsked: boolean },
): Promise<string> {
  const [{ summarizeResult }, { summaryText }, { isSuccess }] = await Promise.all([
    import('../../toolkit/getMethods/summarizeResult'),
    import('../../toolkit/getMethods/summaryText'),
    import('../../toolkit/getMethods/getMethodResult'),
  ]);
  const { result } = answer;
  const summary = summarizeResult(result, shownWith(services, answer));
  await services.pins.answered(result.network, lowerHex(result.address), {
    method: call.method,
    stack: call.stack,
    answer: summary,
    at: Date.now(),
    failed: !isSuccess(result),
    ...(call.texts === undefined ? {} : { texts: call.texts }),
    ...(result.block === undefined ? {} : { block: result.block }),
  });
  await sourceAnswers(services).note(answer, { ...call, summary, isAsked });
  return summaryText(summary);
}
