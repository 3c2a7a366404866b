import type * as vscode from 'vscode';
import type { CommandArguments, CommandId } from './commandArguments';

/**
 * Every id that package.json contributes besides the commands, with its types, and functions to register and run
 * commands by typed id. A test compares this file, package.json, package.nls.json, and the commands of a running
 * editor.
 */

/** A network as written in the setting; either URL may be missing. */
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
  'tonWorkbench.localNetwork.confirmSends': boolean;
  'tonWorkbench.wallet.port': number;
  'tonWorkbench.payments.port': number;
  'tonWorkbench.payments.webhookUrl': string;
  'tonWorkbench.coinLabel': string;
  'tonWorkbench.getMethodLenses': boolean;
  'tonWorkbench.webhooks.port': number;
  'tonWorkbench.webhooks.path': string;
  'tonWorkbench.webhooks.service': string;
  'tonWorkbench.webhooks.hmacHeader': string;
  'tonWorkbench.webhooks.hmacPrefix': string;
  'tonWorkbench.webhooks.hmacAlgorithm': 'sha256' | 'sha512' | 'sha384' | 'sha1';
  'tonWorkbench.webhooks.hmacEncoding': 'hex' | 'base64';
  'tonWorkbench.webhooks.startWithWindow': boolean;
  'tonWorkbench.webhooks.allowedHosts': string[];
  'tonWorkbench.webhooks.signatureHeaders': string[];
  'tonWorkbench.webhooks.signatureEncoding': 'hex' | 'any';
  'tonWorkbench.webhooks.forward': 'off' | 'verified' | 'all';
  'tonWorkbench.webhooks.forwardUrl': string;
  'tonWorkbench.webhooks.ordersFile': string;
  'tonWorkbench.requestsPerSecondWithKey': number;
  'tonWorkbench.maximumResponseSize': number;
  'tonWorkbench.chainLinks': boolean;
}

export type SettingId = keyof SettingTypes;

const settingSet: { [K in SettingId]: SettingTypes[K] } = {
  'tonWorkbench.networks': [],
  'tonWorkbench.localNetwork.port': 8081,
  'tonWorkbench.localNetwork.allowedOrigins': [],
  'tonWorkbench.localNetwork.startWithWindow': false,
  'tonWorkbench.localNetwork.confirmSends': false,
  'tonWorkbench.wallet.port': 8899,
  'tonWorkbench.payments.port': 8788,
  'tonWorkbench.payments.webhookUrl': '',
  'tonWorkbench.coinLabel': 'TON',
  'tonWorkbench.getMethodLenses': true,
  'tonWorkbench.webhooks.port': 8787,
  'tonWorkbench.webhooks.path': '/webhook',
  'tonWorkbench.webhooks.service': 'ton-pay',
  'tonWorkbench.webhooks.hmacHeader': 'X-Signature',
  'tonWorkbench.webhooks.hmacPrefix': '',
  'tonWorkbench.webhooks.hmacAlgorithm': 'sha256',
  'tonWorkbench.webhooks.hmacEncoding': 'hex',
  'tonWorkbench.webhooks.startWithWindow': false,
  'tonWorkbench.webhooks.allowedHosts': [],
  'tonWorkbench.webhooks.signatureHeaders': ['X-Pay-Signature', 'X-TonPay-Signature'],
  'tonWorkbench.webhooks.signatureEncoding': 'hex',
  'tonWorkbench.webhooks.forward': 'off',
  'tonWorkbench.webhooks.forwardUrl': '',
  'tonWorkbench.webhooks.ordersFile': 'webhook-orders.json',
  'tonWorkbench.requestsPerSecondWithKey': 10,
  'tonWorkbench.maximumResponseSize': 64,
  'tonWorkbench.chainLinks': true,
};
export const settingIds = Object.keys(settingSet) as SettingId[];

/** Views in the activity bar container `ton`. */
export const views = {
  contracts: 'tonWorkbench.contracts',
  traces: 'tonWorkbench.traces',
  webhooks: 'tonWorkbench.webhooks',
  localNetwork: 'tonWorkbench.localNetwork',
} as const;

/** The type of the tabs that show the page of a trace. */
export const tracePageViewType = 'tonWorkbench.tracePage';

/** Path prefix of inspected BoCs under the scheme `ton`, tested by menus. */
export const bocPathPrefix = '/boc/';

/** The read-only editor of *.boc files. */
export const bocEditorType = 'tonWorkbench.boc';

/** The read-only editor of *.tonreplay files. */
export const replayEditorType = 'tonWorkbench.replay';

/** The type of debug sessions in launch configurations. */
export const debugType = 'ton';

/** Scheme of the read-only result documents. */
export const documentScheme = 'ton';

/**
 * Runs a command by its typed id. The namespace is a parameter so that this file also loads outside the
 * editor.
 */
export function runCommand<K extends CommandId>(
  namespace: typeof vscode.commands,
  id: K,
  ...args: CommandArguments[K]
): Thenable<unknown> {
  return namespace.executeCommand(id, ...args);
}

/** Brings a view to the front. */
export function showView(namespace: typeof vscode.commands, view: keyof typeof views): Thenable<unknown> {
  return namespace.executeCommand(`${views[view]}.focus`);
}

/** A `Command` object for lenses, tree items and status bar items. */
export function asCommand<K extends CommandId>(
  command: K,
  title: string,
  ...args: CommandArguments[K]
): vscode.Command {
  return { command, title, arguments: args };
}

/** Reads a setting; falls back to the declared default. */
export function readSetting<K extends SettingId>(namespace: typeof vscode.workspace, id: K): SettingTypes[K] {
  // Only the extension's own section: the whole configuration is slow to put together.
  const [section, ...name] = id.split('.');
  return namespace.getConfiguration(section).get<SettingTypes[K]>(name.join('.')) ?? settingSet[id];
}
