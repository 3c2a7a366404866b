import * as vscode from 'vscode';
import { registerAgents } from './editor/agents/registerAgents';
import { PinnedContracts } from './editor/project/pinnedContracts';
import { registerApiExplorer } from './editor/apiExplorer/registerApiExplorer';
import { registerCallSheets } from './editor/callSheets/registerCallSheets';
import { registerCells } from './editor/cells/registerCells';
import { registerContracts } from './editor/contracts/registerContracts';
import { registerCoverage } from './editor/coverage/registerCoverage';
import { registerDebug } from './editor/debug/registerDebug';
import { registerGetMethods } from './editor/getMethods/registerGetMethods';
import { registerLocalNetwork } from './editor/localnet/registerLocalNetwork';
import { registerLocalServer } from './editor/localnet/registerLocalServer';
import { AccessClients } from './editor/networks/accessClients';
import { ApiKeys } from './editor/networks/apiKeys';
import { Connections, LocalNetwork } from './editor/networks/localNetwork';
import { Networks } from './editor/networks/networks';
import { registerNetworks } from './editor/networks/registerNetworks';
import { paymentsServer } from './editor/payments/paymentsServer';
import { ProjectContracts } from './editor/project/projectContracts';
import { registerReplay } from './editor/replay/registerReplay';
import { registerSend } from './editor/send/registerSend';
import type { TraceServices } from './editor/traces/liveTraces';
import { OpenTraces } from './editor/traces/openTraces';
import { registerTests } from './editor/tests/registerTests';
import { registerTraces } from './editor/traces/registerTraces';
import { afterStart } from './editor/ui/afterStart';
import { ReadOnlyDocuments } from './editor/ui/readOnlyDocuments';
import { registerCommands } from './editor/ui/registerCommands';
import { walletServer } from './editor/wallet/walletServer';
import { registerWebhooks } from './editor/webhooks/registerWebhooks';
import type { Log } from './toolkit/base/log';
import { Redactor, createLog } from './toolkit/base/log';

let running: TraceServices | undefined;
/** To be closed before the window goes away. */
let servers: readonly { close(): Promise<void> }[] = [];

/** Builds the services and registers the features; nothing heavy is loaded before it is needed. */
export function activate(context: vscode.ExtensionContext): void {
  const channel = vscode.window.createOutputChannel('TON Workbench', { log: true });
  const redactor = new Redactor();
  const log = createLog((level, line) => channel[level](line), redactor);
  const networks = new Networks(context.workspaceState);
  const apiKeys = new ApiKeys(context.secrets, redactor);
  const clients = new AccessClients(apiKeys, log);
  const localNetwork = new LocalNetwork(networks, clients, context, log);
  const connections = new Connections(networks, clients, localNetwork);
  const documents = new ReadOnlyDocuments();
  const traces = new OpenTraces();
  const project = new ProjectContracts(context.workspaceState, log);
  const pins = new PinnedContracts(context.workspaceState);
  const services: TraceServices = {
    context,
    log,
    networks,
    apiKeys,
    localNetwork,
    connections,
    documents,
    traces,
    project,
    pins,
  };
  clients.onBook = (network, book) => {
    void import('./editor/networks/domainNames').then(({ learnDomains }) =>
      learnDomains(services, network, book),
    );
  };
  running = services;
  const webhooks = registerWebhooks(services, redactor);
  const [traceViews, replay] = [registerTraces(services), registerReplay(services)];
  const send = registerSend(services, traceViews.following, redactor);
  const wallet = registerLocalServer(services, walletServer, async (onChange) => {
    const { WalletFeature } = await import('./editor/wallet/walletFeature');
    return new WalletFeature(services, send.use, onChange);
  });
  const payments = registerLocalServer(services, paymentsServer, async (onChange) => {
    const { PaymentsFeature } = await import('./editor/payments/paymentsFeature');
    return new PaymentsFeature((await webhooks.use()).services, onChange);
  });
  servers = [wallet, payments, webhooks];
  context.subscriptions.push(
    channel,
    documents.register(),
    clients.register(),
    project.register(),
    registerNetworks(services, send.ownWallet),
    wallet,
    payments,
    registerLocalNetwork(services, { wallet, payments }),
    registerGetMethods(services),
    registerContracts(services, send.use),
    registerCallSheets(services, send.use),
    traceViews,
    registerCells(services),
    send,
    replay,
    registerTests(services, replay, registerDebug(services, replay.use, send.use)),
    registerCoverage(services),
    registerApiExplorer(services),
    registerAgents(services),
    webhooks,
    registerCommands(log, { 'tonWorkbench.showLog': () => channel.show() }),
    afterStart(() => logVersions(context.extension, log)),
  );
}

/** Stops what is running; the window waits for it. */
export async function deactivate(): Promise<void> {
  await Promise.all([running?.localNetwork.dispose(), ...servers.map((server) => server.close())]);
  running = undefined;
  servers = [];
}

function logVersions({ id, packageJSON }: vscode.Extension<unknown>, log: Log): void {
  const { version } = packageJSON as { version?: unknown };
  log.info(
    `${id} ${String(version)}, VS Code ${vscode.version}, Node ${process.version}, ${vscode.env.remoteName ?? 'desktop'}`,
  );
}
