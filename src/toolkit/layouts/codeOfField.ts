import { plainName } from '../abi/projectContract';
import { fileName } from '../fileName';
import type { LayoutField, LayoutSet } from './cellLayout';

/** Whether a field is a code, by its name and type: `walletCode: cell`. */
export function isCodeField({ name, type }: LayoutField): boolean {
  return type.kind === 'cell' && type.inner === undefined && /code$/i.test(name);
}

/**
 * The contract of the project whose code a field named like it holds, as a text names it: `JettonWallet` for
 * `walletCode` or `jetton_wallet_code`; undefined if none or several are called so.
 */
export function codeOfField(field: LayoutField, { codes = [] }: LayoutSet): string | undefined {
  const word = plainName(field.name.replace(/_?code$/i, ''));
  if (!isCodeField(field) || word === '') {
    return undefined;
  }
  const named = codes.map((code) => ({ code, plain: plainName(fileName(code).replace(/\.[a-z]+$/i, '')) }));
  const exact = named.filter(({ plain }) => plain === word);
  const ending = named.filter(({ plain }) => plain.endsWith(word));
  // Nearest first: of contracts of one name in several folders, the one beside it is meant.
  const found = exact.length > 0 ? exact : ending;
  return new Set(found.map(({ plain }) => plain)).size === 1 ? found[0]?.code : undefined;
}
