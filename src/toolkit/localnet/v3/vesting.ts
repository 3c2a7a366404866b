import type { V3Answer } from './v3Answer';
import { ApiError } from '../api/apiError';
import { addressBookOnly } from './books';
import type { V3Context } from './context';
import { related, tokensOf } from './jettons';
import type { Query } from './query';
import { takePage } from './page';

/** GET /vesting: contracts with `get_vesting_data`. */
export async function vesting(context: V3Context, query: Query): Promise<V3Answer<'vesting'>> {
  const addresses = query.addresses('contract_address');
  const wallets = query.addresses('wallet_address');
  if (addresses.length === 0 && wallets.length === 0) {
    throw new ApiError(422, 'at least one of contract_address or wallet_address is required');
  }
  if (addresses.length > 0 && wallets.length > 0) {
    throw new ApiError(422, 'only one of contract_address or wallet_address should be specified');
  }
  const page = query.page(422);
  const withListed = query.flag('check_whitelist', false);
  await context.tokens.refresh();
  const source = addresses.length > 0 ? addresses : related(context, wallets);
  const found = tokensOf(context, 'vesting', source).filter(({ token }) => {
    const people = [token.owner, token.sender, ...(withListed ? token.whitelist : [])];
    return wallets.length === 0 || wallets.some((wallet) => people.includes(wallet));
  });
  const rows = takePage(found, page).map(({ account, token }) => ({
    address: account.address,
    start_time: token.startTime,
    total_duration: token.totalDuration,
    unlock_period: token.unlockPeriod,
    cliff_duration: token.cliffDuration,
    sender_address: token.sender,
    owner_address: token.owner,
    total_amount: token.totalAmount,
    whitelist: [...token.whitelist],
  }));
  return { vesting_contracts: rows, ...(await addressBookOnly(context, query, rows)) };
}
