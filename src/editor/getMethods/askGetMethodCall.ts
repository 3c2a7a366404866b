import type { GetMethodRequest } from '../../commandTargets';
import type { ContractDescription } from '../../toolkit/abi/describeContract';
import { resolveAccount } from '../../toolkit/address/resolveAccount';
import type { Network } from '../../toolkit/access/network';
import { methodsOf } from '../project/methodsOf';
import { methodNamed } from '../../toolkit/abi/methodNamed';
import { toWorkbenchError } from '../../toolkit/errors';
import type { Services } from '../services';
import { back } from '../ui/back';
import type { Back } from '../ui/back';
import { withProgress } from '../ui/withProgress';
import { ArgumentQuestions } from './argumentQuestions';
import { askContract } from './askContract';
import { askMethod } from './askMethod';
import { accountName, accountsByName } from '../accounts/knownAccounts';
import type { CompleteCall, RecentCalls } from './recentCalls';

/**
 * Asks for the missing parts of a call, with a back button: the contract, its method, then each parameter, or
 * the whole stack if parameters are unknown or the user prefers that.
 * @returns the complete call, or undefined if the user canceled
 */
export async function askGetMethodCall(
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
