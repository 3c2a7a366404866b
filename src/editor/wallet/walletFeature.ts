import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import { runCommand, showView } from '../../contributions';
import { WorkbenchError, errorSentences } from '../../toolkit/base/errors';
import { capitalized } from '../../toolkit/base/text';
import { parseConnectLink } from '../../toolkit/tonConnect/connectLink';
import type { Approval } from '../../toolkit/tonConnect/protocol';
import {
  approvals,
  decisionTitles,
  decisionWords,
  relayWays,
  walletDecisions,
} from '../../toolkit/tonConnect/protocol';
import { dAppName, requestWords } from '../../toolkit/tonConnect/requestWords';
import type { AskedRequest, WalletThread } from '../../toolkit/tonConnect/startWalletThread';
import { unheardWords } from '../../toolkit/tonConnect/stageWords';
import { decisionsFor } from '../../toolkit/tonConnect/walletBook';
import type { FeatureWord } from '../../toolkit/tonConnect/walletFeatures';
import { featureWords } from '../../toolkit/tonConnect/walletFeatures';
import type { EmulatorHolder } from '../../toolkit/workflows/rehearseInTime';
import { accountName, localAccounts } from '../project/accountName';
import type { WalletViewState } from '../localnet/localElement';
import type { LocalServerView } from '../localnet/registerLocalServer';
import type { TraceServices } from '../traces/liveTraces';
import { askText } from '../ui/askText';
import { plainMessageText } from '../ui/plainText';
import type { CommandHandlers } from '../ui/registerCommands';
import { showError } from '../ui/showError';
import { withProgress } from '../ui/withProgress';
import { EditorWallet, WalletRequestDocuments } from './editorWallet';
import type { WalletCommandId } from './walletServer';

/** Everything about the test wallet, loaded on first use: the wallet, its status bar item, and its commands. */
export class WalletFeature {
  readonly server: EditorWallet;
  readonly commands: WalletCommands;
  readonly #parts: vscode.Disposable[];

  /**
   * @param use what sends and rehearses
   * @param onChange told when what the view shows has changed
   */
  constructor(
    services: TraceServices,
    use: () => Promise<{ emulators: EmulatorHolder }>,
    onChange: () => void,
  ) {
    const wallet = new EditorWallet(services, async () => (await use()).emulators);
    this.server = wallet;
    const documents = new WalletRequestDocuments(services, wallet);
    this.commands = walletCommands(services, wallet, documents);
    this.#parts = [
      registerWalletStatus(wallet),
      wallet.onDidChange(onChange),
      wallet.onDidChange(() =>
        setContextKey(vscode.commands, 'tonWorkbench.walletRunning', wallet.state() !== undefined),
      ),
      wallet.onDidChange(() => documents.refresh()),
      wallet.onRequest((asked) => void tellRequest(services, asked)),
      wallet.onAnswer(({ hash, isUnheard }) => {
        if (isUnheard === true) {
          void tellUnheard();
        }
        if (hash !== undefined) {
          services.traces.sent(hash);
        }
      }),
      wallet.onRelayed((trace) => services.traces.sent(trace)),
      wallet.onStopped((error) => void tellStopped(services, error)),
    ];
  }

  /** Stops until the next window. */
  async close(): Promise<void> {
    this.#parts.forEach((part) => void part.dispose());
    await this.server.dispose();
  }
}

/** The status bar item of the test wallet, while it runs: what waits for a decision. */
function registerWalletStatus(wallet: LocalServerView<WalletViewState>): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('tonWorkbench.wallet', vscode.StatusBarAlignment.Left, 48);
  item.name = 'TON Test Wallet';
  item.command = 'tonWorkbench.localNetwork.focus';
  const update = (): void => {
    const state = wallet.state();
    if (state === undefined) {
      item.hide();
      return;
    }
    const { account, port, mode, requests, dApps } = state;
    const pending = requests.length === 0 ? '' : `: ${requests.length} pending`;
    item.text = `$(credit-card) Wallet ${account}${pending}`;
    item.backgroundColor =
      requests.length === 0 ? undefined : new vscode.ThemeColor('statusBarItem.warningBackground');
    item.tooltip = `Test wallet on port ${port}; connected dApps: ${dApps.length}; for those that connect next, it ${mode}`;
    item.accessibilityInformation = {
      label: `Test wallet of ${account} on port ${port}, requests that wait for a decision: ${requests.length}`,
      role: 'button',
    };
    item.show();
  };
  update();
  return vscode.Disposable.from(item, wallet.onDidChange(update));
}

type WalletCommands = Required<Pick<CommandHandlers, WalletCommandId>>;

/** The implementation of each command. */
function walletCommands(
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
  const { approval: now, account, lacks } = (await startShown(wallet)).snapshot;
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
      { label: 'what their wallet can do', kind: vscode.QuickPickItemKind.Separator },
      ...featureChoices.map((word) => ({
        label: `${lacks.includes(word) ? '$(check) ' : ''}${featureTitles[word]}`,
        detail: featureWords[word],
        run: () => wallet.setFeatures(toggled(lacks, word)),
      })),
    ],
    {
      title: 'TON: Set Up Test Wallet',
      placeHolder: 'Choose how it decides, which account it is, or what it can do',
    },
  );
  await picked?.run?.();
}

/** On the rows of the set-up. */
const featureTitles: Readonly<Record<FeatureWord, string>> = {
  all: 'Everything',
  v2: 'Only Version 2',
  '4-messages': 'At Most 4 Messages',
  'no-sign-message': 'Without signMessage',
  'no-sign-data': 'Without signData',
  'no-items': 'Without Items',
  'no-embedded': 'Without Requests in Links',
  'no-extra-currencies': 'Without Extra Currencies',
};
const featureChoices = Object.keys(featureTitles) as FeatureWord[];

/** What the wallet lacks after a row was chosen: one more, one less, or nothing. */
function toggled(lacks: readonly FeatureWord[], word: FeatureWord): FeatureWord[] {
  return word === 'all' ? [] : lacks.includes(word) ? lacks.filter((one) => one !== word) : [...lacks, word];
}

/** Decides a pending request; asks how, if that is not given. */
async function decideRequest(wallet: EditorWallet, number: number, given: string | undefined): Promise<void> {
  const way = relayWays.find((one) => one === given);
  if (way !== undefined) {
    await wallet.relay(number, way);
    return;
  }
  const picked = walletDecisions.includes(given as (typeof walletDecisions)[number])
    ? given
    : await askDecision(wallet, number);
  const decision = walletDecisions.find((one) => one === picked);
  if (decision !== undefined) {
    await wallet.decide(number, { decision });
  }
}

async function askDecision(wallet: EditorWallet, number: number): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick(
    decisionsFor(wallet.shown(number)?.request).map((decision) => ({
      ...{ label: decisionTitles[decision], detail: decisionWords[decision], decision },
    })),
    { title: `TON: Decide Request ${number}`, placeHolder: 'Choose what the wallet does' },
  );
  return picked?.decision;
}

/** Tells that an approved connection has reached nobody, and what to do. */
async function tellUnheard(): Promise<void> {
  await vscode.window.showWarningMessage(capitalized(unheardWords));
}

/** Tells about a request that waits. */
async function tellRequest(services: TraceServices, { request, session }: AskedRequest): Promise<void> {
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
async function tellStopped({ log }: TraceServices, error: WorkbenchError): Promise<void> {
  const run = (): unknown => runCommand(vscode.commands, 'tonWorkbench.startWallet');
  await showError(error, log, [{ title: 'Start Test Wallet', run }]);
}
