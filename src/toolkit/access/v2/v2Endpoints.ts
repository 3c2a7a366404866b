import * as z from 'zod';
import { v2TvmCell, v2Type } from '../../api/v2Objects';
import { hashValue } from '../../api/wire';
import { v2Post, v2Read } from '../endpoint/endpoint';
import { hash, integer, json, list, required, text } from '../endpoint/parameter';
import { v2Accounts } from './v2Accounts';
import { v2Blocks } from './v2Blocks';
import { v2RunMethod } from './v2RunMethod';
import { v2Send } from './v2Send';
import { v2Transactions } from './v2Transactions';
import { v2Utilities } from './v2Utilities';

const category = 'Configuration';

const seqno = integer('Masterchain block to read at; the newest by default.', { minimum: 1 });
const configInfo = z.looseObject({ ...v2Type, config: v2TvmCell });

const v2Configuration = {
  getConfigParam: v2Read({
    path: '/getConfigParam',
    category,
    purpose: 'One parameter of the network configuration, as a cell.',
    parameters: { config_id: required(integer('Number of the parameter.', { otherName: 'param' })), seqno },
    result: configInfo,
  }),
  getConfigAll: v2Read({
    path: '/getConfigAll',
    category,
    purpose: 'The whole network configuration, as a dictionary cell.',
    parameters: { seqno },
    result: configInfo,
  }),
  getLibraries: v2Read({
    path: '/getLibraries',
    category,
    purpose: 'Library cells by their hashes; unknown ones are left out.',
    parameters: { libraries: list(hash('Hashes of library cells.')) },
    result: z.looseObject({
      ...v2Type,
      result: z.array(z.looseObject({ ...v2Type, hash: hashValue, data: z.string() })),
    }),
  }),
};

const v2JsonRpc = {
  jsonRPC: v2Post({
    path: '/jsonRPC',
    category: 'RPC',
    purpose: 'Any v2 method by name, as JSON-RPC.',
    parameters: {
      jsonrpc: required(text('Version of the protocol.', { default: '2.0' })),
      id: required(text('Any text; the Python service returns it.', { default: '1' })),
      method: required(text('Name of the method.')),
      params: required(json('Parameters of the method, by name.', { default: '{}' })),
    },
    /** The method's result, as sent. */
    result: z.unknown(),
    // It can carry sendBoc; decodeAnswer.ts decides by the method.
    changesChain: true,
  }),
};

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
