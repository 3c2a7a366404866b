import { v2Accounts } from './v2Accounts';
import { v2Blocks } from './v2Blocks';
import { v2Configuration } from './v2Configuration';
import { v2JsonRpc } from './v2JsonRpc';
import { v2RunMethod } from './v2RunMethod';
import { v2Send } from './v2Send';
import { v2Transactions } from './v2Transactions';
import { v2Utilities } from './v2Utilities';

/** Every endpoint of API v2, by method name. */
export const v2Endpoints = {
  ...v2Accounts,
  ...v2Blocks,
  ...v2Transactions,
  ...v2Send,
  ...v2RunMethod,
  ...v2Utilities,
  ...v2Configuration,
  ...v2JsonRpc,
};
