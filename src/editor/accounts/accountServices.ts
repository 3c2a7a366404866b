import type { NetworkServices } from '../networks/networkServices';
import type { PinnedContracts } from './pinnedContracts';

/** What names of accounts are known from. */
export interface AccountServices extends NetworkServices {
  /** The contracts of the view "Contracts". */
  pins: PinnedContracts;
}
