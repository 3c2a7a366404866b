import type { Access } from '../access/createAccess';
import { WorkbenchError } from '../base/errors';
import { formatCoins } from '../trace/figures';
import type { ExternalMessage } from '../send/externalMessage';
import type { LeftMessage, MessageRequest } from '../send/messageRequest';
import { isRequestedMessage, leftMessage, requestedMessage } from '../send/messageRequest';
import { orderedMessages } from '../send/orderText';
import { loadAnyMessage } from '../cell/loadFolded';
import { handOver } from './followMessage';
import type { HandOverWay } from './handOverRequest';

/**
 * The way of a message that was signed elsewhere: it is sent as it is, so sending it again sends it once.
 * @param message as {@link requireSigned} has checked it
 */
export function signedWay(access: Access, message: ExternalMessage): HandOverWay & { signed: string } {
  return {
    name: 'boc',
    signed: message.hashNorm,
    hand: async (_asked, signal) => {
      const sent = await handOver(access, message, signal);
      if (sent.type === 'failed') {
        const { state, error } = sent.outcome;
        throw state === 'unknown' ? error : notTakenError(error);
      }
      return message.cell.toBoc().toString('base64');
    },
  };
}

/** Whether a signed message is what was asked for, and its wallet is of a kind whose messages can be read. */
export function isSignedFor(request: MessageRequest, message: ExternalMessage): boolean {
  return orderedMessages(message)?.some((order) => isRequestedMessage(request, order)) === true;
}

/**
 * Checks a message that was signed elsewhere against what was asked for.
 * @throws WorkbenchError `wallet-sent-other` (input): what differs
 */
export function requireSigned(request: MessageRequest, message: ExternalMessage): void {
  if (isSignedFor(request, message)) {
    return;
  }
  const orders = orderedMessages(message);
  throw new WorkbenchError({
    code: 'wallet-sent-other',
    kind: 'input',
    message:
      orders === undefined
        ? 'The signed message is not of a known wallet, so it cannot be compared with what you asked for.'
        : `The signed message is another one than you asked for: ${differences(request, orders)}.`,
    hint: 'Nothing was sent. Sign the message that you were shown, or send this one as it is: TON: Send BoC…, ton-workbench send FILE.',
    details: { hash: message.hashNorm },
  });
}

function differences(request: MessageRequest, orders: readonly LeftMessage[]): string {
  const [order] = orders;
  if (order === undefined || orders.length > 1) {
    return `it has ${orders.length} messages, and none of them is it`;
  }
  const asked = leftMessage(loadAnyMessage(requestedMessage(request).cell) ?? unreadable());
  const parts = [
    ...(order.destination === asked.destination
      ? []
      : [`it goes to ${order.destination ?? 'no account'} instead of ${asked.destination ?? ''}`]),
    ...(order.value === asked.value
      ? []
      : [
          `its amount is ${order.value === undefined ? 'unknown' : formatCoins(order.value)} instead of ${formatCoins(request.value)}`,
        ]),
    ...(order.body === asked.body ? [] : ['its body differs']),
    ...(order.init === asked.init ? [] : ['its state init differs']),
  ];
  return parts.join(', ');
}

function unreadable(): never {
  throw new Error('a message that was made here can be read');
}

function notTakenError(cause: WorkbenchError): WorkbenchError {
  return new WorkbenchError({
    code: 'message-refused',
    kind: 'failed',
    message: `The network does not take the signed message: ${cause.message}`,
    hint: 'Sign it anew, then do the same again.',
    cause,
  });
}
