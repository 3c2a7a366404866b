import { v2Post } from '../endpoint';
import { boc, required } from '../parameter';
import { extMessageInfo, resultOk } from './objects';

const category = 'Send';

const message = required(boc('The external message as a BoC, base64 or hex.'));

export const send = {
  sendBoc: v2Post({
    path: '/sendBoc',
    category,
    purpose: 'Sends an external message to the network.',
    parameters: { boc: message },
    result: resultOk,
    changesChain: true,
  }),
  sendBocReturnHash: v2Post({
    path: '/sendBocReturnHash',
    category,
    purpose: 'Sends an external message and answers with its hash and normalised hash.',
    parameters: { boc: message },
    result: extMessageInfo,
    changesChain: true,
  }),
};
