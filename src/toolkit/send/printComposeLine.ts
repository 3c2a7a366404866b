import { comment } from '@ton/core';
import type { Address, Cell } from '@ton/core';
import { decodeBodyCell } from '../contracts/opcodes/decodeBody';
import { printCell } from '../stack/stackValue';
import { visibleText } from '../base/text';
import { withoutTrailing } from '../base/errors';
import type { ComposedMessage } from './prepareComposed';

/** The name of a raw address, if it has one. */
export interface PrintComposeOptions {
  name?: ((raw: string) => string | undefined) | undefined;
}

/**
 * Prints a message as a line that `parseComposeLine` reads back to the same message. The sender is always
 * named, and nothing is left to defaults.
 */
export function printComposeLine(message: ComposedMessage, { name }: PrintComposeOptions = {}): string {
  const { sender, to, value, bounce, body, init } = message;
  const account = (address: Address, bounceable: boolean): string =>
    name?.(address.toRawString()) ?? address.toString({ bounceable });
  const destination = account(to, bounce);
  const named = destination === name?.(to.toRawString());
  return [
    'send',
    destination,
    amount(value),
    ...bodyWords(body),
    sender.kind === 'wallet' ? `from ${sender.name}` : `as ${account(sender.address, true)}`,
    ...(init === undefined ? [] : ['code', printCell(init.code), 'data', printCell(init.data)]),
    ...(named && bounce !== (init === undefined) ? [bounce ? 'bounce' : 'no-bounce'] : []),
  ].join(' ');
}

/** `0.1ton`: exact, as the parser reads it. */
function amount(value: bigint): string {
  const digits = value.toString().padStart(10, '0');
  const fraction = withoutTrailing(digits.slice(-9), '0');
  return `${digits.slice(0, -9)}${fraction === '' ? '' : `.${fraction}`}ton`;
}

function bodyWords(body: Cell): string[] {
  if (body.bits.length === 0 && body.refs.length === 0) {
    return [];
  }
  const text = decodeBodyCell(body, {}, 0)?.fields.find((field) => field.name === 'comment')?.value;
  const isPlain =
    text?.type === 'text' &&
    comment(text.value).equals(body) &&
    visibleText(text.value, Infinity) === text.value;
  return isPlain ? [`comment ${JSON.stringify(text.value)}`] : ['body', printCell(body)];
}
