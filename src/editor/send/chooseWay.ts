import * as vscode from 'vscode';
import type { Access } from '../../toolkit/access/createAccess';
import type { Network } from '../../toolkit/access/network';
import { shortAddress } from '../../toolkit/address/shortAddress';
import { clockTime } from '../../toolkit/base/text';
import type { MessageRequest } from '../../toolkit/send/messageRequest';
import { requestAddress } from '../../toolkit/send/messageRequest';
import { transferLinks } from '../../toolkit/send/transferLink';
import type { DAppConnection } from '../../toolkit/tonConnect/dAppConnection';
import { readExternalMessage } from '../../toolkit/send/externalMessage';
import { requireSigned, signedWay } from '../../toolkit/workflows/signedWay';
import { pickedFrom } from '../cells/inspectBocCommand';
import { readPickedBoc } from '../cells/readPickedBoc';
import type { HandOverWay } from '../../toolkit/workflows/handOverRequest';
import { withProgress } from '../ui/withProgress';
import { SignPage } from './signPage';
import type { WalletConnections } from './walletConnections';

/** A way to the user's own wallet, with the page that it shows. */
export interface WayHere extends HandOverWay {
  /** Says how far it is, where a page is open. */
  tell(status: string): void;
  /** Shows the same link again, for what was handed over before. */
  again(request: MessageRequest): Promise<void>;
  close(): void;
}

/** A message for the user's wallet, and what is said of it. */
export interface Asked {
  request: MessageRequest;
  /** In a sentence. */
  words: string;
  isMain: boolean;
}

/** How the user's own wallet signs. */
export type WayKind = 'link' | 'connect' | 'boc';

type WayItem = vscode.QuickPickItem & { way: WayKind };

/**
 * Asks how the user's own wallet signs.
 *
 * @param network its name
 * @returns undefined if the user canceled
 */
export async function chooseWay(wallets: WalletConnections, network: string): Promise<WayKind | undefined> {
  const known = wallets.known(network);
  const items: WayItem[] = [
    {
      label: known === undefined ? '$(plug) TON Connect…' : `$(plug) Connected Wallet: ${known.name}`,
      description:
        known === undefined
          ? 'connect your wallet once; it answers what it has sent'
          : shortAddress(known.address),
      way: 'connect',
    },
    { label: '$(link) Link and QR Code', description: 'for any wallet, here or on a phone', way: 'link' },
    {
      label: '$(file-binary) Signed Message…',
      description: 'a BoC that you signed elsewhere, if it is this message',
      way: 'boc',
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'TON: Sign With Your Own Wallet',
    placeHolder: 'How does your wallet sign it? Its key stays there.',
    ignoreFocusOut: true,
  });
  return picked?.way;
}

/**
 * The chosen way, ready to hand a message over.
 *
 * @returns undefined if the user canceled
 * @throws WorkbenchError `wallet-sent-other`, `wallet-not-connected`, `wallet-other-network`, `wallet-too-old`, `manifest-unreachable` (input)
 */
export async function openWay(
  kind: WayKind,
  wallets: WalletConnections,
  access: Access,
  asked: Asked,
): Promise<WayHere | undefined> {
  switch (kind) {
    case 'link':
      return linkWay(asked);
    case 'connect':
      return connectWay(wallets, access, asked);
    case 'boc':
      return bocWay(access, asked);
  }
}

/** A message that was signed elsewhere, which must be the one that is asked for. */
async function bocWay(access: Access, { request }: Asked): Promise<WayHere | undefined> {
  const picked = await pickedFrom(undefined, 'TON: Signed Message', 'Choose the signed message');
  if (picked === undefined) {
    return undefined;
  }
  const message = readExternalMessage(await readPickedBoc(picked));
  requireSigned(request, message);
  return {
    ...signedWay(access, message),
    again: () => Promise.resolve(),
    tell: () => undefined,
    close: () => undefined,
  };
}

const mainWarning = 'MAIN NETWORK: these are real coins.';

function linkWay({ request, words, isMain }: Asked): WayHere {
  // Before anything is shown: a link that no wallet takes is refused.
  transferLinks(request);
  let page: SignPage | undefined;
  const show = async (asked: MessageRequest): Promise<void> => {
    page?.dispose();
    page = await SignPage.open({
      title: 'Confirm in Your Wallet',
      lines: [words, `Receiver ${requestAddress(asked)}`, `Valid until ${clockTime(asked.validUntil)}.`],
      ...(isMain ? { warning: mainWarning } : {}),
      ...transferLinks(asked),
      status: 'Waiting for the message on the chain.',
    });
  };
  return {
    name: 'link',
    hand: async (asked) => {
      await show(asked);
      return undefined;
    },
    again: show,
    tell: (status) => page?.tell(status),
    close: () => page?.dispose(),
  };
}

async function connectWay(
  wallets: WalletConnections,
  access: Access,
  { request, isMain }: Asked,
): Promise<WayHere> {
  const connection = await connectedWallet(wallets, access.network, isMain);
  connection.check([request]);
  return {
    name: 'connect',
    hand: (asked, signal) => connection.hand([asked], signal),
    again: () => Promise.resolve(),
    tell: () => undefined,
    close: () => undefined,
  };
}

/**
 * The connection to the wallet of a network, which is connected first if it is not yet.
 * @throws WorkbenchError `wallet-not-connected`, `manifest-unreachable` (input)
 */
export async function connectedWallet(
  wallets: WalletConnections,
  network: Network,
  isMain: boolean,
): Promise<DAppConnection> {
  const connection = await withProgress('Looking for the wallet', () => wallets.to(network));
  if (connection.wallet === undefined) {
    await connectWallet(connection, isMain);
  }
  await wallets.note(network.name, connection.wallet);
  return connection;
}

/** Shows the link with which a wallet connects, and waits until it has. */
async function connectWallet(connection: DAppConnection, isMain: boolean): Promise<void> {
  await withProgress('Waiting for your wallet', async (signal) => {
    const { link, connected } = await connection.connect(undefined, signal);
    const page = await SignPage.open({
      title: 'Connect Your Wallet',
      lines: [
        'Open the link in your wallet, or scan the code with it. This is done once.',
        'The wallet tells its address. Every message is confirmed in the wallet.',
      ],
      ...(isMain ? { warning: mainWarning } : {}),
      link,
      status: 'Waiting for the wallet.',
    });
    try {
      await connected;
    } finally {
      page.dispose();
    }
  });
}
