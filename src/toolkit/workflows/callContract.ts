import type { ContractDescription } from '../contracts/abi/contractDescription';
import type { GetMethodSignature } from '../contracts/abi/getMethodSignature';
import { methodNamed, ownMethodId } from '../contracts/abi/methodNamed';
import { parseTypedStack } from '../contracts/layouts/parseTypedStack';
import { findAccount } from '../accounts/findAccount';
import type { DomainAccess } from '../accounts/findAccount';
import type { AccountsByName } from '../address/resolveAccount';
import { extraArgumentsNote } from '../getMethods/getMethodResult';
import type { GetMethodResult } from '../getMethods/getMethodResult';
import { withExits } from '../getMethods/withExits';
import { runGetMethod } from '../getMethods/runGetMethod';
import type { GetMethodAccess, RunGetMethodOptions } from '../getMethods/runGetMethod';
import type { SummaryOptions } from '../getMethods/summarizeResult';
import type { Log } from '../base/log';
import { parseStackText } from '../stack/parseStackText';
import type { StackTextOptions } from '../stack/stackTextContext';
import type { StackValue } from '../stack/stackValue';

/** Parses the arguments of a call, by the method's types if known. */
export type ArgumentReader = (
  signature: GetMethodSignature | undefined,
  address: string,
) => readonly StackValue[] | Promise<readonly StackValue[]>;

/** What to call, where, and how to parse arguments and answer. */
export interface CallContractParameters extends Pick<
  RunGetMethodOptions,
  'signal' | 'priority' | 'preferredApi'
> {
  access: GetMethodAccess & DomainAccess;
  /** An address in any form, a name of `accounts`, or a TON DNS domain. */
  address: string;
  /** A name, or a method id in decimal. */
  method: string;
  /** Stack text, or a function that parses the arguments once the method's types have been looked up. */
  stack: string | ArgumentReader;
  accounts: AccountsByName;
  /** Reads the files that stack text names. */
  readFile?: StackTextOptions['readFile'];
  codes?: StackTextOptions['codes'];
  /** The method's types, used to parse the arguments; or a function that looks them up by raw address. */
  signature?: GetMethodSignature | ((address: string) => Promise<GetMethodSignature | undefined>) | undefined;
  /** Looks up what is known about a contract by raw address, during the call; it may fail. */
  describe?: ((address: string) => Promise<ContractDescription>) | undefined;
  log?: Log | undefined;
}

/** An answer with what is known about its contract. */
export interface ContractAnswer {
  result: GetMethodResult;
  description: ContractDescription | undefined;
  /** How the answer is read: types and their source, and names of exit codes. */
  words: Pick<SummaryOptions, 'exits' | 'signature'> & { origin?: string };
}

/** The events of a contract call, in order. */
export type CallContractEvent =
  /** Address and arguments are parsed, and the call is sent; `note` mentions anything unusual. */
  | {
      type: 'called';
      address: string;
      /** The method's id, if it is not the one of its name. */
      methodId?: number;
      stack: readonly StackValue[];
      note: string | undefined;
    }
  /** The last event. */
  | { type: 'answered'; answer: ContractAnswer };

/**
 * Calls a get-method: finds the account, parses the arguments, runs the method, and provides the types of the answer.
 * A failed method is an ordinary answer.
 *
 * @throws WorkbenchError `account-unknown`, `address-invalid`, those of stack text (input), and those of {@link
 *   runGetMethod}
 */
export async function* callContract(
  parameters: CallContractParameters,
): AsyncGenerator<CallContractEvent, void, undefined> {
  const { access, method, accounts, describe, log, signal, priority, preferredApi } = parameters;
  const address = await findAccount(access, parameters.address, accounts, signal);
  const signature =
    typeof parameters.signature === 'function' ? await parameters.signature(address) : parameters.signature;
  const stack = await readArguments(parameters, signature, address);
  const note = signature === undefined ? extraArgumentsNote(method, stack.length) : undefined;
  // The source may give the method an id of its own, and only that reaches it.
  const description = await describe?.(address).catch((error: unknown) => {
    log?.debug(`methods of ${address}: ${String(error)}`);
    return undefined;
  });
  const known = methodNamed(description, method);
  const types = signature ?? known?.signature;
  const methodId = ownMethodId(types);
  yield { type: 'called', address, ...(methodId === undefined ? {} : { methodId }), stack, note };
  const call = { address, method, methodId, stack };
  const result = await runGetMethod(access, call, { signal, priority, preferredApi });
  yield {
    type: 'answered',
    answer: {
      result: withExits(result, description),
      description,
      words: {
        exits: description,
        ...(types === undefined ? {} : { signature: types }),
        ...(signature === undefined && known?.signature !== undefined ? { origin: known.origin } : {}),
      },
    },
  };
}

/** The answer to a call, without the events. */
export async function answerOf(events: AsyncIterable<CallContractEvent>): Promise<ContractAnswer> {
  for await (const event of events) {
    if (event.type === 'answered') {
      return event.answer;
    }
  }
  throw new Error('a call ends with its answer');
}

function readArguments(
  { stack, accounts, readFile, codes }: CallContractParameters,
  signature: GetMethodSignature | undefined,
  address: string,
): readonly StackValue[] | Promise<readonly StackValue[]> {
  if (typeof stack === 'function') {
    return stack(signature, address);
  }
  const options = { accounts, readFile, codes };
  return signature === undefined
    ? parseStackText(stack, options)
    : parseTypedStack(stack, signature.parameters, {
        ...options,
        constants: signature.constants,
      }).flatMap(({ values }) => values);
}
