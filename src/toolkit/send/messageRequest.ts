import type { Message, MessageRelaxed, StateInit } from '@ton/core';
import { Address, Cell, beginCell, contractAddress, storeStateInit } from '@ton/core';
import { createHash } from 'node:crypto';
import { WorkbenchError } from '../base/errors';
import { secondsProblem } from '../base/numberWidths';
import { formatTime } from '../trace/figures';
import type { InternalMessage, SendableMessage } from './sendableMessage';
import { internalMessage } from './sendableMessage';

/** A message that the user's own wallet is asked to sign and send. One value, whichever way it leaves. */
export interface MessageRequest {
  /** The network's name, for words and for the {@link requestKey}. */
  network: string;
  /** The network's global id as wallets write it: `-239` or `-3`, for example. */
  chain: string;
  destination: Address;
  /** Nanocoins. */
  value: bigint;
  /** Whether a failing contract returns the remaining value. */
  bounce: boolean;
  body: Cell;
  /** Code and data for a contract that this message deploys. */
  init: StateInit | undefined;
  /** Unix seconds after which a wallet must not sign it. */
  validUntil: number;
}

/** Seconds that a request is valid, unless its way or the user says otherwise. */
export const requestLifetime = 300;

/**
 * What an external message may be (configuration parameter 43, and the check of every node): the wallet's message
 * carries ours, so ours cannot be larger.
 */
const mostBytes = 65_535;
const mostDepth = 512;

/** The chain id of the main network. */
export const mainChain = '-239';

/** The state init as a cell; undefined without one. */
export function initCell({ init }: Pick<MessageRequest, 'init'>): Cell | undefined {
  return init === undefined ? undefined : beginCell().store(storeStateInit(init)).endCell();
}

/**
 * The destination in the form that wallets take: bounceable or not, and for test networks only where the chain is one.
 */
export function requestAddress({ destination, bounce, chain }: MessageRequest): string {
  return destination.toString({ bounceable: bounce, testOnly: chain !== mainChain, urlSafe: true });
}

/** What makes two requests the same, whenever they were made: SHA-256 in lowercase hex. */
export function requestKey(request: MessageRequest): string {
  const { network, chain, destination, value, bounce, body } = request;
  const init = initCell(request)?.hash().toString('hex') ?? '';
  const parts = [network, chain, destination.toRawString(), value, bounce, body.hash().toString('hex'), init];
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/**
 * Refuses what no wallet could carry, before anything is shown.
 * @param now Unix seconds by the network's clock
 * @throws WorkbenchError `request-expired`, `request-not-carriable` (input)
 */
export function checkRequest(request: MessageRequest, now: number): void {
  const { validUntil, destination, init } = request;
  const problem = secondsProblem(validUntil);
  if (problem !== undefined || validUntil <= now) {
    throw new WorkbenchError({
      code: 'request-expired',
      kind: 'input',
      message: `The request ${problem ?? `has expired: it was valid until ${formatTime(validUntil)}`}.`,
      hint: 'Make it again. Nothing was handed over.',
    });
  }
  if (init !== undefined && !contractAddress(destination.workChain, init).equals(destination)) {
    throw notCarriableError(
      'its state init belongs to another address',
      'Send it to the address of its state init.',
    );
  }
  const carried = requestedMessage(request).cell;
  const size = carried.toBoc().length;
  if (size > mostBytes) {
    throw notCarriableError(
      `it takes ${size.toLocaleString('en-US')} bytes, and the message of a wallet at most ${mostBytes.toLocaleString('en-US')}`,
      'Make the code or the data smaller, for example with a library.',
    );
  }
  if (carried.depth() > mostDepth) {
    throw notCarriableError(
      `its cells are ${carried.depth()} deep, and those of a wallet's message at most ${mostDepth}`,
      'Lay the data out in fewer levels.',
    );
  }
}

/** A message that stands for the one which the user's own wallet is asked to send: it is only rehearsed. */
export interface RequestedMessage extends InternalMessage {
  request: MessageRequest;
}

/**
 * The message as the wallet would send it, to rehearse it.
 * @param from the wallet, if it is known
 */
export function requestedMessage(request: MessageRequest, from?: Address): RequestedMessage {
  const { destination, value, bounce, body, init } = request;
  const source = from ?? new Address(0, Buffer.alloc(32));
  return {
    ...internalMessage({ source, destination, value, bounce, body, init }),
    request,
  };
}

/** Whether it is not known yet which wallet will sign it, so that no contract can be asked what it thinks of the sender. */
export function isSenderUnknown(message: SendableMessage): boolean {
  return isForWallet(message) && message.source.hash.every((byte) => byte === 0);
}

/** Whether the user's own wallet signs it, so that it is handed over instead of sent. */
export function isForWallet(message: SendableMessage): message is RequestedMessage {
  return 'request' in message;
}

/** Hash of a cell, lowercase hex. */
function hex(cell: Cell | null | undefined): string | undefined {
  return cell?.hash().toString('hex');
}

/** A message that left a wallet, as far as it can be compared with a request. */
export interface LeftMessage {
  /** Raw, lowercase. */
  destination: string | undefined;
  value: bigint | undefined;
  /** Hash of the body, lowercase hex. */
  body: string | undefined;
  /** Hash of the state init; undefined without one. */
  init: string | undefined;
}

/** What of a message can be compared with a request. */
export function leftMessage({ info, body, init }: Message | MessageRelaxed): LeftMessage {
  const { dest, value } = info.type === 'internal' ? info : {};
  return {
    destination: dest?.toRawString(),
    value: value?.coins,
    body: hex(body),
    init: hex(initCell({ init: init ?? undefined })),
  };
}

/** Whether a message is what was asked for: destination, amount, body, and state init. */
export function isRequestedMessage(request: MessageRequest, message: LeftMessage): boolean {
  return (
    message.destination === request.destination.toRawString() &&
    message.value === request.value &&
    message.body === hex(request.body) &&
    message.init === hex(initCell(request))
  );
}

/** A message's body from base64; undefined if it is none. */
export function bodyHash(boc: string | null | undefined): string | undefined {
  try {
    return boc == null ? undefined : hex(Cell.fromBase64(boc));
  } catch {
    return undefined;
  }
}

function notCarriableError(reason: string, hint: string): WorkbenchError {
  return new WorkbenchError({
    code: 'request-not-carriable',
    kind: 'input',
    message: `No wallet can carry this message: ${reason}.`,
    hint: `${hint} Nothing was handed over.`,
  });
}
