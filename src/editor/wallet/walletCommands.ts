import * as vscode from 'vscode';
import { runCommand, showView } from '../../contributions';
import { WorkbenchError, errorSentences } from '../../toolkit/errors';
import { parseConnectLink } from '../../toolkit/tonConnect/connectLink';
import { approvals, decisionTitles, decisionWords, walletDecisions } from '../../toolkit/tonConnect/protocol';
import type { Approval } from '../../toolkit/tonConnect/protocol';
import { capitalized } from '../../toolkit/text';
import { unheardWords } from '../../toolkit/tonConnect/stageWords';
import { dAppName, requestWords } from '../../toolkit/tonConnect/requestWords';
import type { AskedRequest, WalletThread } from '../../toolkit/tonConnect/startWalletThread';
import { accountName, localAccounts } from '../accounts/knownAccounts';
import type { TraceServices } from '../traces/traceServices';
import { askText } from '../ui/askText';
import { plainMessageText } from '../ui/plainMessageText';
import type { CommandHandlers } from '../ui/registerCommands';
import { showError } from '../ui/showError';
import { withProgress } from '../ui/withProgress';
import type { EditorWallet } from './editorWallet';
import type { WalletCommandId } from './walletServer';
import type { WalletRequestDocuments } from './walletRequestDocuments';

export type WalletCommands = Required<Pick<CommandHandlers, WalletCommandId>>;

/** The implementation of each command. */
export function walletCommands(
  services: TraceServices,
  wallet: EditorWallet,
  documents: WalletRequestDocuments,
): WalletCommands {
  return {
    'tonWorkbench.startWallet': () => startWallet(wallet),
    'tonWorkbench.stopWallet': () => wallet.stop(),
    'tonWorkbench.walletSettings': () => setUpWallet(services, wallet),
    'tonWorkbench.copyWalletEntry': () => copyWalletEntry(wallet),
    'tonWorkbench.connectDApp': (link) => connectDApp(wallet, link),
    'tonWorkbench.disconnectDApp': ({ dApp }) => wallet.disconnect(dApp.session),
    'tonWorkbench.setDAppApproval': ({ dApp }) => setDAppApproval(wallet, dApp.session),
    'tonWorkbench.openWalletRequest': ({ request }) => documents.open(request.number),
    'tonWorkbench.decideWalletRequest': ({ request, decision }) =>
      decideRequest(wallet, request.number, decision),
  };
}

const startShown = (wallet: EditorWallet): Promise<WalletThread> =>
  withProgress('Starting the test wallet', (signal) => wallet.start(signal));

/** Starts the wallet, and says how a dApp gets to it. */
async function startWallet(wallet: EditorWallet): Promise<void> {
  const { port, snapshot } = await startShown(wallet);
  await showView(vscode.commands, 'localNetwork');
  void tellHowToConnect(snapshot.account, port);
}

async function tellHowToConnect(account: string, port: number): Promise<void> {
  const [copy, connect] = ['Copy Entry for a dApp', 'Connect dApp…'];
  const text = `The test wallet of ${account} listens on port ${port}. Add it to your dApp, or paste a link from one.`;
  const answer = await vscode.window.showInformationMessage(text, copy, connect);
  if (answer === copy) {
    await runCommand(vscode.commands, 'tonWorkbench.copyWalletEntry');
  } else if (answer === connect) {
    await runCommand(vscode.commands, 'tonWorkbench.connectDApp');
  }
}

/** Copies the wallet in the form of `includeWallets`. */
async function copyWalletEntry(wallet: EditorWallet): Promise<void> {
  const { entry } = (await startShown(wallet)).snapshot;
  const text = `walletsListConfiguration: { includeWallets: [${JSON.stringify(entry, undefined, 2)}] },\n`;
  await vscode.env.clipboard.writeText(text);
  void vscode.window.setStatusBarMessage('Copied: pass it to new TonConnectUI({ … })', 6000);
}

/** Connects a dApp by the link that it shows. */
async function connectDApp(wallet: EditorWallet, given: string | undefined): Promise<void> {
  const copied = given ?? (await vscode.env.clipboard.readText());
  const link =
    given ??
    (await askText({
      title: 'TON: Connect dApp',
      prompt: "The link that the dApp shows, or that its QR code holds: tc://… or a wallet's https://…",
      placeholder: 'tc://?v=2&id=…&r=…',
      ...(linkProblem(copied) === undefined ? { value: copied.trim() } : {}),
      validate: linkProblem,
    }));
  if (typeof link === 'string') {
    const { control } = await startShown(wallet);
    await control.call('connect', parseConnectLink(link));
  }
}

function linkProblem(text: string): string | undefined {
  try {
    parseConnectLink(text);
    return undefined;
  } catch (error) {
    return WorkbenchError.is(error) ? errorSentences(error) : String(error);
  }
}

const approvalTitles: Readonly<Record<Approval, string>> = {
  ask: 'Ask for Each Request',
  all: 'Approve All Requests',
  none: 'Reject All Requests',
};

/** An approval to choose. */
function approvalItem(approval: Approval, isCurrent: boolean): vscode.QuickPickItem {
  return { label: approvalTitles[approval], description: isCurrent ? 'current' : '' };
}

/** Asks what happens to the requests of one dApp. */
async function setDAppApproval(wallet: EditorWallet, session: string): Promise<void> {
  const found = wallet.thread?.snapshot.sessions.find(({ id }) => id === session);
  if (found === undefined) {
    return;
  }
  const picked = await vscode.window.showQuickPick(
    approvals.map((approval) => ({ ...approvalItem(approval, found.approval === approval), approval })),
    {
      title: `TON: Requests of ${dAppName(found.dApp)}`,
      placeHolder: 'Choose what the wallet does with them',
    },
  );
  if (picked !== undefined) {
    await wallet.setApproval(picked.approval, session);
  }
}

/** Asks what dApps get that connect next: how their requests are decided, and which account. */
async function setUpWallet(services: TraceServices, wallet: EditorWallet): Promise<void> {
  const { approval: now, account } = (await startShown(wallet)).snapshot;
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { run?: () => unknown }>(
    [
      { label: 'requests of dApps that connect next', kind: vscode.QuickPickItemKind.Separator },
      ...approvals.map((approval) => ({
        ...approvalItem(approval, now === approval),
        run: () => wallet.setApproval(approval),
      })),
      { label: 'their account', kind: vscode.QuickPickItemKind.Separator },
      ...localAccounts(services)
        .filter(({ isWallet }) => isWallet)
        .map(({ name, kind }) => ({
          label: name,
          description: account === name ? `${kind}, current` : kind,
          run: () => wallet.setAccount(name),
        })),
    ],
    { title: 'TON: Set Up Test Wallet', placeHolder: 'Choose how it decides, or which account it is' },
  );
  await picked?.run?.();
}

/** Decides a pending request; asks how, if that is not given. */
async function decideRequest(wallet: EditorWallet, number: number, given: string | undefined): Promise<void> {
  const picked = walletDecisions.includes(given as (typeof walletDecisions)[number])
    ? given
    : await askDecision(number);
  const decision = walletDecisions.find((one) => one === picked);
  if (decision !== undefined) {
    await wallet.decide(number, { decision });
  }
}

async function askDecision(number: number): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick(
    walletDecisions.map((decision) => ({
      ...{ label: decisionTitles[decision], detail: decisionWords[decision], decision },
    })),
    { title: `TON: Decide Request ${number}`, placeHolder: 'Choose what the wallet does' },
  );
  return picked?.decision;
}

/** Tells that an approved connection has reached nobody, and what to do. */
export async function tellUnheard(): Promise<void> {
  await vscode.window.showWarningMessage(capitalized(unheardWords));
}

/** Tells about a request that waits. */
export async function tellRequest(
  services: TraceServices,
  { request, session }: AskedRequest,
): Promise<void> {
  if (session.approval !== 'ask') {
    return;
  }
  const { number } = request;
  const row = { request: { number } };
  const words = requestWords(request, accountName(services, services.networks.local()));
  const asks = plainMessageText(`${dAppName(session.dApp)} asks: ${words}`);
  const review = 'Review';
  const { approve, reject } = decisionTitles;
  const answer = await vscode.window.showInformationMessage(asks, review, approve, reject);
  if (answer === review) {
    await runCommand(vscode.commands, 'tonWorkbench.openWalletRequest', row);
  } else if (answer !== undefined) {
    const decision = answer === approve ? 'approve' : 'reject';
    await runCommand(vscode.commands, 'tonWorkbench.decideWalletRequest', { ...row, decision });
  }
}

/** Tells why the wallet does not run, and offers to start it. */
export async function tellStopped({ log }: TraceServices, error: WorkbenchError): Promise<void> {
  const run = (): unknown => runCommand(vscode.commands, 'tonWorkbench.startWallet');
  await showError(error, log, [{ title: 'Start Test Wallet', run }]);
}
