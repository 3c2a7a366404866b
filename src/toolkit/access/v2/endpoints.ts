import { accounts } from './accounts';
import { blocks } from './blocks';
import { runMethod } from './runMethod';
import { send } from './send';
import { transactions } from './transactions';

/** Every endpoint of API v2, by method name. */
export const v2Endpoints = { ...accounts, ...blocks, ...transactions, ...runMethod, ...send };
