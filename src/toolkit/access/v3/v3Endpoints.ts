import { v3Accounts } from './v3Accounts';
import { v3Blockchain } from './v3Blockchain';
import { v3Decode } from './v3Decode';
import { v3Dns } from './v3Dns';
import { v3Jettons } from './v3Jettons';
import { v3Mirrored } from './v3Mirrored';
import { v3Multisig } from './v3Multisig';
import { v3Nfts } from './v3Nfts';
import { v3Staking } from './v3Staking';
import { v3Stats } from './v3Stats';
import { v3Traces } from './v3Traces';
import { v3Validators } from './v3Validators';
import { v3Vesting } from './v3Vesting';

/** Every endpoint of API v3; the name is the path in one word: `/jetton/wallets` is `jettonWallets`. */
export const v3Endpoints = {
  ...v3Accounts,
  ...v3Traces,
  ...v3Blockchain,
  ...v3Jettons,
  ...v3Nfts,
  ...v3Dns,
  ...v3Multisig,
  ...v3Vesting,
  ...v3Stats,
  ...v3Decode,
  ...v3Staking,
  ...v3Validators,
  ...v3Mirrored,
};
