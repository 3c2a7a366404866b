import type { TraceKnowledge } from '../../toolkit/trace/traceKnowledge';
import { namesInTraces } from '../../toolkit/workflows/namesInTraces';
import { accountsByName } from '../accounts/knownAccounts';
import type { Services } from '../services';
import { coinLabel } from '../ui/coinLabel';

/** What this window knows around a trace: the names of accounts and the coin's label. */
export function traceKnowledge(services: Services): Pick<TraceKnowledge, 'names' | 'coin'> {
  return {
    names: namesInTraces(services.networks.current(), accountsByName(services)),
    coin: coinLabel(),
  };
}
