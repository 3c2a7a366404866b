import { v3Accounts } from './v3Accounts';
import { v3Blockchain } from './v3Blockchain';
import { v3Contracts } from './v3Contracts';
import { v3Decode } from './v3Decode';
import { v3Mirrored } from './v3Mirrored';
import { v3Staking } from './v3Staking';
import { v3Stats } from './v3Stats';
import { v3Tokens } from './v3Tokens';
import { v3Traces } from './v3Traces';
import { v3Validators } from './v3Validators';

/** Every endpoint of API v3; the name is the path in one word: `/jetton/wallets` is `jettonWallets`. */
export const v3Endpoints = {
  ...v3Accounts,
  ...v3Traces,
  ...v3Blockchain,
  ...v3Tokens,
  ...v3Contracts,
  ...v3Stats,
  ...v3Decode,
  ...v3Staking,
  ...v3Validators,
  ...v3Mirrored,
};
