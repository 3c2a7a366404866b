import type { WorkbenchErrorParameters } from '../../errors';
import type { ForkPoint } from '../records/forkPoint';

/** What the worker asks the thread that started it, which has the access to the network. */
export type ForkQuestion =
  | { method: 'pin' }
  | { method: 'account'; point: ForkPoint; key: string }
  | { method: 'library'; point: ForkPoint; key: string }
  | { method: 'config'; point: ForkPoint };

export type ForkAnswer = { value: unknown } | { error: WorkbenchErrorParameters };
