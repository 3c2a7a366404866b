import { address, boc, required } from './parameter';

/** The message parameter of endpoints that send one. */
export const externalMessage = required(boc('The external message as a BoC, base64 or hex.'));

/** Parameters of estimateFee in both APIs, without ignore_chksig, whose default differs. */
export const estimateFeeParameters = {
  address: required(address('Destination account of the message.')),
  body: required(boc('Body of the message as a BoC, base64 or hex.')),
  init_code: boc('Code of the state init, if the account is not deployed yet.'),
  init_data: boc('Data of the state init, if the account is not deployed yet.'),
};
