import type { Log } from '../../toolkit/log';
import type { ApiKeys } from './apiKeys';
import type { Connections } from './connections';
import type { LocalNetwork } from './localNetwork';
import type { Networks } from './networks';

/** A window's networks and the access to them. */
export interface NetworkServices {
  log: Log;
  networks: Networks;
  apiKeys: ApiKeys;
  connections: Connections;
  localNetwork: LocalNetwork;
}
