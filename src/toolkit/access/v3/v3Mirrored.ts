import type { V3StackEntry } from '../../api/v3Mirrored';
import {
  v3AddressInformation,
  v3FeeEstimate,
  v3GetMethodResult,
  v3SentMessage,
  v3WalletInformation,
} from '../../api/v3Mirrored';
import { v3Get, v3Post } from '../endpoint/endpoint';
import {
  address,
  estimateFeeParameters,
  externalMessage,
  flag,
  method,
  required,
  stack,
} from '../endpoint/parameter';

const category = 'Legacy (v2)';

const addressParameters = {
  address: required(address('The account.')),
  use_v2: flag('Read through the v2 service instead of the index.', { default: true }),
};

export const v3Mirrored = {
  addressInformation: v3Get({
    path: '/addressInformation',
    category,
    purpose: 'Balance, code, data, and last transaction of an account.',
    parameters: addressParameters,
    result: v3AddressInformation,
  }),
  message: v3Post({
    path: '/message',
    category,
    purpose: 'Sends an external message and returns its hash and normalized hash.',
    parameters: { boc: externalMessage },
    result: v3SentMessage,
    changesChain: true,
  }),
  runGetMethod: v3Post({
    path: '/runGetMethod',
    category,
    purpose: 'Runs a get-method; takes numbers, cells, and slices. If it fails, the answer has an exit code.',
    parameters: {
      address: required(address('The contract.')),
      method: required(method('Name of the get-method, or its number.')),
      stack: required(
        stack<V3StackEntry>('Arguments: {"type": "num", "value": "0x2a"}, or cell and slice with base64.'),
      ),
    },
    result: v3GetMethodResult,
  }),
  walletInformation: v3Get({
    path: '/walletInformation',
    category,
    purpose: 'Type, seqno, and wallet id of a wallet; 409 for other contracts.',
    parameters: addressParameters,
    result: v3WalletInformation,
  }),
  estimateFee: v3Post({
    path: '/estimateFee',
    category,
    purpose: 'The fees that an external message would cost.',
    parameters: {
      ...estimateFeeParameters,
      ignore_chksig: flag('Treat every signature as valid.', { default: false }),
    },
    result: v3FeeEstimate,
  }),
};
