import { timingSafeEqual } from 'node:crypto';
import type { HeaderList } from './headerList';
import { acceptedSecrets, refusal } from './signature';
import type { SignatureVerdict, WebhookSecret } from './signature';

const header = 'Authorization';
const scheme = 'Bearer ';

/** The header that carries a token; none for an empty one. */
export function bearerHeaders(token: string): HeaderList {
  return token === '' ? [] : [[header, scheme + token]];
}

/** Verifies a bearer token. It says who sends, not what: it does not cover the body. */
export function verifyBearer(headers: HeaderList, tokens: readonly WebhookSecret[]): SignatureVerdict {
  const accepted = acceptedSecrets(tokens);
  if (accepted.length === 0) {
    return refusal('no-secret', 'no token is set: every delivery is refused until one is added');
  }
  const found = headers.filter(([name]) => name.toLowerCase() === header.toLowerCase());
  if (found.length !== 1) {
    return found.length === 0
      ? refusal('missing', `header missing: ${header} must contain the token`)
      : refusal('several', `several tokens: ${header} occurs more than once`);
  }
  const [, value = ''] = found[0] ?? [];
  // The scheme has no case (RFC 9110).
  if (value.slice(0, scheme.length).toLowerCase() !== scheme.toLowerCase()) {
    return refusal('no-prefix', `no prefix: ${header} must begin with "${scheme.trim()}"`);
  }
  const given = Buffer.from(value.slice(scheme.length), 'utf8');
  for (const { name, value: token } of accepted) {
    const expected = Buffer.from(token, 'utf8');
    if (given.length === expected.length && timingSafeEqual(given, expected)) {
      return { ok: true, secret: name, header };
    }
  }
  const known = accepted.map(({ name }) => name).join(', ');
  return refusal('no-match', `no token matches (tried ${known}): another webhook's token was used`);
}
