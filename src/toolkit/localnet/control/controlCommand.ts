import type { LocalChain } from '../chain/localChain';
import type { LocalDomains } from '../dns/localDomains';
import type { Faults } from '../faults/faults';
import type { ControlApi, ControlName } from './controlApi';
import type { ControlParameters } from './controlParameters';
import type { LocalnetStatus } from './localnetStatus';
import type { RecordedRequest, RequestLog } from './requestLog';

/** What commands act on. */
export interface ControlContext {
  chain: LocalChain;
  readonly domains: LocalDomains;
  status(): LocalnetStatus;
  faults: Faults;
  /** Called when they have changed. */
  onFaults(faults: Faults): void;
  readonly requests: RequestLog;
  replay(request: RecordedRequest): Promise<{ status: number; body: string }>;
}

/** A command's parameters as received, to be read by name. */
export type ControlParametersOf<Name extends ControlName> = ControlParameters<
  keyof ControlApi[Name]['parameters'] & string
>;

/** One command of the control API; `controlApi` says how it is called. */
export interface ControlCommand<Name extends ControlName> {
  /** Maximum bytes of a body, if above the usual limit. */
  bodyLimit?: number;
  /** The result is meant to be saved, so it is indented. */
  isFile?: true;
  run(
    context: ControlContext,
    parameters: ControlParametersOf<Name>,
  ): ControlApi[Name]['result'] | Promise<ControlApi[Name]['result']>;
}

export type ControlCommands = { readonly [Name in ControlName]: ControlCommand<Name> };
