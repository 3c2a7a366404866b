import { Address } from '@ton/core';

import { shortenMiddle, visibleText } from '../base/text';
import type { TraceView } from './traceModel';

/** Maximum length of a displayed name; owners choose domains and token names freely. */
const longest = 40;

/**
 * The best known name of an account; see {@link TraceContext.name}. What an account calls itself is not who it is: such
 * a name is quoted and stands with the address, so it can be none of the user's. A domain, whose owner the network
 * knows, has a dot, which no name of the user has.
 */
export function nameAccount(account: string, context: TraceView): string {
  const own = context.knowledge.names?.get(account);
  if (own !== undefined) {
    return own;
  }
  const domain = context.model.addressBook.get(account)?.domain;
  if (typeof domain === 'string' && domain.includes('.')) {
    return visibleText(domain, longest);
  }
  const token =
    context.token(account, 'jetton_masters') ??
    context.token(account, 'nft_items') ??
    context.token(account, 'nft_collections');
  const label = token?.name ?? token?.symbol;
  if (typeof label === 'string' && label !== '') {
    return `“${visibleText(label, longest)}” ${addressOf(account, context)}${token?.is_scam === true ? ' (scam)' : ''}`;
  }
  const wallet = context.jettonWallet(account);
  if (wallet?.owner !== undefined && wallet.master !== undefined && wallet.owner !== account) {
    const jetton = context.jetton(wallet.master);
    return `${context.name(wallet.owner)}/${jetton.unnamed === true ? 'jetton' : jetton.symbol}`;
  }
  return addressOf(account, context);
}

function addressOf(account: string, context: TraceView): string {
  return context.knowledge.wholeAddresses === true ? account : shortenMiddle(shownAddress(account, context));
}

/** The user-friendly form: the service's own if available, else bounceable for the main network. */
export function shownAddress(account: string, context?: TraceView): string {
  const given = context?.model.addressBook.get(account)?.user_friendly;
  if (typeof given === 'string' && /^[\w+/=-]{48}$/.test(given)) {
    return given;
  }
  try {
    return Address.parseRaw(account).toString({ bounceable: context?.isWallet(account) !== true });
  } catch {
    return visibleText(account, 80);
  }
}
