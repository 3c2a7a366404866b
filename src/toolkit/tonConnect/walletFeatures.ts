import { WorkbenchError } from '../base/errors';
import type { LocalAccount } from '../accounts/localAccount';
import { mostOrders } from '../accounts/localAccount';

/** The kinds of structured items. */
const itemTypes = ['ton', 'jetton', 'nft'] as const;

/** What a wallet can do, as dApps are told, and as it does. */
export interface WalletFeatures {
  /** Messages, or items, of one request. */
  mostMessages: number;
  signMessage: boolean;
  signData: boolean;
  items: boolean;
  embedded: boolean;
  extraCurrencies: boolean;
}

/** Words that make the wallet an older or a smaller one. */
export const featureWords = {
  all: 'everything that the account can do',
  v2: 'a wallet before version 3: no signMessage, no items, no requests in links, no extra currencies',
  'no-sign-message': 'no signMessage (gasless)',
  'no-sign-data': 'no signData',
  'no-items': 'only messages, no items',
  'no-embedded': 'requests in links are ignored',
  'no-extra-currencies': 'no extra currencies',
  '4-messages': 'at most 4 messages at once',
} as const;

export type FeatureWord = keyof typeof featureWords;

/** The features of an account's wallet, less what the words take away. Wallets v4 cannot sign for a relayer. */
export function featuresOf(kind: LocalAccount['kind'], words: readonly FeatureWord[] = []): WalletFeatures {
  const lacks = (word: FeatureWord): boolean => words.includes(word);
  const isOld = lacks('v2');
  return {
    mostMessages: lacks('4-messages') ? Math.min(4, mostOrders[kind]) : mostOrders[kind],
    signMessage: kind === 'v5r1' && !isOld && !lacks('no-sign-message'),
    signData: !lacks('no-sign-data'),
    items: !isOld && !lacks('no-items'),
    embedded: !isOld && !lacks('no-embedded'),
    extraCurrencies: !isOld && !lacks('no-extra-currencies'),
  };
}

/**
 * Reads a list of words: `v2,no-sign-data`.
 * @throws WorkbenchError `wallet-features-unknown` (input)
 */
export function parseFeatureWords(text: string): FeatureWord[] {
  return text.split(',').map((part) => {
    const word = part.trim();
    if (!Object.hasOwn(featureWords, word)) {
      throw new WorkbenchError({
        code: 'wallet-features-unknown',
        kind: 'input',
        message: `The test wallet has no features ${JSON.stringify(word.slice(0, 50))}.`,
        hint: `Give some of these, separated by commas: ${Object.keys(featureWords).join(', ')}.`,
      });
    }
    return word as FeatureWord;
  });
}

/** The words that are still known, of what was kept by this or another version. */
export function knownFeatureWords(kept: unknown): FeatureWord[] {
  return Array.isArray(kept)
    ? kept.filter(
        (word): word is FeatureWord => typeof word === 'string' && Object.hasOwn(featureWords, word),
      )
    : [];
}

/** The features in the protocol's form, as in `device` and in the wallets list. */
export function featureList(features: WalletFeatures): readonly unknown[] {
  const { mostMessages, items, extraCurrencies, signMessage, signData, embedded } = features;
  const messages = {
    maxMessages: mostMessages,
    ...(extraCurrencies ? { extraCurrencySupported: true } : {}),
    ...(items ? { itemTypes: [...itemTypes] } : {}),
  };
  return [
    'SendTransaction',
    { name: 'SendTransaction', ...messages },
    ...(signMessage ? [{ name: 'SignMessage', ...messages }] : []),
    ...(signData ? [{ name: 'SignData', types: ['text', 'binary', 'cell'] }] : []),
    ...(embedded ? [{ name: 'EmbeddedRequest' }] : []),
  ];
}
