import type { NetworkServices } from '../networks/networkServices';
import type { PinnedContracts } from './pinnedContracts';

/** Sources of account names. */
export interface AccountServices extends NetworkServices {
  /** The contracts of the view "Contracts". */
  pins: PinnedContracts;
}
