import type { V2Answer } from './v2Answer';
import { Address } from '@ton/core';
import { hashToBase64 } from '../../address/hash';
import { upperHex } from '../../address/upperHex';
import { parseHash } from '../api/parseHash';
import type { LocalChain } from '../chain/localChain';
import type { V2Parameters } from './v2Parameters';

export function detectAddress(_chain: LocalChain, parameters: V2Parameters): V2Answer<'detectAddress'> {
  const raw = parameters.address();
  const text = parameters.text('address') as string;
  const address = Address.parseRaw(raw);
  const friendly = Address.isFriendly(text) ? Address.parseFriendly(text) : undefined;
  const forms = (bounceable: boolean): V2Answer<'detectAddress'>['bounceable'] => ({
    '@type': 'ext.utils.detectedAddressVariant',
    b64: address.toString({ bounceable, urlSafe: false, testOnly: friendly?.isTestOnly ?? false }),
    b64url: address.toString({ bounceable, testOnly: friendly?.isTestOnly ?? false }),
  });
  const given =
    friendly === undefined ? 'raw_form' : `friendly_${friendly.isBounceable ? '' : 'non_'}bounceable`;
  return {
    '@type': 'ext.utils.detectedAddress',
    raw_form: raw,
    bounceable: forms(true),
    non_bounceable: forms(false),
    given_type: given,
    test_only: friendly?.isTestOnly ?? false,
  };
}

export function detectHash(_chain: LocalChain, parameters: V2Parameters): V2Answer<'detectHash'> {
  const text = parameters.text('hash');
  if (text === undefined) {
    throw parameters.invalid('empty hash');
  }
  const hex = parseHash(text, true) ?? parameters.fail('failed to parse hash');
  const b64 = hashToBase64(hex);
  const b64url = b64.replaceAll('+', '-').replaceAll('/', '_');
  return { '@type': 'ext.utils.detectedHash', b64, b64url, hex };
}

/** Friendly, bounceable, base64url. */
export function packAddress(_chain: LocalChain, parameters: V2Parameters): string {
  return Address.parseRaw(parameters.address()).toString();
}

/** Raw with uppercase hex, as in the service. */
export function unpackAddress(_chain: LocalChain, parameters: V2Parameters): string {
  return upperHex(parameters.address());
}
