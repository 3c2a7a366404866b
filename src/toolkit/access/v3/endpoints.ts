import { accounts } from './accounts';
import { blockchain } from './blockchain';
import { decode } from './decode';
import { dns } from './dns';
import { jettons } from './jettons';
import { mirrored } from './mirrored';
import { multisig } from './multisig';
import { nfts } from './nfts';
import { staking } from './staking';
import { stats } from './stats';
import { traces } from './traces';
import { validators } from './validators';
import { vesting } from './vesting';

/** Every endpoint of API v3; the name is the path in one word: `/jetton/wallets` is `jettonWallets`. */
export const v3Endpoints = {
  ...accounts,
  ...traces,
  ...blockchain,
  ...jettons,
  ...nfts,
  ...dns,
  ...multisig,
  ...vesting,
  ...stats,
  ...decode,
  ...staking,
  ...validators,
  ...mirrored,
};
