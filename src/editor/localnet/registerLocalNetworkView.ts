import * as vscode from 'vscode';
import type { Services } from '../services';
import type { LocalItem, LocalServers } from './localElement';
import type { LocalRows } from './localRows';
import type { LocalNetworkState, RunningLocalNetwork } from '../networks/localNetwork';
import { clockWords } from '../../toolkit/localnet/localNetworkWords';
import { afterStart } from '../ui/afterStart';
import { LazyTree } from '../ui/lazyTree';

/**
 * The view "Local Network": contracts and accounts with their balances. Its empty state offers to start the
 * network.
 */
export function registerLocalNetworkView(services: Services, servers: LocalServers): vscode.Disposable {
  const tree = new LazyTree<LocalItem>('localNetwork', services.log);
  const { view } = tree;
  let rows: Promise<LocalRows> | undefined;
  const refresh = async (): Promise<void> => {
    if (services.localNetwork.state().kind === 'running') {
      rows ??= import('./localRows').then((module) => {
        const made = new module.LocalRows(services, servers, view);
        tree.attach(made);
        return made;
      });
    }
    (await rows)?.refresh();
  };
  const describe = (): void => {
    const state = services.localNetwork.state();
    view.description = state.kind === 'running' ? description(state) : '';
    view.message = messageOf(state);
    void refresh();
  };
  return vscode.Disposable.from(
    afterStart(describe),
    tree,
    { dispose: () => void rows?.then((made) => made.dispose()) },
    services.localNetwork.onDidChange(describe),
    services.pins.onDidChange(() => void refresh()),
  );
}

/** The line above the rows. */
function messageOf(state: LocalNetworkState): string | undefined {
  if (state.kind === 'failed') {
    return `The local network is not running: ${state.message}`;
  }
  return state.kind === 'running' && state.isPortNew
    ? `Its usual port is taken: this folder's network now uses port ${state.port}.`
    : undefined;
}

function description(running: RunningLocalNetwork): string {
  const { port, block, fork, isShared } = running;
  return [
    ...(fork === undefined ? [] : [`fork of ${fork.network} at ${fork.seqno}`]),
    clockWords(running),
    `port ${port}`,
    `block ${block}`,
    ...(isShared ? ['shared'] : []),
  ]
    .filter((part) => part !== '')
    .join(', ');
}
