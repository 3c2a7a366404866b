import { address, boc, required } from './parameter';

/** The message of an endpoint that sends one. */
export const externalMessage = required(boc('The external message as a BoC, base64 or hex.'));

/** Parameters of estimateFee, which both APIs have, without ignore_chksig: its default differs. */
export const estimateFeeParameters = {
  address: required(address('Destination account of the message.')),
  body: required(boc('Body of the message as a BoC, base64 or hex.')),
  init_code: boc('Code of the state init, if the account is not deployed yet.'),
  init_data: boc('Data of the state init, if the account is not deployed yet.'),
};
