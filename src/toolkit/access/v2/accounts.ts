import { bigNumber } from '../wire';
import { v2Read } from '../endpoint';
import { address, integer, required } from '../parameter';
import { accountInformation, accountStateWord } from './objects';

const category = 'Accounts';

const account = required(address('The account.'));
const seqno = integer('Masterchain block to read the state at; the newest when left out.', { minimum: 1 });

export const accounts = {
  getAddressInformation: v2Read({
    path: '/getAddressInformation',
    category,
    purpose: 'Balance, code, data and last transaction of an account.',
    parameters: { address: account, seqno },
    result: accountInformation,
  }),
  getAddressBalance: v2Read({
    path: '/getAddressBalance',
    category,
    purpose: 'Balance of an account in nanocoins.',
    parameters: { address: account, seqno },
    result: bigNumber,
  }),
  getAddressState: v2Read({
    path: '/getAddressState',
    category,
    purpose: 'Whether an account is uninitialized, active or frozen.',
    parameters: { address: account, seqno },
    result: accountStateWord,
  }),
};
