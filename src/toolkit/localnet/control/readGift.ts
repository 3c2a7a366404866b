import { readCoins } from '../../stack/integerText';
import { decimalPattern } from '../../webhook/values/amount';

/** What the faucet is to give. */
export type WantedGift =
  /** Nanocoins. */
  | { kind: 'coins'; coins: bigint }
  /** As `faucetJetton` takes it: the amount is in the jetton's unit, or in its smallest. */
  | { kind: 'jetton'; amount: string; jetton: string; units: boolean };

/** `100`, `100 USDT`, `5 EQ…`, or `1000 units EQ…`; undefined for any other text. */
export function readGift(text: string): WantedGift | undefined {
  const [amount = '', ...words] = text.trim().split(/\s+/);
  const units = words.length === 2 && /^units$/i.test(words[0] ?? '');
  const jetton = units ? words[1] : words[0];
  if (jetton === undefined || (words.length === 1 && isCoin(jetton))) {
    const coins = readCoins(amount);
    return coins === undefined ? undefined : { kind: 'coins', coins };
  }
  return (units || words.length === 1) && decimalPattern.test(amount)
    ? { kind: 'jetton', amount, jetton, units }
    : undefined;
}

/** Whether the faucet gives coins by this word, and no jetton. */
export function isCoin(word: string): boolean {
  return /^ton$/i.test(word);
}
