import { randomBytes } from 'node:crypto';

/** A secret of Standard Webhooks. */
export const base64SecretPattern = /^(whsec_)?[\w+/-]{16,}=*$/;

/** What a service's secrets are, and look like. */
export interface SecretForm {
  /** What they are called. */
  readonly word: 'secret' | 'token';
  /** What a genuine delivery has. */
  readonly mark: 'signature' | 'token';
  /** Where users find one, after "From". */
  readonly source: string;
  /** What makes a delivery genuine, after "Deliveries". */
  readonly proof: string;
  /** How they are used, as a sentence. */
  readonly use: string;
  /** Why a text cannot be one, as sentences; undefined if it can. */
  problem(text: string): string | undefined;
  /** A new one, for tests. */
  make(): string;
}

/** Any text; the key is its bytes. */
export const textSecret: SecretForm = {
  word: 'secret',
  mark: 'signature',
  source: 'the settings of the service',
  proof: 'signed with it',
  use: 'Used unchanged, as UTF-8 text.',
  problem: () => undefined,
  make: randomSecret,
};

/** Standard Webhooks: the key is what the base64 after `whsec_` says. */
export const base64Secret: SecretForm = {
  word: 'secret',
  mark: 'signature',
  source: 'the settings of the service',
  proof: 'signed with it',
  use: 'It is base64, after whsec_.',
  problem: (text) =>
    base64SecretPattern.test(text)
      ? undefined
      : 'A secret of this service is at least 16 characters of base64, usually after whsec_. Copy it from the service.',
  make: randomSecret,
};

/** Sent as it is, in the header `Authorization`. */
export const bearerToken: SecretForm = {
  word: 'token',
  mark: 'token',
  source: 'the settings of the service',
  proof: 'that carry it',
  use: 'Compared with what follows Bearer in the header Authorization.',
  problem: (text) =>
    /^[!-~]+$/.test(text)
      ? undefined
      : 'A token consists of letters, digits, and punctuation, without spaces. Copy it from the service.',
  make: () => randomBytes(24).toString('hex'),
};

/**
 * A new webhook secret, of 24 random bytes. Its digits are base64 in every alphabet, so that Standard Webhooks' libraries
 * take it too, and it can stand in URLs and shells as it is.
 */
export function randomSecret(): string {
  return `whsec_${randomBytes(24).toString('hex')}`;
}
