import { createHmac, timingSafeEqual } from 'node:crypto';

/** Header names and values as received: order, case, and duplicates kept. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** What a header name looks like, as a sentence. */
export const headerNameHint =
  'A header name consists of letters, digits, and hyphens, for example X-Signature.';

/** Whether a text can be the name of a header (RFC 9110). */
export function isHeaderName(text: unknown): boolean {
  return typeof text === 'string' && /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/.test(text);
}

/** The test that a delivery belongs to. */
export interface DeliveryTest {
  /** Name of the scenario. */
  scenario: string;
  /** Differs between runs of a scenario; all deliveries and attempts of one run share it. */
  run: string;
}

const testMarkHeader = 'X-Ton-Workbench-Test';

const lowerName = testMarkHeader.toLowerCase();

/** The header that marks a test delivery. It is not signed, so a receiver must not base decisions on it. */
export function testMark({ scenario, run }: DeliveryTest): HeaderList[number] {
  return [testMarkHeader, `${scenario} ${run}`];
}

/** The test named by a request's headers; undefined if there is none, or several. */
export function readTestMark(headers: HeaderList): DeliveryTest | undefined {
  const marks = headers.filter(
    ([name]) => name.length === lowerName.length && name.toLowerCase() === lowerName,
  );
  const parts = marks.length === 1 ? /^([a-z-]{1,40}) ([0-9a-f]{16})$/.exec(marks[0]?.[1] ?? '') : null;
  return parts === null ? undefined : { scenario: parts[1] ?? '', run: parts[2] ?? '' };
}

/** The headers without the mark: a delivery that is sent again is not part of the test. */
export function withoutTestMark(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => name.toLowerCase() !== lowerName);
}

/** A named secret. */
export interface WebhookSecret {
  name: string;
  /** The key, used as UTF-8 text. */
  value: string;
  /** False for a retired secret: no longer accepted, but an error can name it. Default true. */
  accepted?: boolean;
}

/** Why a signature was rejected. */
export type SignatureProblem =
  | 'no-secret'
  | 'missing'
  | 'several'
  | 'no-prefix'
  | 'base64'
  | 'upper-case'
  | 'wrong-length'
  | 'not-hex'
  | 're-serialized'
  | 'trailing-newline'
  | 'other-secret'
  | 'too-old'
  | 'no-match';

/**
 * Accepted encodings of the code in the header. The service's documentation leaves it open; its client writes
 * lowercase hex. `any` also accepts uppercase hex and base64.
 */
export type SignatureEncoding = 'hex' | 'any';

export type SignatureVerdict = { ok: true; secret: string; header: string } | SignatureRefusal;

/** Why a delivery is not genuine. */
export interface SignatureRefusal {
  ok: false;
  problem: SignatureProblem;
  /** For people. */
  text: string;
}

export function refusal(problem: SignatureProblem, text: string): SignatureRefusal {
  return { ok: false, problem, text };
}

export const noSecret = refusal(
  'no-secret',
  'no secret is set: every delivery is refused until one is added',
);

/** Those that count: an empty one would accept what anybody signs. */
export function acceptedSecrets(secrets: readonly WebhookSecret[]): WebhookSecret[] {
  return secrets.filter(({ accepted, value }) => accepted !== false && value !== '');
}

const prefix = 'sha256=';
const hexLength = 64;

/**
 * The header value for a body: `sha256=` and the lowercase hex of HMAC-SHA256 over the raw bytes, keyed with the
 * secret as UTF-8 text (payment-webhooks, section 2).
 */
export function signBody(body: Uint8Array, secret: string): string {
  return prefix + createHmac('sha256', secret).update(body).digest('hex');
}

/**
 * Verifies the signature over the raw bytes and, if rejected, finds out why.
 *
 * @param headerNames accepted signature headers; conflicting ones are rejected
 * @param encoding default `hex`
 */
export function verifySignature(
  headers: HeaderList,
  body: Buffer,
  secrets: readonly WebhookSecret[],
  headerNames: readonly string[],
  encoding: SignatureEncoding = 'hex',
): SignatureVerdict {
  const accepted = acceptedSecrets(secrets);
  if (accepted.length === 0) {
    return noSecret;
  }
  const found = findSignature(headers, headerNames);
  if ('problem' in found) {
    return { ok: false, ...found };
  }
  const value = encoding === 'any' ? inLowerHex(found.value) : found.value;
  const given = Buffer.from(value, 'latin1');
  for (const secret of accepted) {
    const expected = Buffer.from(signBody(body, secret.value), 'latin1');
    if (given.length === expected.length && timingSafeEqual(given, expected)) {
      return { ok: true, secret: secret.name, header: found.name };
    }
  }
  return explain(value, body, secrets);
}

/** Normalizes a value whose code is in uppercase hex or base64; any other value is unchanged. */
function inLowerHex(value: string): string {
  const code = value.startsWith(prefix) ? value.slice(prefix.length) : '';
  if (/^[0-9a-f]{64}$/i.test(code)) {
    return prefix + code.toLowerCase();
  }
  return isBase64Mac(code) ? prefix + Buffer.from(code, 'base64').toString('hex') : value;
}

function findSignature(
  headers: HeaderList,
  headerNames: readonly string[],
): { name: string; value: string } | { problem: SignatureProblem; text: string } {
  const found = signaturesOf(headers, headerNames);
  const [first] = found;
  if (first === undefined) {
    return {
      problem: 'missing',
      text: `header missing: ${headerNames.join(' or ')} must contain the signature`,
    };
  }
  if (found.length === 1) {
    return { name: first[0], value: first[1] };
  }
  const names = new Set(found.map(([name]) => name.toLowerCase()));
  if (names.size < found.length) {
    return { problem: 'several', text: `several signatures: ${first[0]} occurs more than once` };
  }
  if (found.some(([, value]) => value !== first[1])) {
    return {
      problem: 'several',
      text: `several signatures: ${found.map(([name]) => name).join(' and ')} disagree`,
    };
  }
  return { name: first[0], value: first[1] };
}

function signaturesOf(headers: HeaderList, headerNames: readonly string[]): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (const header of headers) {
    for (const wanted of headerNames) {
      const [name] = header;
      if (name.length === wanted.length && name.toLowerCase() === wanted.toLowerCase()) {
        found.push(header);
        break;
      }
    }
  }
  return found;
}

/** Finds the usual cause. Runs only after the rejection is certain, so its own comparisons leak nothing. */
function explain(value: string, body: Buffer, secrets: readonly WebhookSecret[]): SignatureVerdict {
  const hasPrefix = value.slice(0, prefix.length).toLowerCase() === prefix;
  const code = hasPrefix ? value.slice(prefix.length) : value;
  const isHex = /^[0-9a-f]*$/i.test(code);
  if (!(isHex && code.length === hexLength) && isBase64Mac(code)) {
    const bare = hasPrefix ? '' : ` and has no prefix "${prefix}"`;
    return refusal(
      'base64',
      `base64: the signature is base64${bare}; it must be lowercase hex, unless other encodings are accepted`,
    );
  }
  if (!hasPrefix) {
    const what = isHex && code.length === hexLength ? 'the value is bare hex' : 'the value is something else';
    return refusal('no-prefix', `no prefix: ${what}; it must begin with "${prefix}"`);
  }
  if (code.length !== hexLength) {
    return refusal(
      'wrong-length',
      `wrong length: ${code.length} characters after the prefix, not ${hexLength}`,
    );
  }
  if (!isHex) {
    return refusal('not-hex', 'not hex: the signature has characters other than 0-9 and a-f');
  }
  if (!value.startsWith(prefix)) {
    return refusal('upper-case', `uppercase: the prefix must be "${prefix}" in lowercase`);
  }
  if (value !== value.toLowerCase()) {
    return refusal(
      'upper-case',
      'uppercase: the hex must be in lowercase, unless other encodings are accepted',
    );
  }
  return explainCode(value, body, secrets);
}

function explainCode(value: string, body: Buffer, secrets: readonly WebhookSecret[]): SignatureVerdict {
  const usable = secrets.filter((secret) => secret.value !== '');
  const fits = (bytes: Uint8Array | undefined): WebhookSecret | undefined =>
    bytes === undefined ? undefined : usable.find((secret) => signBody(bytes, secret.value) === value);
  const retired = fits(body);
  if (retired !== undefined) {
    return refusal('other-secret', `matches another secret: ${retired.name}, which is no longer accepted`);
  }
  const [cut, added] = newlineVariants(body);
  if (fits(cut) !== undefined) {
    return refusal('trailing-newline', 'trailing newline: the body was signed without its last line break');
  }
  if (added.some((bytes) => fits(bytes) !== undefined)) {
    return refusal(
      'trailing-newline',
      'trailing newline: the body was signed with a final line break that is missing here',
    );
  }
  if (fits(compactForm(body)) !== undefined) {
    return refusal(
      're-serialized',
      'body was re-serialized: the signature matches its compact form, so the bytes were changed after signing',
    );
  }
  const known = usable.map((secret) => secret.name).join(', ');
  return refusal(
    'no-match',
    `no secret matches (tried ${known}): another secret was used, or the body was changed; the service may also sign with its API key, which can be added as a second secret`,
  );
}

function newlineVariants(body: Buffer): [cut: Buffer | undefined, added: readonly Buffer[]] {
  const end = body.at(-1) === 0x0a ? (body.at(-2) === 0x0d ? 2 : 1) : 0;
  const added = ['\n', '\r\n'].map((end) => Buffer.concat([body, Buffer.from(end)]));
  return [end === 0 ? undefined : body.subarray(0, body.length - end), added];
}

function compactForm(body: Buffer): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8'))), 'utf8');
  } catch {
    return undefined;
  }
}

function isBase64Mac(code: string): boolean {
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(code) && Buffer.from(code, 'base64').length === 32;
}

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
