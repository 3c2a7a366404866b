import { shortAddress } from '../../address/shortAddress';
import { formatUnits } from '../../base/text';
import type { JettonGift } from './controlApi';

/** What a jetton is called, and in which unit. */
interface JettonUnit {
  /** The master, raw. */
  jetton: string;
  symbol: string | null;
  decimals: number | null;
}

/**
 * What an account was given, in one sentence for people: whether the balance of its jetton wallet rose by what was asked.
 * @param name of the account
 */
export function giftWords(gift: JettonGift, name: string): string {
  const { asked, rose, balance } = gift;
  const given = `${jettonAmountWords(BigInt(asked), gift)} for ${name}`;
  if (rose === null || balance === null) {
    return `${given} wait for a block.`;
  }
  const now = `and is ${jettonAmountWords(BigInt(balance), gift)} now`;
  return rose === asked
    ? `${given}: the balance of the jetton wallet rose by exactly that, ${now}.`
    : `${given} were sent, but the balance of the jetton wallet rose by ${jettonAmountWords(BigInt(rose), gift)}, ${now}.`;
}

/** `0.5 USDT`; without known decimals, the number of smallest units. */
export function jettonAmountWords(amount: bigint, unit: JettonUnit): string {
  const { decimals } = unit;
  return decimals === null
    ? `${amount} unit${amount === 1n ? '' : 's'} of ${jettonName(unit)}`
    : `${formatUnits(amount, decimals)} ${jettonName(unit)}`;
}

/** The symbol, or `jetton EQAbcd…wxyz`. */
export function jettonName({ jetton, symbol }: Omit<JettonUnit, 'decimals'>): string {
  return symbol ?? `jetton ${shortAddress(jetton)}`;
}
