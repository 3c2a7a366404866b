import * as vscode from 'vscode';
import type { GetMethodRequest } from '../../commandTargets';
import { setContextKey } from '../../contextKeys';
import { runCommand } from '../../contributions';
import type { ContractDescription, ContractMethod } from '../../toolkit/contracts/abi/contractDescription';
import { methodNamed } from '../../toolkit/contracts/abi/methodNamed';
import type { Network } from '../../toolkit/access/network';
import { isLink, linkedAccount } from '../../toolkit/address/parseAddressInput';
import { isDomain, resolveAccount } from '../../toolkit/address/resolveAccount';
import { shortAddress } from '../../toolkit/address/shortAddress';
import { toWorkbenchError } from '../../toolkit/base/errors';
import { methodNameProblem } from '../../toolkit/getMethods/getMethodErrors';
import { accountReader, linkReader } from '../project/accountReader';
import { accountName, accountSuggestions, accountsByName, knownAccounts } from '../project/accountName';
import { domainLookUp } from '../project/domainLookUp';
import { networkOfText, switchToLinked } from '../networks/addNetwork';
import { methodsOf } from '../project/methodsOf';
import type { Services } from '../project/services';
import type { Back, Suggestion } from '../ui/askText';
import { back, pickOrType } from '../ui/askText';
import { afterAnswers } from '../ui/registerCommands';
import { withProgress } from '../ui/withProgress';
import { ArgumentQuestions } from './argumentQuestions';
import { callOnNetwork, noteAnswer } from './copyCallCommand';
import type { CompleteCall } from './recentCalls';
import { RecentCalls } from './recentCalls';
import { showGetMethodResult } from './showGetMethodResult';

/** TON: Run Get-Method…: asks for missing parts, runs the call on its network, and opens the result. */
export async function runGetMethodCommand(services: Services, call: GetMethodRequest = {}): Promise<void> {
  const recent = new RecentCalls(services.context.workspaceState);
  const network = await ready(services, call.network);
  const complete = await askGetMethodCall(services, recent, network, call);
  if (complete === undefined) {
    return;
  }
  const { address, method, stack } = complete;
  await afterAnswers([{ ...call, address, method, stack }], () =>
    runComplete(services, recent, network, complete, call.beside),
  );
}

async function runComplete(
  services: Services,
  recent: RecentCalls,
  network: Network,
  complete: CompleteCall,
  beside: boolean | undefined,
): Promise<void> {
  const remembered = { network: network.name, ...complete };
  await recent.add({ ...remembered, at: Date.now() });
  const answer = await withProgress(`${complete.method} on ${network.name}`, (signal) =>
    callOnNetwork(services, network, complete, { signal, priority: 'user' }),
  );
  await recent.answered(remembered, await noteAnswer(services, complete, answer, { isAsked: true }));
  setContextKey(vscode.commands, 'tonWorkbench.getMethodAnswered', true);
  await showGetMethodResult(services, complete, answer, beside);
}

/** The network of the call, started if needed: the current one, or one by name. */
async function ready({ networks, connections }: Services, name?: string): Promise<Network> {
  const wanted = networks.find(name) ?? networks.current();
  const { network } = await withProgress(`Connecting to ${wanted.name}`, (signal) =>
    connections.open(wanted, signal),
  );
  return network;
}

/**
 * Asks for the missing parts of a call, with a back button: the contract, its method, then each parameter, or
 * the whole stack if parameters are unknown or the user prefers that.
 * @returns the complete call, or undefined if the user canceled
 */
async function askGetMethodCall(
  services: Services,
  recent: RecentCalls,
  network: Network,
  given: GetMethodRequest,
): Promise<CompleteCall | undefined> {
  const conversation = new Conversation(services, recent, network, given);
  let step = 1;
  while (!conversation.isComplete(step)) {
    const answer = await conversation.ask(step);
    if (answer === undefined) {
      return undefined;
    }
    step += answer === back ? -1 : 1;
  }
  return conversation.call();
}

/** The answers so far; step 1 is the contract, 2 the method, 3 the arguments. */
class Conversation {
  readonly #services: Services;
  readonly #recent: RecentCalls;
  readonly #network: Network;
  readonly #given: GetMethodRequest;
  #address: string | undefined;
  #method: string | undefined;
  #description: Promise<ContractDescription | undefined> | undefined;
  /** Why the contract cannot be described. */
  #problem: { label: string; detail: string } | undefined;
  #arguments: ArgumentQuestions | undefined;

  constructor(services: Services, recent: RecentCalls, network: Network, given: GetMethodRequest) {
    this.#services = services;
    this.#recent = recent;
    this.#network = network;
    this.#given = given;
  }

  /** Whether everything before this step is known. */
  isComplete(step: number): boolean {
    if (step <= 2) {
      return false;
    }
    return this.#given.stack !== undefined || step > 3;
  }

  call(): CompleteCall {
    return {
      address: this.#address ?? '',
      method: this.#method ?? '',
      ...(this.#given.stack === undefined
        ? (this.#arguments?.answers() ?? { stack: '' })
        : { stack: this.#given.stack }),
    };
  }

  async ask(step: number): Promise<'next' | Back | undefined> {
    if (step === 1) {
      return this.#askContract();
    }
    if (step === 2) {
      return this.#askMethod();
    }
    this.#arguments ??= await this.#questions();
    const answer = await this.#arguments.ask(2);
    // The previous step was given beforehand and cannot be revisited, so going back cancels.
    return answer === back && this.#given.method !== undefined ? undefined : answer;
  }

  async #askContract(): Promise<'next' | undefined> {
    const address =
      this.#given.address ?? (await askContract(this.#services, this.#recent, this.#network, this.#address));
    if (address === undefined) {
      return undefined;
    }
    this.#address = address;
    this.#description = this.#describe(address);
    return 'next';
  }

  async #askMethod(): Promise<'next' | Back | undefined> {
    this.#arguments = undefined;
    const answer =
      this.#given.method ??
      (await askMethod({
        recent: this.#recent,
        network: this.#network.name,
        address: this.#address ?? '',
        name: accountName(this.#services)(this.#address ?? ''),
        value: this.#method,
        description: this.#described(),
        problem: () => this.#problem,
      }));
    if (answer === back) {
      return this.#given.address === undefined ? back : undefined;
    }
    this.#method = answer;
    return answer === undefined ? undefined : 'next';
  }

  async #questions(): Promise<ArgumentQuestions> {
    const description = await withProgress('Looking up the method', () => this.#described());
    const before = this.#recent.last(this.#network.name, this.#address ?? '', this.#method ?? '');
    return ArgumentQuestions.create(this.#services, {
      method: this.#method ?? '',
      signature: methodNamed(description, this.#method ?? '')?.signature,
      before,
    });
  }

  #described(): Promise<ContractDescription | undefined> {
    return this.#description ?? Promise.resolve(undefined);
  }

  /** Without it the call works untyped; an unreachable network is reported when the call is made. */
  async #describe(address: string): Promise<ContractDescription | undefined> {
    this.#problem = undefined;
    try {
      const raw = resolveAccount(address, accountsByName(this.#services, this.#network));
      return await methodsOf(this.#services, this.#network, raw);
    } catch (error) {
      this.#services.log.debug(`methods of ${address}: ${String(error)}`);
      this.#problem = {
        label: 'The methods of this contract cannot be read',
        detail: toWorkbenchError(error).message,
      };
      return undefined;
    }
  }
}

/** Asks for a contract: a recently called one, a known account by name, or an address in any form. */
async function askContract(
  services: Services,
  recent: RecentCalls,
  network: Network,
  value: string | undefined,
): Promise<string | undefined> {
  const names = accountName(services);
  const called = recent.addresses(network.name);
  const suggestions: Suggestion[] = [
    ...called.map((address) => {
      const name = names(address);
      const short = shortAddress(address);
      return {
        ...{ value: address, label: name ?? short, icon: 'history' },
        ...(name === undefined ? {} : { description: short }),
      };
    }),
    ...accountSuggestions(knownAccounts(services)),
  ];
  const answer = await pickOrType({
    title: `TON: Run Get-Method on ${network.name}`,
    placeholder: 'Contract address in any form, or an account name',
    step: 1,
    totalSteps: 3,
    ...(value === undefined ? {} : { value }),
    suggestions: withGroups(suggestions, called.length, 'recent', 'accounts'),
    read: linkReader(
      accountReader(
        () => accountsByName(services),
        (raw) => accountName(services)(raw),
      ),
    ),
    lookUp: domainLookUp(services, network),
  });
  if (answer === back || answer === undefined) {
    return undefined;
  }
  if (isLink(answer)) {
    return linkedContract(services, network, answer.trim());
  }
  // A domain can later name another account; the call is remembered for this one.
  return isDomain(answer) ? resolveAccount(answer, accountsByName(services)) : answer;
}

/** A link of another network begins again there, if the user agrees. */
async function linkedContract(
  services: Services,
  network: Network,
  link: string,
): Promise<string | undefined> {
  const address = linkedAccount(link);
  if ((await networkOfText(services, link))?.name === network.name) {
    return address;
  }
  if (await switchToLinked(services, link)) {
    void runCommand(vscode.commands, 'tonWorkbench.runGetMethod', { address });
  }
  return undefined;
}

/** Methods of many contracts; offered if the contract's own are unknown. */
const commonMethods: readonly [name: string, meaning: string][] = [
  ['seqno', 'wallets: the next sequence number'],
  ['get_public_key', 'wallets: the key that signs'],
  ['get_jetton_data', 'jetton minter (TEP-74): supply, admin, content'],
  ['get_wallet_address', "jetton minter (TEP-74): an owner's jetton wallet; takes an address"],
  ['get_wallet_data', 'jetton wallet (TEP-74): balance, owner, minter'],
  ['get_nft_data', 'NFT item (TEP-62): index, collection, owner'],
  ['get_collection_data', 'NFT collection (TEP-62): next index, content, owner'],
];

interface AskMethodParameters {
  recent: RecentCalls;
  network: string;
  address: string;
  /** The contract's name, if it has one. */
  name: string | undefined;
  /** The previous answer. */
  value: string | undefined;
  /** What is known about the contract; undefined if it cannot be read. */
  description: Promise<ContractDescription | undefined>;
  /** Why it cannot be read, once that is known. */
  problem: () => { label: string; detail: string } | undefined;
}

/** Asks for a get-method: one of the contract's, shown with signature and source, or any name or id. */
async function askMethod(parameters: AskMethodParameters): Promise<string | Back | undefined> {
  const { recent, network, address, name, value, description, problem } = parameters;
  const [here, elsewhere] = [recent.methodsOf(network, address), recent.methods(network)];
  const { methodSuggestion } = await import('./methodSuggestion');
  return pickOrType({
    title: `TON: Run Get-Method on ${name ?? shortAddress(address)}`,
    placeholder: 'Name of the get-method',
    step: 2,
    totalSteps: 3,
    ...(value === undefined ? {} : { value }),
    suggestions: untyped([...new Set([...here, ...elsewhere])]),
    later: description.then((known) =>
      known === undefined || known.methods.length === 0
        ? untyped([...new Set([...here, ...elsewhere])])
        : ownMethods(known.methods, here, methodSuggestion),
    ),
    problem,
    read: (text) => {
      const reason = methodNameProblem(text);
      return reason === undefined ? { ok: true, label: text } : { ok: false, reason };
    },
  });
}

/** Previously called ones first. */
function ownMethods(
  methods: readonly ContractMethod[],
  used: readonly string[],
  suggestion: (method: ContractMethod, isRecent: boolean) => Suggestion,
): Suggestion[] {
  const called = used.flatMap((name) => methods.find((method) => method.name === name) ?? []);
  const others = methods.filter((method) => !called.includes(method));
  return withGroups(
    [
      ...called.map((method) => suggestion(method, true)),
      ...others.map((method) => suggestion(method, false)),
    ],
    called.length,
    'recent',
    'methods of this contract',
  );
}

function untyped(used: readonly string[]): Suggestion[] {
  const common = commonMethods.filter(([name]) => !used.includes(name));
  return withGroups(
    [
      ...used.map((method) => ({ value: method, label: method, icon: 'history' })),
      ...common.map(([name, meaning]) => ({ value: name, label: name, description: meaning })),
    ],
    used.length,
    'recent',
    'common',
  );
}

/** The suggestions in two groups: the first `split`, and the rest. */
function withGroups(
  suggestions: readonly Suggestion[],
  split: number,
  first: string,
  second: string,
): Suggestion[] {
  return suggestions.map((suggestion, index) => {
    if (index === 0 && split > 0) {
      return { ...suggestion, group: first };
    }
    return index === split ? { ...suggestion, group: second } : suggestion;
  });
}
