import type { AccountsByName } from '../../toolkit/address/resolveAccount';
import { resolveAccount } from '../../toolkit/address/resolveAccount';
import { linkedAccount } from '../../toolkit/address/parseAddressInput';
import { shortAddress } from '../../toolkit/address/shortAddress';
import { inputReason } from '../../toolkit/base/text';
import type { PickOrTypeParameters } from '../ui/askText';

/** The meaning of text typed where an account is expected: its name or shortened text, and its raw address. */
export function accountReader(
  accounts: () => AccountsByName,
  nameOf: (raw: string) => string | undefined,
): PickOrTypeParameters['read'] {
  return (text) => {
    try {
      const raw = resolveAccount(text, accounts());
      return { ok: true, label: nameOf(raw) ?? shortAddress(text), description: shortAddress(raw) };
    } catch (error) {
      return { ok: false, reason: inputReason(error) };
    }
  };
}

/** A reader of accounts that also takes links to them. */
export function linkReader(read: PickOrTypeParameters['read']): PickOrTypeParameters['read'] {
  return (text) => {
    try {
      return read(linkedAccount(text.trim()));
    } catch (error) {
      return { ok: false, reason: inputReason(error) };
    }
  };
}
