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
  'tonWorkbench.requestsPerSecondWithKey': number;
  'tonWorkbench.maximumResponseSize': number;
  'tonWorkbench.mainnet.limit': string;
  'tonWorkbench.tonConnect.manifest': string;
  'tonWorkbench.tonConnect.walletsList': string;
  'tonWorkbench.startWithWindow': { localNetwork: boolean; webhooks: boolean };
  'tonWorkbench.ports': { localNetwork: number; webhooks: number; payments: number; wallet: number };
  'tonWorkbench.localNetwork.confirmSends': boolean;
  'tonWorkbench.localNetwork.allowedOrigins': string[];
  'tonWorkbench.payments.webhookUrl': string;
  'tonWorkbench.agents.allowedNetworks': string[];
  'tonWorkbench.coinLabel': string;
  'tonWorkbench.getMethodLenses': boolean;
  'tonWorkbench.chainLinks': boolean;
  'tonWorkbench.webhooks.service': string;
  'tonWorkbench.webhooks.path': string;
  'tonWorkbench.webhooks.allowedHosts': string[];
  'tonWorkbench.webhooks.ordersFile': string;
  'tonWorkbench.webhooks.forward': { deliveries: 'off' | 'verified' | 'all'; url: string };
  'tonWorkbench.webhooks.signature': {
    headers: string[];
    encoding: 'hex' | 'any';
    hmacHeader: string;
    hmacPrefix: string;
    hmacAlgorithm: 'sha256' | 'sha512' | 'sha384' | 'sha1';
    hmacEncoding: 'hex' | 'base64';
  };
}

export type SettingId = keyof SettingTypes;

const settingSet: { [K in SettingId]: SettingTypes[K] } = {
  'tonWorkbench.networks': [],
  'tonWorkbench.requestsPerSecondWithKey': 10,
  'tonWorkbench.maximumResponseSize': 64,
  'tonWorkbench.mainnet.limit': '1',
  'tonWorkbench.tonConnect.manifest': '',
  'tonWorkbench.tonConnect.walletsList': '',
  'tonWorkbench.startWithWindow': { localNetwork: false, webhooks: false },
  'tonWorkbench.ports': { localNetwork: 8081, webhooks: 8787, payments: 8788, wallet: 8899 },
  'tonWorkbench.localNetwork.confirmSends': false,
  'tonWorkbench.localNetwork.allowedOrigins': [],
  'tonWorkbench.payments.webhookUrl': '',
  'tonWorkbench.agents.allowedNetworks': [],
  'tonWorkbench.coinLabel': 'TON',
  'tonWorkbench.getMethodLenses': true,
  'tonWorkbench.chainLinks': true,
  'tonWorkbench.webhooks.service': 'ton-pay',
  'tonWorkbench.webhooks.path': '/webhook',
  'tonWorkbench.webhooks.allowedHosts': [],
  'tonWorkbench.webhooks.ordersFile': 'webhook-orders.json',
  'tonWorkbench.webhooks.forward': { deliveries: 'off', url: '' },
  'tonWorkbench.webhooks.signature': {
    headers: ['X-Pay-Signature', 'X-TonPay-Signature'],
    encoding: 'hex',
    hmacHeader: 'X-Signature',
    hmacPrefix: '',
    hmacAlgorithm: 'sha256',
    hmacEncoding: 'hex',
  },
};
export const settingIds = Object.keys(settingSet) as SettingId[];

/** What a workspace may set. All others count in the user's settings only: they open ports, send, or redirect. */
export const workspaceSettings: readonly SettingId[] = [
  'tonWorkbench.localNetwork.confirmSends',
  'tonWorkbench.getMethodLenses',
  'tonWorkbench.chainLinks',
  'tonWorkbench.webhooks.ordersFile',
];

/** Views in the activity bar container `ton`, and among those of the debugger. */
export const views = {
  hits: 'tonWorkbench.hits',
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

/**
 * Reads a setting; falls back to the declared default, as each field of an object does.
 *
 * Settings of the user are not read with `get`: to the editor, a workspace's `tonWorkbench.ports.wallet` is a key
 * without a scope, and it would reach into the object `tonWorkbench.ports`.
 */
export function readSetting<K extends SettingId>(namespace: typeof vscode.workspace, id: K): SettingTypes[K] {
  // Only the extension's own section: the whole configuration is slow to put together.
  const [section, ...name] = id.split('.');
  const configuration = namespace.getConfiguration(section);
  const preset: SettingTypes[K] = settingSet[id];
  if (workspaceSettings.includes(id)) {
    return configuration.get<SettingTypes[K]>(name.join('.')) ?? preset;
  }
  const given: unknown = configuration.inspect(name.join('.'))?.globalValue;
  return withDefaults(given, preset);
}

function withDefaults<T>(given: unknown, preset: T): T {
  if (!isPlainObject(preset)) {
    return isAlike(given, preset) ? given : preset;
  }
  const fields = Object.entries(isPlainObject(given) ? given : {});
  return Object.assign(
    {},
    preset,
    Object.fromEntries(fields.filter(([key, value]) => isAlike(value, preset[key]))),
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value has the kind of its default. */
function isAlike<T>(value: unknown, preset: T): value is T {
  return typeof value === typeof preset && Array.isArray(value) === Array.isArray(preset) && value !== null;
}
