import * as z from 'zod';
import { v2ExtMessageInfo, v2ResultOk, v2Type } from '../../api/v2Objects';
import { amountNumber } from '../../api/wire';
import { v2Post } from '../endpoint/endpoint';
import { estimateFeeParameters, externalMessage, flag } from '../endpoint/parameter';

const category = 'Send';

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
    parameters: { boc: externalMessage },
    result: v2ResultOk,
    changesChain: true,
  }),
  sendBocReturnHash: v2Post({
    path: '/sendBocReturnHash',
    category,
    purpose: 'Sends an external message and returns its hash and normalized hash.',
    parameters: { boc: externalMessage },
    result: v2ExtMessageInfo,
    changesChain: true,
  }),
  estimateFee: v2Post({
    path: '/estimateFee',
    category,
    purpose: 'The fees that an external message would cost.',
    parameters: {
      ...estimateFeeParameters,
      ignore_chksig: flag('Treat every signature as valid.', { default: true }),
    },
    result: z.looseObject({ ...v2Type, source_fees: fees, destination_fees: z.array(fees) }),
  }),
};
