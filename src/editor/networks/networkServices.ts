import type { Log } from '../../toolkit/log';
import type { ApiKeys } from './apiKeys';
import type { Connections } from './connections';
import type { LocalNetwork } from './localNetwork';
import type { Networks } from './networks';
import type { ReadOnlyDocuments } from '../ui/readOnlyDocuments';

/** A window's networks and the access to them. */
export interface NetworkServices {
  log: Log;
  documents: ReadOnlyDocuments;
  networks: Networks;
  apiKeys: ApiKeys;
  connections: Connections;
  localNetwork: LocalNetwork;
}
