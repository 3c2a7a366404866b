import type { TraceKnowledge } from '../../toolkit/trace/traceKnowledge';
import { namesInTraces } from '../../toolkit/workflows/namesInTraces';
import { namedAddresses } from '../accounts/knownAccounts';
import type { Services } from '../services';
import { coinLabel } from '../ui/coinLabel';

/** This window's names of accounts and coin label, for traces. */
export function traceKnowledge(services: Services): Pick<TraceKnowledge, 'names' | 'coin'> {
  return {
    names: namesInTraces(services.networks.current(), namedAddresses(services)),
    coin: coinLabel(),
  };
}
