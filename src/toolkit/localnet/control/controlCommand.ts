import type { LocalChain } from '../chain/localChain';
import type { LocalDomains } from '../dns/localDomains';
import type { LocalnetStatus } from './localnetStatus';
import type { Manners } from '../faults/manners';
import type { RequestLog, RecordedRequest } from './requestLog';
import type { ControlParameters } from './controlParameters';

export interface ControlContext {
  chain: LocalChain;
  readonly domains: LocalDomains;
  status(): LocalnetStatus;
  manners: Manners;
  readonly requests: RequestLog;
  replay(request: RecordedRequest): Promise<{ status: number; body: string }>;
}

/** One command of the control API. */
export interface ControlCommand {
  verb: 'GET' | 'POST';
  /** For people: what it does. */
  purpose: string;
  /** Names of all its parameters, where a misspelled one would mean something else: others are refused. */
  takes?: readonly string[];
  /** Bytes of a body, where more than usual are taken. */
  bodyLimit?: number;
  /** The answer is for files: one line for each value. */
  isFile?: true;
  run(context: ControlContext, parameters: ControlParameters): unknown;
}
