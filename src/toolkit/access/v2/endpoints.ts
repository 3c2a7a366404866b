import { accounts } from './accounts';
import { blocks } from './blocks';
import { configuration } from './configuration';
import { jsonRpc } from './jsonRpc';
import { runMethod } from './runMethod';
import { send } from './send';
import { transactions } from './transactions';
import { utilities } from './utilities';

/** Every endpoint of API v2, by method name. */
export const v2Endpoints = {
  ...accounts,
  ...blocks,
  ...transactions,
  ...send,
  ...runMethod,
  ...utilities,
  ...configuration,
  ...jsonRpc,
};
