import type { Network } from '../access/network';
import type { StackValue } from '../stack/stackValue';

/** A call to be exported. */
export interface ExportedCall {
  network: Pick<Network, 'name' | 'v2' | 'v3'>;
  /** Raw or user-friendly. */
  address: string;
  method: string;
  /** Its id, if that is not the one of its name. */
  methodId?: number | undefined;
  stack: readonly StackValue[];
}
