import * as z from 'zod';
import { v2Post } from '../endpoint/endpoint';
import { json, required, text } from '../endpoint/parameter';

export const v2JsonRpc = {
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
    // It can carry sendBoc; changesChain.ts decides by the method.
    changesChain: true,
  }),
};
