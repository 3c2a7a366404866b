import { accounts } from './accounts';
import { blockchain } from './blockchain';
import { mirrored } from './mirrored';
import { traces } from './traces';

/** Every endpoint of API v3; the name is the path in one word: `/jetton/wallets` is `jettonWallets`. */
export const v3Endpoints = { ...accounts, ...traces, ...blockchain, ...mirrored };
