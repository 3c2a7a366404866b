import { loadMessage } from '@ton/core';
import type { Cell } from '@ton/core';
import type { Access } from '../access/createAccess';
import { loadFolded } from '../cell/loadFolded';
import { fromCoreCell } from '../cell/readBoc';
import { prepareComposed } from '../send/prepareComposed';
import type { LocalAccount } from '../accounts/localAccount';
import { readExternalMessage } from '../send/externalMessage';
import { internalMessage } from '../send/sendableMessage';
import type { SendableMessage } from '../send/sendableMessage';
import type { TraceModel, TraceNode } from '../trace/traceModel';
import { causeOf } from '../trace/verdict';

/** The message of a trace that a user means when sending it again. */
export interface MessageToResend {
  /** The transaction that received it. */
  node: TraceNode;
  /** A wallet of the local network has signed it. */
  isSigned: boolean;
  /** How many other messages the wallet sent along with it. */
  others: number;
}

/**
 * The message that started a trace: what a wallet of the local network sent, not its signed request. Of several, the one
 * that led to the given transaction, or to the failure.
 *
 * @returns undefined if the wallet sent nothing
 */
export function messageToResend(
  model: TraceModel,
  wallets: readonly LocalAccount[],
  toward: TraceNode | undefined = causeOf(model),
): MessageToResend | undefined {
  const [root] = model.roots;
  const isWallet = wallets.some(({ address, testnetAddress }) =>
    [address, testnetAddress].includes(root?.account ?? '-'),
  );
  if (root === undefined || !isWallet || root.message?.source != null) {
    return root && { node: root, isSigned: false, others: 0 };
  }
  const sent = root.children.filter(({ hash }) => hash !== undefined);
  const node = sent.find((child) => isBelow(toward, child)) ?? sent[0];
  return node && { node, isSigned: true, others: sent.length - 1 };
}

function isBelow(node: TraceNode | undefined, above: TraceNode): boolean {
  for (let at = node; at !== undefined; at = at.parent) {
    if (at === above) {
      return true;
    }
  }
  return false;
}

/**
 * A message cell to send on a local network: signed anew by the wallet that it is from, or in its sender's name; an
 * external message is sent as it is.
 *
 * @param isSigned whether a wallet of the local network signs; otherwise the network sends in its name
 * @throws WorkbenchError as `prepareComposed`
 */
export async function prepareResend(
  access: Access,
  cell: Cell,
  isSigned: boolean,
  wallets: readonly LocalAccount[],
  signal: AbortSignal,
): Promise<SendableMessage> {
  const { info, body, init } = loadFolded(cell, loadMessage);
  if (info.type !== 'internal') {
    return readExternalMessage(fromCoreCell(cell));
  }
  const { src, dest, bounce } = info;
  const value = info.value.coins;
  const wallet = wallets.find(({ address }) => address === src.toRawString());
  if (!isSigned || wallet === undefined) {
    return internalMessage({ source: src, destination: dest, value, bounce, body, init: init ?? undefined });
  }
  const deployed = init?.code == null || init.data == null ? undefined : { code: init.code, data: init.data };
  return prepareComposed(
    access,
    { sender: { kind: 'wallet', name: wallet.name }, to: dest, value, bounce, body, init: deployed },
    wallets,
    signal,
  );
}
