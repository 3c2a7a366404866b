import * as z from 'zod';
import { amountNumber } from '../../api/wire';
import { v2Post } from '../endpoint/endpoint';
import { address, boc, flag, required } from '../endpoint/parameter';
import { v2ExtMessageInfo, v2ResultOk, v2Type } from '../../api/v2Objects';

const category = 'Send';

const message = required(boc('The external message as a BoC, base64 or hex.'));

/** Nanocoins. */
const fees = z.looseObject({
  ...v2Type,
  in_fwd_fee: amountNumber,
  storage_fee: amountNumber,
  gas_fee: amountNumber,
  fwd_fee: amountNumber,
});

export const v2Send = {
  sendBoc: v2Post({
    path: '/sendBoc',
    category,
    purpose: 'Sends an external message to the network.',
    parameters: { boc: message },
    result: v2ResultOk,
    changesChain: true,
  }),
  sendBocReturnHash: v2Post({
    path: '/sendBocReturnHash',
    category,
    purpose: 'Sends an external message and returns its hash and normalized hash.',
    parameters: { boc: message },
    result: v2ExtMessageInfo,
    changesChain: true,
  }),
  estimateFee: v2Post({
    path: '/estimateFee',
    category,
    purpose: 'The fees that an external message would cost.',
    parameters: {
      address: required(address('Destination account of the message.')),
      body: required(boc('Body of the message as a BoC, base64 or hex.')),
      init_code: boc('Code of the state init, if the account is not deployed yet.'),
      init_data: boc('Data of the state init, if the account is not deployed yet.'),
      ignore_chksig: flag('Treat every signature as valid.', { default: true }),
    },
    result: z.looseObject({ ...v2Type, source_fees: fees, destination_fees: z.array(fees) }),
  }),
};
