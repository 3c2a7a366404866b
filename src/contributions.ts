import type * as vscode from 'vscode';
import type { AnswerRef, CallSheetRef, EndpointCall, EndpointSnippet } from './commandArguments';

/**
 * Every id that package.json contributes, once, with its types. A test holds this file, package.json, package.nls.json
 * and the commands registered in a running editor against one another.
 */

/** A get-method call as commands, lenses and menus pass it on; what is missing is asked for. */
export interface GetMethodRequest {
  /** Name of the network; the current one unless said otherwise. */
  network?: string;
  /** Any usual form of an address, or the name of a known account. */
  address?: string;
  method?: string;
  /** Stack text (design: typed stack text); `''` is an empty stack, undefined asks. */
  stack?: string;
}

/** A get-method of a contract of the workspace, as the lens above it passes it on. */
export interface RunTarget {
  method: string;
  /** The contract's name: as the source says, else the file's. */
  contract: string;
  /** The deployed instance, raw; asked for when absent. */
  address?: string;
}

/** A test webhook as buttons and lenses pass it on; what is missing is asked for. */
export interface TestWebhook {
  /** Name of the scenario. */
  scenario?: string;
  /** Where to: a URL. */
  url?: string;
}

/** A trace of the list, as rows and lenses pass it on. */
export interface TraceRef {
  key: string;
}

/** A transaction of a trace of the list. */
export interface TransactionRef extends TraceRef {
  /** Position in the trace, depth first. */
  index: number;
}

/** An inspected BoC: all of it. */
export interface BocTarget {
  /** Path of its document. */
  key: string;
}

/** Commands with the arguments they take. */
export interface CommandTypes {
  'tonWorkbench.runGetMethod': (call?: GetMethodRequest) => Promise<void>;
  'tonWorkbench.newCallSheet': () => Promise<void>;
  /** The sheet in the active editor. */
  'tonWorkbench.runCallSheet': () => Promise<void>;
  'tonWorkbench.runSheetCall': (ref?: CallSheetRef) => Promise<void>;
  'tonWorkbench.watchSheetCall': (ref?: CallSheetRef) => Promise<void>;
  'tonWorkbench.stopSheetWatch': (ref?: CallSheetRef) => Promise<void>;
  'tonWorkbench.copySheetCall': (ref?: CallSheetRef) => Promise<void>;
  'tonWorkbench.compareSheetCall': (ref?: CallSheetRef) => Promise<void>;
  'tonWorkbench.callEndpoint': (call?: EndpointCall) => Promise<void>;
  'tonWorkbench.copyEndpointCall': (snippet: EndpointSnippet) => Promise<void>;
  'tonWorkbench.openTrace': (query?: string) => Promise<void>;
  'tonWorkbench.openTraceFile': () => Promise<void>;
  'tonWorkbench.openAnswerTraces': (answer: AnswerRef) => Promise<void>;
  'tonWorkbench.recentTraces': (item?: unknown) => Promise<void>;
  'tonWorkbench.followTrace': (hash?: string) => Promise<void>;
  'tonWorkbench.stopFollowing': () => void;
  'tonWorkbench.showTrace': (ref: TraceRef) => Promise<void>;
  'tonWorkbench.showTraceGraph': (ref: unknown) => void;
  'tonWorkbench.showTransaction': (ref: TransactionRef) => Promise<void>;
  'tonWorkbench.saveTrace': (ref: unknown) => Promise<void>;
  'tonWorkbench.copyTrace': (ref: TraceRef & { as: 'mermaid' | 'json' }) => Promise<void>;
  'tonWorkbench.removeTrace': (item: unknown) => void;
  'tonWorkbench.clearTraces': () => void;
  'tonWorkbench.moreTraces': () => Promise<void>;
  'tonWorkbench.compareTraces': (item?: unknown) => Promise<void>;
  'tonWorkbench.filterTraces': () => Promise<void>;
  'tonWorkbench.clearTraceFilter': () => void;
  'tonWorkbench.openAccount': (account?: unknown) => Promise<void>;
  /** A BoC's text, or a file of the explorer. */
  'tonWorkbench.sendBoc': (boc?: unknown) => Promise<void>;
  /** One line of text, or the row of the account that gets it; asked for when absent. */
  'tonWorkbench.composeMessage': (given?: unknown) => Promise<void>;
  /** A BoC's text, a file's URI as text, or a file of the explorer. */
  'tonWorkbench.inspectBoc': (boc?: unknown) => Promise<void>;
  /** These take a {@link BocTarget} from lenses; without one the cursor's line decides. */
  'tonWorkbench.inspectCell': (target?: unknown) => Promise<void>;
  'tonWorkbench.copyCellAsBoc': (target?: unknown) => Promise<void>;
  'tonWorkbench.copyCellAsHex': (target?: unknown) => Promise<void>;
  'tonWorkbench.compareBoc': (target?: unknown) => Promise<void>;
  'tonWorkbench.disassembleCell': (target?: unknown) => Promise<void>;
  'tonWorkbench.readCellAs': (target?: unknown) => Promise<void>;
  'tonWorkbench.findInBoc': (target?: unknown) => Promise<void>;
  'tonWorkbench.switchNetwork': () => Promise<void>;
  'tonWorkbench.setApiKey': () => Promise<void>;
  'tonWorkbench.testApiKey': () => Promise<void>;
  'tonWorkbench.removeApiKey': () => Promise<void>;
  'tonWorkbench.startLocalNetwork': () => Promise<void>;
  'tonWorkbench.stopLocalNetwork': () => Promise<void>;
  'tonWorkbench.copyLocalNetworkUrl': () => Promise<void>;
  'tonWorkbench.localFaucet': (item?: unknown) => Promise<void>;
  'tonWorkbench.localSetBalance': (item?: unknown) => Promise<void>;
  'tonWorkbench.localSetCode': (item?: unknown) => Promise<void>;
  'tonWorkbench.localSetData': (item?: unknown) => Promise<void>;
  /** The row of the account to send as; asked for when absent. */
  'tonWorkbench.localSendAs': (item?: unknown) => Promise<void>;
  'tonWorkbench.localImportConfig': () => Promise<void>;
  'tonWorkbench.localFork': () => Promise<void>;
  'tonWorkbench.localLeaveFork': () => Promise<void>;
  'tonWorkbench.localRequests': () => Promise<void>;
  /** Number of a recorded request. */
  'tonWorkbench.localReplay': (id: number) => Promise<void>;
  /** The row of a message on which the emulator failed. */
  'tonWorkbench.localRetryMessage': (item?: unknown) => Promise<void>;
  'tonWorkbench.localDropMessage': (item?: unknown) => Promise<void>;
  'tonWorkbench.localMine': () => Promise<void>;
  'tonWorkbench.localMoveTime': () => Promise<void>;
  'tonWorkbench.localBlockMode': () => Promise<void>;
  'tonWorkbench.localSnapshot': () => Promise<void>;
  'tonWorkbench.localRestore': () => Promise<void>;
  'tonWorkbench.localRewind': (item?: unknown) => Promise<void>;
  'tonWorkbench.localReset': () => Promise<void>;
  'tonWorkbench.localDeploy': (item?: unknown) => Promise<void>;
  'tonWorkbench.copyAddress': (item?: unknown) => Promise<void>;
  'tonWorkbench.runGetMethodOn': (item?: unknown) => Promise<void>;
  'tonWorkbench.callHistory': () => Promise<void>;
  'tonWorkbench.copyCall': (call?: GetMethodRequest) => Promise<void>;
  'tonWorkbench.pinContract': (item?: unknown) => Promise<void>;
  'tonWorkbench.renameContract': (item?: unknown) => Promise<void>;
  'tonWorkbench.removeContract': (item?: unknown) => Promise<void>;
  'tonWorkbench.chooseContractSource': (item?: unknown) => Promise<void>;
  'tonWorkbench.refreshContracts': () => Promise<void>;
  'tonWorkbench.runPinnedMethod': (item?: unknown) => Promise<void>;
  'tonWorkbench.watchCall': (item?: unknown) => Promise<void>;
  'tonWorkbench.unwatchCall': (item?: unknown) => Promise<void>;
  'tonWorkbench.stopWatching': () => Promise<void>;
  'tonWorkbench.runOnContract': (target: RunTarget) => Promise<void>;
  'tonWorkbench.showLog': () => void;
  'tonWorkbench.startWebhooks': () => Promise<void>;
  'tonWorkbench.stopWebhooks': () => Promise<void>;
  'tonWorkbench.copyWebhookUrl': () => Promise<void>;
  'tonWorkbench.allowWebhookHost': () => Promise<void>;
  'tonWorkbench.addWebhookSecret': () => Promise<void>;
  'tonWorkbench.rotateWebhookSecret': () => Promise<void>;
  'tonWorkbench.removeWebhookSecret': () => Promise<void>;
  'tonWorkbench.newOrdersFile': () => Promise<void>;
  'tonWorkbench.forwardWebhooks': () => Promise<void>;
  'tonWorkbench.sendTestWebhook': (test?: TestWebhook) => Promise<void>;
  'tonWorkbench.checkWebhookEndpoint': (url?: string) => Promise<void>;
  'tonWorkbench.openDelivery': (item?: unknown) => Promise<void>;
  'tonWorkbench.resendDelivery': (item?: unknown) => Promise<void>;
  'tonWorkbench.resendDeliveryTo': (item?: unknown) => Promise<void>;
  'tonWorkbench.editDelivery': (item?: unknown) => Promise<void>;
  'tonWorkbench.sendEditedDelivery': (document?: string, askWhereTo?: boolean) => Promise<void>;
  'tonWorkbench.cancelEditedDelivery': (document?: string) => Promise<void>;
  'tonWorkbench.copyDeliveryAsCurl': (item?: unknown) => Promise<void>;
  'tonWorkbench.copyDeliveryValue': (item?: unknown) => Promise<void>;
  'tonWorkbench.checkDeliveryOnChain': (item?: unknown) => Promise<void>;
  'tonWorkbench.searchDeliveries': () => Promise<void>;
  'tonWorkbench.filterDeliveries': () => Promise<void>;
  'tonWorkbench.clearDeliveryFilter': () => void;
  'tonWorkbench.clearDeliveries': () => Promise<void>;
  'tonWorkbench.exportDeliveries': () => Promise<void>;
  'tonWorkbench.showOlderDeliveries': () => void;
}

export type CommandId = keyof CommandTypes;

/** Complete by construction: a command without an entry does not compile. */
const commandSet: { [K in CommandId]: null } = {
  'tonWorkbench.runGetMethod': null,
  'tonWorkbench.newCallSheet': null,
  'tonWorkbench.runCallSheet': null,
  'tonWorkbench.runSheetCall': null,
  'tonWorkbench.watchSheetCall': null,
  'tonWorkbench.stopSheetWatch': null,
  'tonWorkbench.copySheetCall': null,
  'tonWorkbench.compareSheetCall': null,
  'tonWorkbench.callEndpoint': null,
  'tonWorkbench.copyEndpointCall': null,
  'tonWorkbench.openTrace': null,
  'tonWorkbench.openTraceFile': null,
  'tonWorkbench.openAnswerTraces': null,
  'tonWorkbench.recentTraces': null,
  'tonWorkbench.followTrace': null,
  'tonWorkbench.stopFollowing': null,
  'tonWorkbench.showTrace': null,
  'tonWorkbench.showTraceGraph': null,
  'tonWorkbench.showTransaction': null,
  'tonWorkbench.saveTrace': null,
  'tonWorkbench.copyTrace': null,
  'tonWorkbench.removeTrace': null,
  'tonWorkbench.clearTraces': null,
  'tonWorkbench.moreTraces': null,
  'tonWorkbench.compareTraces': null,
  'tonWorkbench.filterTraces': null,
  'tonWorkbench.clearTraceFilter': null,
  'tonWorkbench.openAccount': null,
  'tonWorkbench.sendBoc': null,
  'tonWorkbench.composeMessage': null,
  'tonWorkbench.inspectBoc': null,
  'tonWorkbench.inspectCell': null,
  'tonWorkbench.copyCellAsBoc': null,
  'tonWorkbench.copyCellAsHex': null,
  'tonWorkbench.compareBoc': null,
  'tonWorkbench.disassembleCell': null,
  'tonWorkbench.readCellAs': null,
  'tonWorkbench.findInBoc': null,
  'tonWorkbench.switchNetwork': null,
  'tonWorkbench.setApiKey': null,
  'tonWorkbench.testApiKey': null,
  'tonWorkbench.removeApiKey': null,
  'tonWorkbench.startLocalNetwork': null,
  'tonWorkbench.stopLocalNetwork': null,
  'tonWorkbench.copyLocalNetworkUrl': null,
  'tonWorkbench.localFaucet': null,
  'tonWorkbench.localSetBalance': null,
  'tonWorkbench.localSetCode': null,
  'tonWorkbench.localSetData': null,
  'tonWorkbench.localSendAs': null,
  'tonWorkbench.localImportConfig': null,
  'tonWorkbench.localFork': null,
  'tonWorkbench.localLeaveFork': null,
  'tonWorkbench.localRequests': null,
  'tonWorkbench.localReplay': null,
  'tonWorkbench.localRetryMessage': null,
  'tonWorkbench.localDropMessage': null,
  'tonWorkbench.localMine': null,
  'tonWorkbench.localMoveTime': null,
  'tonWorkbench.localBlockMode': null,
  'tonWorkbench.localSnapshot': null,
  'tonWorkbench.localRestore': null,
  'tonWorkbench.localRewind': null,
  'tonWorkbench.localReset': null,
  'tonWorkbench.localDeploy': null,
  'tonWorkbench.copyAddress': null,
  'tonWorkbench.runGetMethodOn': null,
  'tonWorkbench.callHistory': null,
  'tonWorkbench.copyCall': null,
  'tonWorkbench.pinContract': null,
  'tonWorkbench.renameContract': null,
  'tonWorkbench.removeContract': null,
  'tonWorkbench.chooseContractSource': null,
  'tonWorkbench.refreshContracts': null,
  'tonWorkbench.runPinnedMethod': null,
  'tonWorkbench.watchCall': null,
  'tonWorkbench.unwatchCall': null,
  'tonWorkbench.stopWatching': null,
  'tonWorkbench.runOnContract': null,
  'tonWorkbench.showLog': null,
  'tonWorkbench.startWebhooks': null,
  'tonWorkbench.stopWebhooks': null,
  'tonWorkbench.copyWebhookUrl': null,
  'tonWorkbench.allowWebhookHost': null,
  'tonWorkbench.addWebhookSecret': null,
  'tonWorkbench.rotateWebhookSecret': null,
  'tonWorkbench.removeWebhookSecret': null,
  'tonWorkbench.newOrdersFile': null,
  'tonWorkbench.forwardWebhooks': null,
  'tonWorkbench.sendTestWebhook': null,
  'tonWorkbench.checkWebhookEndpoint': null,
  'tonWorkbench.openDelivery': null,
  'tonWorkbench.resendDelivery': null,
  'tonWorkbench.resendDeliveryTo': null,
  'tonWorkbench.editDelivery': null,
  'tonWorkbench.sendEditedDelivery': null,
  'tonWorkbench.cancelEditedDelivery': null,
  'tonWorkbench.copyDeliveryAsCurl': null,
  'tonWorkbench.copyDeliveryValue': null,
  'tonWorkbench.checkDeliveryOnChain': null,
  'tonWorkbench.searchDeliveries': null,
  'tonWorkbench.filterDeliveries': null,
  'tonWorkbench.clearDeliveryFilter': null,
  'tonWorkbench.clearDeliveries': null,
  'tonWorkbench.exportDeliveries': null,
  'tonWorkbench.showOlderDeliveries': null,
};
export const commandIds = Object.keys(commandSet) as CommandId[];

/** A network as the setting spells it; either URL may be missing. */
export interface NetworkSetting {
  name: string;
  v2?: string;
  v3?: string;
  kind?: string;
  globalId?: number;
  explorer?: string;
  requestsPerSecond?: number;
}

/** Settings with the types that package.json declares. */
export interface SettingTypes {
  'tonWorkbench.networks': NetworkSetting[];
  'tonWorkbench.localNetwork.port': number;
  'tonWorkbench.localNetwork.allowedOrigins': string[];
  'tonWorkbench.localNetwork.startWithWindow': boolean;
  'tonWorkbench.coinLabel': string;
  'tonWorkbench.getMethodLenses': boolean;
  'tonWorkbench.webhooks.port': number;
  'tonWorkbench.webhooks.path': string;
  'tonWorkbench.webhooks.startWithWindow': boolean;
  'tonWorkbench.webhooks.allowedHosts': string[];
  'tonWorkbench.webhooks.signatureHeaders': string[];
  'tonWorkbench.webhooks.signatureEncoding': 'hex' | 'any';
  'tonWorkbench.webhooks.forward': 'off' | 'verified' | 'all';
  'tonWorkbench.webhooks.forwardUrl': string;
  'tonWorkbench.webhooks.ordersFile': string;
  'tonWorkbench.requestsPerSecondWithKey': number;
  'tonWorkbench.maximumAnswerMiB': number;
  'tonWorkbench.chainLinks': boolean;
}

export type SettingId = keyof SettingTypes;

const settingSet: { [K in SettingId]: SettingTypes[K] } = {
  'tonWorkbench.networks': [],
  'tonWorkbench.localNetwork.port': 8081,
  'tonWorkbench.localNetwork.allowedOrigins': [],
  'tonWorkbench.localNetwork.startWithWindow': false,
  'tonWorkbench.coinLabel': 'TON',
  'tonWorkbench.getMethodLenses': true,
  'tonWorkbench.webhooks.port': 8787,
  'tonWorkbench.webhooks.path': '/webhook',
  'tonWorkbench.webhooks.startWithWindow': false,
  'tonWorkbench.webhooks.allowedHosts': [],
  'tonWorkbench.webhooks.signatureHeaders': ['X-Pay-Signature', 'X-TonPay-Signature'],
  'tonWorkbench.webhooks.signatureEncoding': 'hex',
  'tonWorkbench.webhooks.forward': 'off',
  'tonWorkbench.webhooks.forwardUrl': '',
  'tonWorkbench.webhooks.ordersFile': 'webhook-orders.json',
  'tonWorkbench.requestsPerSecondWithKey': 10,
  'tonWorkbench.maximumAnswerMiB': 64,
  'tonWorkbench.chainLinks': true,
};
export const settingIds = Object.keys(settingSet) as SettingId[];

/** Views of the activity bar container `ton`. */
export const views = {
  contracts: 'tonWorkbench.contracts',
  traces: 'tonWorkbench.traces',
  webhooks: 'tonWorkbench.webhooks',
  localNetwork: 'tonWorkbench.localNetwork',
} as const;

/** Where the paths of inspected BoCs begin, under the scheme `ton`: menus test it. */
export const bocPathPrefix = '/boc/';

/** The read-only editor of *.boc files. */
export const bocEditorType = 'tonWorkbench.boc';

/** Scheme of the read-only documents that results open in. */
export const documentScheme = 'ton';

/** Registers a command under its typed id. The namespace comes in as a parameter so that this file runs anywhere. */
export function registerCommand<K extends CommandId>(
  namespace: typeof vscode.commands,
  id: K,
  run: CommandTypes[K],
): vscode.Disposable {
  return namespace.registerCommand(id, run as (...args: unknown[]) => unknown);
}

/** Runs a command by its typed id. */
export function runCommand<K extends CommandId>(
  namespace: typeof vscode.commands,
  id: K,
  ...args: Parameters<CommandTypes[K]>
): Thenable<unknown> {
  return namespace.executeCommand(id, ...args);
}

/** A `Command` object for lenses, tree items and status bar items. */
export function asCommand<K extends CommandId>(
  command: K,
  title: string,
  ...args: Parameters<CommandTypes[K]>
): vscode.Command {
  return { command, title, arguments: args };
}

/** Reads a setting; the declared default stands in where nothing is set. */
export function readSetting<K extends SettingId>(namespace: typeof vscode.workspace, id: K): SettingTypes[K] {
  return namespace.getConfiguration().get<SettingTypes[K]>(id) ?? settingSet[id];
}
