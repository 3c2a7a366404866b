import type { Transaction } from '@ton/core';
import { contractName } from '../build/readBuiltContract';
import { visibleText } from '../base/text';
import type { MessageNames } from '../contracts/opcodes/decodeBody';
import { nameOfBody } from '../contracts/opcodes/decodeBody';

/** Characters of the arguments. */
const longestArguments = 120;

/**
 * What a run of a get-method is called in a baseline: `Vault weightOf(bob)`. What it costs depends on its arguments.
 * @param contract as any file of the workspace names it
 */
export function methodKey(contract: string, method: string, given: string): string {
  return `${contractName(contract)} ${method}(${visibleText(given.trim(), longestArguments)})`;
}

/** What a message is called in a baseline: `Vault AddGuardian`. */
export function messageKey(contract: string, message: string): string {
  return `${contractName(contract)} ${message}`;
}

/**
 * The name of the message that a transaction received; undefined if it is not known, or if the message bounced.
 */
export function messageOf(
  { inMessage }: Pick<Transaction, 'inMessage'>,
  messages: MessageNames,
): string | undefined {
  const isBounced = inMessage?.info.type === 'internal' && inMessage.info.bounced;
  const body = inMessage?.body;
  return body === undefined || isBounced ? undefined : nameOfBody(messages, body);
}
