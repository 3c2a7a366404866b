/** How bodies are signed with an HMAC. */
interface HmacFormat {
  /** The headers that may carry the signature: the first one that is there counts. */
  headers: readonly string[];
  prefix: string;
  algorithm: string;
  encoding: string;
}

/** A receiver's `isGenuine(body, headers, secret)` for signatures over the raw body. */
export function hmacSignature(format: HmacFormat): string {
  const headers = format.headers.map((name) => `headers[${quoted(name.toLowerCase())}] ?? `);
  return `/** Whether the bytes were signed with the secret. An unset secret would accept forgeries, so it must not be empty. */
function isGenuine(body, headers, secret) {
  const expected = Buffer.from(${codeOf(format, 'secret')});
  const given = Buffer.from(${headers.join('')}'');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
`;
}

/** The `sign(body, key?)` of its test. */
export function hmacSign(format: HmacFormat): string {
  const [header = ''] = format.headers;
  return `function sign(body, key = secret) {
  return { ${quoted(header)}: ${codeOf(format, 'key')} };
}
`;
}

function codeOf({ prefix, algorithm, encoding }: HmacFormat, key: string): string {
  const code = `createHmac(${quoted(algorithm)}, ${key}).update(body).digest(${quoted(encoding)})`;
  return prefix === '' ? code : `${quoted(prefix)} + ${code}`;
}

/** A text as JavaScript. */
function quoted(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inside}'`;
}
