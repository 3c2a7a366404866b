import { createHmac, timingSafeEqual } from 'node:crypto';
import { textSecret } from '../delivery/secretForm';
import { acceptedSecrets, noSecret, refusal } from '../delivery/signature';
import { parseOpenBody } from '../payload/parseOpenBody';
import { hmacSign, hmacSignature } from '../receiver/hmacCode';
import { transferReceiver } from '../receiver/transferReceiver';
import { checkHmac } from './hmacSettings';
import type { HmacSettings } from './hmacSettings';
import type { WebhookProvider } from './provider';
import { transferBodies } from './transferBodies';
import { isHttpSuccess } from '../values/isHttpSuccess';

/** What most services do. */
const usualHmac: HmacSettings = {
  header: 'X-Signature',
  prefix: '',
  encoding: 'hex',
  algorithm: 'sha256',
};

/**
 * Any service that signs the raw body with an HMAC and the secret as UTF-8 text. Any body.
 * @throws WorkbenchError `hmac-invalid` (input)
 */
export function genericHmac(settings: HmacSettings = usualHmac): WebhookProvider {
  checkHmac(settings);
  const { header, prefix, encoding, algorithm } = settings;
  const codeOf = (body: Buffer, secret: string): string =>
    prefix + createHmac(algorithm, secret).update(body).digest(encoding);
  return {
    name: 'hmac',
    title: `HMAC (${algorithm}, ${encoding}, ${header})`,
    signatureHeaders: [header],
    documentedHeaders: [header],
    delivery: {
      timeoutMs: 10_000,
      retryDelaysMs: [1_000, 5_000, 15_000],
      isDelivered: isHttpSuccess,
    },
    carries: ['credential', 'signed-body', 'reference', 'amount', 'asset', 'status', 'event'],
    accepts: '2xx',
    whenRefused: 'The sender would retry in vain, and show the delivery as failed.',
    isSecretOptional: false,
    secretForm: textSecret,
    verify: (headers, body, secrets) => {
      const accepted = acceptedSecrets(secrets);
      const found = headers.filter(([name]) => name.toLowerCase() === header.toLowerCase());
      const [, value = ''] = found[0] ?? [];
      if (accepted.length === 0) {
        return noSecret;
      }
      if (found.length !== 1) {
        return found.length === 0
          ? refusal('missing', `header missing: ${header} must contain the signature`)
          : refusal('several', `several signatures: ${header} occurs more than once`);
      }
      if (!value.startsWith(prefix)) {
        return refusal('no-prefix', `no prefix: the signature must begin with ${JSON.stringify(prefix)}`);
      }
      const given = Buffer.from(value, 'latin1');
      for (const secret of accepted) {
        const expected = Buffer.from(codeOf(body, secret.value), 'latin1');
        if (given.length === expected.length && timingSafeEqual(given, expected)) {
          return { ok: true, secret: secret.name, header: found[0]?.[0] ?? header };
        }
      }
      const length = codeOf(body, '').length;
      return value.length === length
        ? refusal('no-match', `no secret matches (tried ${accepted.map(({ name }) => name).join(', ')})`)
        : refusal('wrong-length', `wrong length: ${value.length} characters, not ${length}`);
    },
    ...transferBodies,
    parse: parseOpenBody,
    sign: (body, secret) => [[header, codeOf(body, secret)]],
    receiver: () => {
      const format = { headers: [header], prefix, encoding, algorithm };
      return transferReceiver({
        service: `a service that signs ${header} with an HMAC (${algorithm}, ${encoding})`,
        signature: hmacSignature(format),
        sign: hmacSign(format),
        secretIs: "the service's webhook secret",
      });
    },
  };
}
