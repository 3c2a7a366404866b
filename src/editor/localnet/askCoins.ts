import { readCoins } from '../../toolkit/stack/integerText';
import { askText } from '../ui/askText';

/** An amount as typed, and in nanocoins. */
export interface AskedCoins {
  text: string;
  nanocoins: string;
}

/** Asks for an amount in coins, with up to nine decimals. */
export async function askCoins(
  title: string,
  prompt: string,
  value: string,
): Promise<AskedCoins | undefined> {
  const answer = await askText({
    title,
    prompt,
    placeholder: value,
    value,
    validate: (text) =>
      readCoins(text) === undefined ? 'Enter an amount in coins, for example 1.5.' : undefined,
  });
  const nanocoins = typeof answer === 'string' ? readCoins(answer) : undefined;
  return typeof answer === 'string' && nanocoins !== undefined
    ? { text: answer.trim(), nanocoins: nanocoins.toString() }
    : undefined;
}
