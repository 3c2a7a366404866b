import { visibleText } from '../text';

/** Maximum length of a displayed symbol; jettons choose theirs freely. */
const longest = 24;

/** A symbol as people read it: case and forms of a letter make no difference. */
export function plainSymbol(symbol: string): string {
  return symbol.normalize('NFKC').toLowerCase().trim();
}

/** A jetton's symbol as it is shown beside amounts: one that reads like the coin's is marked. */
export function jettonSymbol(symbol: string, coin: string): string {
  const shown = visibleText(symbol, longest);
  return [coin, 'TON'].some((one) => plainSymbol(one) === plainSymbol(symbol)) ? `${shown} (jetton)` : shown;
}
