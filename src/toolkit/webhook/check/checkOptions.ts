import { shellWord } from '../../base/text';
import type { ProviderChoice } from '../provider/providerOf';

/** The options of `webhook check` that choose a service; empty for the usual one. */
export function checkOptions(choice?: ProviderChoice): string {
  if (choice === undefined) {
    return '';
  }
  const { name, hmac } = choice;
  const words = ['--provider', name];
  if (hmac !== undefined) {
    words.push('--hmac', `${hmac.algorithm}-${hmac.encoding}`, '--header', hmac.header);
    words.push(...(hmac.prefix === '' ? [] : ['--hmac-prefix', hmac.prefix]));
  }
  return words.map((word) => (/^[\w.=-]+$/.test(word) ? word : shellWord(word))).join(' ');
}
