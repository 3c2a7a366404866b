import type * as vscode from 'vscode';
import type { Log } from '../toolkit/log';
import type { ProjectContracts } from './project/projectContracts';
import type { PinnedContracts } from './accounts/pinnedContracts';
import type { LocalNetwork } from './networks/localNetwork';
import type { ApiKeys } from './networks/apiKeys';
import type { Connections } from './networks/connections';
import type { Networks } from './networks/networks';
import type { OpenTraces } from './traces/openTraces';
import type { ReadOnlyDocuments } from './ui/readOnlyDocuments';

/** What features share. Built once in activate(), passed by hand. */
export interface Services {
  context: vscode.ExtensionContext;
  log: Log;
  networks: Networks;
  apiKeys: ApiKeys;
  localNetwork: LocalNetwork;
  connections: Connections;
  documents: ReadOnlyDocuments;
  traces: OpenTraces;
  /** What the workspace's files tell of its contracts. */
  project: ProjectContracts;
  /** The contracts of the view "Contracts". */
  pins: PinnedContracts;
}
