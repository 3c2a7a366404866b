import { WorkbenchError } from '../../base/errors';
import { headerNameHint, isHeaderName } from '../delivery/signature';

/** The hashes and spellings of HMACs, usual ones first. */
export const hmacAlgorithms = ['sha256', 'sha512', 'sha384', 'sha1'] as const;
export const hmacEncodings = ['hex', 'base64'] as const;

/** How a service signs bodies with an HMAC. */
export interface HmacSettings {
  header: string;
  /** Before the code, such as `sha256=`; may be empty. */
  prefix: string;
  encoding: (typeof hmacEncodings)[number];
  algorithm: (typeof hmacAlgorithms)[number];
}

/**
 * Settings may come from a file that anyone can write anything into.
 * @throws WorkbenchError `hmac-invalid` (input)
 */
export function checkHmac({ header, prefix, encoding, algorithm }: HmacSettings): void {
  const invalid = (what: string, value: unknown, hint: string): WorkbenchError =>
    new WorkbenchError({
      code: 'hmac-invalid',
      kind: 'input',
      message: `${JSON.stringify(value)} is not ${what} of an HMAC.`,
      hint,
    });
  if (!isHeaderName(header)) {
    throw invalid('the header', header, headerNameHint);
  }
  if (typeof prefix !== 'string' || !/^([!-~][ -~]{0,99})?$/.test(prefix)) {
    throw invalid(
      'the prefix',
      prefix,
      'It stands before the code, such as sha256=, in up to 100 characters of ASCII.',
    );
  }
  if (!hmacAlgorithms.includes(algorithm)) {
    throw invalid('the hash', algorithm, `Hashes: ${hmacAlgorithms.join(', ')}.`);
  }
  if (!hmacEncodings.includes(encoding)) {
    throw invalid('the encoding', encoding, `Encodings: ${hmacEncodings.join(', ')}.`);
  }
}
