import type { TraceKnowledge } from '../../toolkit/trace/traceKnowledge';
import { namesInTraces } from '../../toolkit/workflows/namesInTraces';
import { namedAddresses } from '../accounts/knownAccounts';
import type { Services } from '../services';
import { coinLabel } from '../ui/coinLabel';
import { thrownLines } from './thrownLines';

/** This window's names of accounts, coin label, and lines that threw, for traces. */
export function traceKnowledge(services: Services): Pick<TraceKnowledge, 'names' | 'coin' | 'thrownLine'> {
  const lines = thrownLines(services);
  return {
    names: namesInTraces(services.networks.current(), namedAddresses(services)),
    coin: coinLabel(),
    thrownLine: (hash) => lines.find(hash),
  };
}
