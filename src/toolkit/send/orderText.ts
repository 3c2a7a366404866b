import type { Cell } from '@ton/core';
import { Address } from '@ton/core';
import { loadAnyMessage } from '../cell/loadFolded';
import { bodyValueText } from '../contracts/opcodes/bodyLines';
import { decodeBodyCell } from '../contracts/opcodes/decodeBody';
import type { DecodedBody } from '../contracts/opcodes/decodedBody';
import { inlineValue, walletChangeText, walletChanges } from '../contracts/opcodes/decodedBody';
import type { WalletMessage } from '../contracts/opcodes/readSignedBody';
import { commentText, groupDigits, shortenMiddle, visibleText } from '../base/text';
import { formatCoins } from '../trace/figures';
import type { SendableMessage } from './sendableMessage';
import type { ExternalMessage } from './externalMessage';
import type { LeftMessage } from './messageRequest';
import { isForWallet, leftMessage } from './messageRequest';

/** How accounts and coins are named. */
export interface OrderTextOptions {
  /** The user's name for an account (`workchain:hex`), if there is one. */
  name?: ((raw: string) => string | undefined) | undefined;
  /** The user-friendly form of an account (`workchain:hex`), which is shortened. Default: that of the main network. */
  address?: ((raw: string) => string) | undefined;
  /** The coin's label. Default `TON`. */
  coin?: string | undefined;
  /** The wallet's kind, if the account's code is known: `wallet v5 r1`. */
  wallet?: string | undefined;
  /**
   * Reads a body that is not among the known messages, by the sources of the user's project; `receiver`:
   * `workchain:hex`.
   */
  readBody?: ((body: Cell, receiver: string) => DecodedBody | undefined) | undefined;
  /** The name of a message in the source of the receiver (`workchain:hex`), where no layout is known. */
  messageName?: ((body: Cell, receiver: string) => string | undefined) | undefined;
}

/** One order to a wallet. */
export interface OrderLine {
  /** Nanocoins; undefined if it carries the remainder (modes 64 and 128). */
  value: bigint | undefined;
  /** `workchain:hex`. */
  destination: string | undefined;
  text: string;
}

/**
 * The message's orders as one sentence for a dialog: `wallet v5 r1 UQAl…ice1 sends 12.5 TON to EQBb…7Yp, comment
 * "rent"`. Several messages are listed; from the fourth on they are counted.
 */
export function orderText(message: SendableMessage, options: OrderTextOptions = {}): string {
  if (message.kind === 'internal') {
    const deploys = message.init === undefined ? '' : ', which this message deploys';
    const [line] = orderLines(message, options);
    if (isForWallet(message)) {
      return `Your wallet ${line?.text ?? ''}${deploys}`;
    }
    return `${nameOf(message.source.toRawString(), options)}, without a signature, ${line?.text ?? ''}${deploys}`;
  }
  const kind = options.wallet ?? message.initWallet?.name;
  const who = nameOf(message.destination.toRawString(), options);
  const sender = kind === undefined ? who : `${kind} ${who}`;
  if (message.signed === undefined) {
    return `${sender} receives an external message of ${message.body.bits.length} bits and ${message.body.refs.length} references`;
  }
  const lines = orderLines(message, options).map(({ text }) => text);
  const deploys = message.init === undefined ? '' : ', which this message deploys,';
  // Who gets the wallet matters more than what it pays.
  const changes = message.signed.changes.map((change) =>
    walletChangeText(change, (raw) => nameOf(raw, options)),
  );
  const shown = [...changes, ...lines.slice(0, 3), ...(lines.length > 3 ? [`${lines.length - 3} more`] : [])];
  return `${sender}${deploys} ${shown.length === 0 ? 'sends nothing' : shown.join('; ')}`;
}

/** Each of {@link ordersOf} as text. */
export function orderLines(message: SendableMessage, options: OrderTextOptions = {}): OrderLine[] {
  return ordersOf(message).map(({ mode, message: cell }) => orderLine(cell, mode, options));
}

/** The internal messages that directly follow from a message: a wallet's orders, or the message itself. */
export function ordersOf(message: SendableMessage): WalletMessage[] {
  return message.kind === 'internal'
    ? [{ mode: 0, message: message.cell }]
    : (message.signed?.messages ?? []);
}

function orderLine(cell: Cell, mode: number, options: OrderTextOptions): OrderLine {
  const info = loadAnyMessage(cell)?.info;
  if (info?.type !== 'internal') {
    return {
      value: undefined,
      destination: undefined,
      text: 'sends something that is not an internal message',
    };
  }
  const destination = info.dest.toRawString();
  const value = mode & 128 || mode & 64 ? undefined : info.value.coins;
  const coin = options.coin ?? 'TON';
  const others = mode & 128 ? [] : (info.value.other?.keys() ?? []);
  const extra = others
    .map((id) => ` and ${groupDigits(info.value.other?.get(id) ?? 0n)} units of extra currency ${id}`)
    .join('');
  const amount =
    mode & 128 ? `its whole balance` : value === undefined ? 'the rest' : `${formatCoins(value)} ${coin}`;
  const destroys = (mode & 160) === 160 ? ' and destroys itself' : '';
  return {
    value,
    destination,
    text: `sends ${amount}${extra} to ${nameOf(destination, options)}${bodyWords(cell, destination, options)}${destroys}`,
  };
}

function bodyWords(cell: Cell, receiver: string, options: OrderTextOptions): string {
  const body = loadAnyMessage(cell)?.body;
  const decoded = body === undefined ? undefined : decodeBodyCell(body, {}, 0);
  if (body === undefined || decoded?.name === 'empty') {
    return '';
  }
  if (decoded === undefined) {
    const own = options.readBody?.(body, receiver);
    const named = options.messageName?.(body, receiver);
    return own === undefined
      ? `, ${named === undefined ? '' : `${visibleText(named, 60)} `}with a body of ${body.bits.length} bits`
      : `, ${visibleText(own.name, 60)} ${fieldsText(own, options)}`;
  }
  const [change] = walletChanges(decoded);
  if (change !== undefined) {
    return `, ${decoded.name.replaceAll('_', ' ')}, with which it ${walletChangeText(change, (raw) => nameOf(raw, options))}`;
  }
  const comment = decoded.fields.find(({ name }) => name === 'comment')?.value;
  return comment?.type === 'text' ? commentText(comment.value, 60) : `, ${decoded.name.replaceAll('_', ' ')}`;
}

/** `{queryId: 0, who: bob, weight: 5}` */
function fieldsText(body: DecodedBody, options: OrderTextOptions): string {
  const { name, coin } = options;
  const address = (raw: string): string => {
    const known = name?.(raw);
    return known === undefined ? shortForm(raw, options) : visibleText(known, 40);
  };
  return inlineValue({ type: 'body', value: body }, (value) =>
    bodyValueText(value, { address, ...(coin === undefined ? {} : { coin }) }),
  );
}

function nameOf(raw: string, options: OrderTextOptions): string {
  const short = shortForm(raw, options);
  const name = options.name?.(raw);
  return name === undefined ? short : `${visibleText(name, 40)} (${short})`;
}

function shortForm(raw: string, { address }: OrderTextOptions): string {
  return shortenMiddle(address?.(raw) ?? Address.parseRaw(raw).toString());
}

/** What a signed message orders, to compare it with what was asked for; undefined if it is not a known wallet's. */
export function orderedMessages({ signed }: ExternalMessage): LeftMessage[] | undefined {
  return signed?.messages.map(({ message: cell }) => {
    const message = loadAnyMessage(cell);
    return message === undefined ? noMessage : leftMessage(message);
  });
}

/** Equal to no request. */
const noMessage: LeftMessage = {
  destination: undefined,
  value: undefined,
  body: undefined,
  init: undefined,
};
