import { Address, Cell, loadStateInit } from '@ton/core';
import { readAddressForm } from '../address/canonicalAddress';
import { parseBocInput } from '../cell/parseBocInput';
import { loadFolded } from '../cell/loadFolded';
import { toCoreCell } from '../cell/toCoreCell';
import { WorkbenchError } from '../base/errors';
import { fitsCoins, secondsProblem } from '../base/numberWidths';
import type { MessageRequest } from './messageRequest';
import { initCell, mainChain, requestAddress } from './messageRequest';

/**
 * The wallets whose links are https, by their own descriptions (read on 2026-11-27): Tonkeeper's page on deep links names
 * app.keeperwallet.com for new links, and MyTonWallet's universal links are those of my.tt.
 */
const httpsPrefixes = [
  { wallet: 'Tonkeeper', prefix: 'https://app.keeperwallet.com/' },
  { wallet: 'MyTonWallet', prefix: 'https://my.tt/' },
] as const;

/**
 * Characters of a link, at most: the bytes of the largest QR code (ISO/IEC 18004, version 40-L, 2,953 bytes). No wallet
 * documents a bound of its own, and a link that no phone can scan would leave only some of them.
 */
export const longestLink = 2_953;

/** One message as links. */
export interface TransferLinks {
  /** `ton://transfer/…`, which every wallet takes. */
  link: string;
  /** The forms of the wallets that want one. */
  https: { wallet: string; link: string }[];
}

/**
 * The links that ask a wallet for a message: `amount` in nanocoins, `bin` the body, `init` the state init (BoCs in
 * base64url), `exp` Unix seconds. They hold nothing beyond the message.
 * @throws WorkbenchError `link-too-long` (input)
 */
export function transferLinks(request: MessageRequest): TransferLinks {
  const { value, body, validUntil } = request;
  const init = initCell(request);
  const parts = [
    `amount=${value}`,
    ...(isEmpty(body) ? [] : [`bin=${boc(body)}`]),
    ...(init === undefined ? [] : [`init=${boc(init)}`]),
    `exp=${validUntil}`,
  ];
  const path = `transfer/${requestAddress(request)}?${parts.join('&')}`;
  const link = `ton://${path}`;
  const https = httpsPrefixes.map(({ wallet, prefix }) => ({ wallet, link: `${prefix}${path}` }));
  const length = Math.max(link.length, ...https.map((one) => one.link.length));
  if (length > longestLink) {
    throw new WorkbenchError({
      code: 'link-too-long',
      kind: 'input',
      message: `The link would have ${length.toLocaleString('en-US')} characters, and a QR code takes at most ${longestLink.toLocaleString('en-US')} (ISO/IEC 18004, version 40-L).`,
      hint: 'Sign it over TON Connect, or give a signed bag of cells. Nothing was handed over.',
      details: { length, most: longestLink },
    });
  }
  return { link, https };
}

/** What a link asks for. */
export interface LinkedTransfer extends Omit<MessageRequest, 'network' | 'chain' | 'validUntil'> {
  /** The address says that it is for test networks only. */
  testOnly: boolean;
  /** Unix seconds; undefined without an end. */
  validUntil: number | undefined;
}

/**
 * Reads a link to pay as a wallet does, in any of its forms.
 * @returns undefined if it is no link to pay
 * @throws WorkbenchError `transfer-link-invalid` (input)
 */
export function readTransferLink(text: string): LinkedTransfer | undefined {
  const match = /^(?:ton:\/\/|https?:\/\/[^/?#]+\/)transfer\/([^?/#]+)(?:\?([^#]*))?$/i.exec(text.trim());
  if (match === null) {
    return undefined;
  }
  const [, address = '', query = ''] = match;
  const parts = new URLSearchParams(query);
  const { workchain, hash, bounceable, testOnly } = addressOf(address);
  const amount = parts.get('amount') ?? '';
  if (!/^\d{1,40}$/.test(amount) || !fitsCoins(BigInt(amount))) {
    throw linkError('its amount is not a number of nanocoins');
  }
  const [bin, comment, init, end] = ['bin', 'text', 'init', 'exp'].map((name) => parts.get(name));
  if (comment != null) {
    throw linkError('comments in links are not supported here; give the body as bin');
  }
  const validUntil = end == null ? undefined : Number(end);
  const problem = validUntil === undefined ? undefined : secondsProblem(validUntil);
  if (problem !== undefined) {
    throw linkError(`its time (exp) ${problem}`);
  }
  return {
    destination: new Address(workchain, Buffer.from(hash, 'hex')),
    bounce: bounceable !== false,
    testOnly: testOnly === true,
    value: BigInt(amount),
    body: bin == null ? Cell.EMPTY : cellOf(bin, 'bin'),
    init: init == null ? undefined : stateInitOf(init),
    validUntil,
  };
}

/** An address on the wrong network, as wallets tell it; undefined if it fits. */
export function wrongNetworkProblem({ testOnly }: LinkedTransfer, chain: string): string | undefined {
  return testOnly && chain === mainChain
    ? 'the address is for test networks only, and this is the main network, or has its id'
    : undefined;
}

function isEmpty(body: Cell): boolean {
  return body.bits.length === 0 && body.refs.length === 0;
}

function boc(cell: Cell): string {
  return cell.toBoc().toString('base64url');
}

function addressOf(text: string): ReturnType<typeof readAddressForm> {
  try {
    return readAddressForm(decodeURIComponent(text));
  } catch (cause) {
    throw linkError('it names no address', cause);
  }
}

function cellOf(text: string, name: string): Cell {
  try {
    const read = parseBocInput(Buffer.from(text, 'base64url').toString('base64'));
    return toCoreCell(read, read.roots[0]!);
  } catch (cause) {
    throw linkError(`its ${name} is not a BoC in base64url`, cause);
  }
}

function stateInitOf(text: string): LinkedTransfer['init'] {
  const cell = cellOf(text, 'init');
  try {
    return loadFolded(cell, loadStateInit);
  } catch (cause) {
    throw linkError('its init is not a state init', cause);
  }
}

function linkError(reason: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'transfer-link-invalid',
    kind: 'input',
    message: `This link to pay cannot be used: ${reason}.`,
    hint: 'Copy it again, whole.',
    cause,
  });
}
