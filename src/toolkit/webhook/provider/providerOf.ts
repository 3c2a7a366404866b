import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { WorkbenchError } from '../../base/errors';
import { systemClock } from '../../base/time';
import type { Delivery } from '../delivery/delivery';
import { base64Secret, base64SecretPattern, textSecret } from '../delivery/secretForm';
import type { HeaderList, SignatureVerdict, WebhookSecret } from '../delivery/signature';
import { acceptedSecrets, noSecret, refusal } from '../delivery/signature';
import { parseOpenBody } from '../payload/payload';
import { hmacSign, hmacSignature } from '../receiver/hmacCode';
import { transferReceiver } from '../receiver/transferReceiver';
import { isHttpSuccess } from '../values/isHttpSuccess';
import { bicycle } from './bicycle';
import type { HmacSettings } from './hmacSettings';
import { checkHmac } from './hmacSettings';
import type { DeliveryPolicy, WebhookProvider } from './webhookProvider';
import { tonPay, transferBodies } from './tonPay';
import { tonapi } from './tonapi';

/** How far the time in a signature may be from the receiver's clock, in seconds. */
const toleranceSeconds = 5 * 60;
const names = { id: 'webhook-id', time: 'webhook-timestamp', signature: 'webhook-signature' } as const;

/**
 * Standard Webhooks: HMAC-SHA256 over id, time, and raw body, with a secret that is base64 after `whsec_`. Any body; the
 * one with the payment service's fields is judged by its rules.
 */
export const standardWebhooks: WebhookProvider = {
  name: 'standard-webhooks',
  title: 'Standard Webhooks',
  signatureHeaders: [names.signature],
  documentedHeaders: [names.signature],
  delivery: {
    timeoutMs: 15_000,
    retryDelaysMs: [5_000, 300_000, 1_800_000],
    isDelivered: isHttpSuccess,
  },
  carries: ['credential', 'signed-body', 'signed-time', 'reference', 'amount', 'asset', 'status', 'event'],
  accepts: '2xx',
  whenRefused: 'The sender would retry for hours in vain, and show the delivery as failed.',
  isSecretOptional: false,
  secretForm: base64Secret,
  verify: (headers, body, secrets, _names, _encoding, now = systemClock.now()) =>
    verify(headers, body, secrets, now),
  ...transferBodies,
  parse: (body, headers = []) => {
    const parsed = parseOpenBody(body);
    const [, id = ''] = headers.find(([name]) => name.toLowerCase() === names.id) ?? [];
    // Signed with the body, and the same in every attempt.
    return parsed.kind === 'notification' && id !== '' ? { ...parsed, id: id.slice(0, 200) } : parsed;
  },
  sign: (body, secret, _names, now = systemClock.now()) => {
    const id = `msg_${randomUUID()}`;
    const time = String(Math.floor(now / 1000));
    return [
      [names.id, id],
      [names.time, time],
      [names.signature, `v1,${signatureOf(keyOf(secret), id, time, body).toString('base64')}`],
    ];
  },
  receiver: () =>
    transferReceiver({
      service: 'a service that follows Standard Webhooks',
      signature: receiverSignature,
      sign: receiverSign,
      secretIs: "the service's webhook secret: base64 after whsec_",
      isUnusable: `!${String(base64SecretPattern)}.test(secret)`,
      secrets: ['whsec_YSBzZWNyZXQgZm9yIHRoZSB0ZXN0cw==', 'whsec_YW5vdGhlciBzZWNyZXQgZm9yIHRlc3Rz'],
      moreTests: receiverTests,
    }),
};

const receiverSignature = `/** Whether id, time, and bytes were signed with the secret, at most five minutes ago. */
function isGenuine(body, headers, secret) {
  const { '${names.id}': id, '${names.time}': time, '${names.signature}': signatures } = headers;
  if (!id || !signatures || !(Math.abs(Date.now() / 1000 - Number(time)) <= ${toleranceSeconds})) {
    return false;
  }
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const code = createHmac('sha256', key).update(id + '.' + time + '.').update(body).digest('base64');
  const expected = Buffer.from('v1,' + code);
  // There are several while the service replaces the secret.
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
`;

const receiverSign = `function sign(body, key = secret, secondsAgo = 0) {
  const time = String(Math.floor(Date.now() / 1000) - secondsAgo);
  const bytes = Buffer.from(key.slice('whsec_'.length), 'base64');
  const code = createHmac('sha256', bytes).update('msg_1.' + time + '.' + body).digest('base64');
  return { '${names.id}': 'msg_1', '${names.time}': time, '${names.signature}': 'v1,' + code };
}
`;

const receiverTests = `test('a delivery whose time or id is not the signed one, or is more than five minutes away, is refused', async () => {
  for (const seconds of [400, -400]) {
    assert.equal(await post(payment(), sign(payment(), secret, seconds)), 401);
  }
  for (const change of [{ '${names.id}': 'msg_2' }, { '${names.time}': '' }, { '${names.time}': String(Math.floor(Date.now() / 1000) - 1) }]) {
    assert.equal(await post(payment(), { ...sign(payment()), ...change }), 401, JSON.stringify(change));
  }
  assert.equal(await countPaid(), 0);
});

test('one of several signatures is enough', async () => {
  const headers = sign(payment());
  assert.equal(await post(payment(), { ...headers, '${names.signature}': 'v1,AAAA ' + headers['${names.signature}'] }), 200);
  assert.equal(await countPaid(), 1);
});
`;

function verify(
  headers: HeaderList,
  body: Buffer,
  secrets: readonly WebhookSecret[],
  now: number,
): SignatureVerdict {
  const set = acceptedSecrets(secrets);
  // What is read from a text that is no base64 may be an empty key, which anyone knows.
  const accepted = set.filter(({ value }) => base64Secret.problem(value) === undefined);
  if (accepted.length === 0) {
    return set.length === 0
      ? noSecret
      : refusal('no-secret', 'no secret can be used: after whsec_ it must be base64, 16 characters or more');
  }
  const values: Record<string, string> = {};
  for (const name of Object.values(names)) {
    const found = headers.filter(([given]) => given.toLowerCase() === name);
    if (found.length > 1) {
      return refusal('several', `several signatures: ${name} occurs more than once`);
    }
    const [, value = ''] = found[0] ?? [];
    if (value === '') {
      return refusal('missing', `header missing: ${name}`);
    }
    values[name] = value;
  }
  const { [names.id]: id = '', [names.time]: time = '', [names.signature]: signature = '' } = values;
  const age = /^\d{1,12}$/.test(time) ? Math.floor(now / 1000) - Number(time) : NaN;
  if (!(Math.abs(age) <= toleranceSeconds)) {
    return refusal(
      'too-old',
      Number.isNaN(age)
        ? `time: ${names.time} is not a time in Unix seconds`
        : `time: the delivery was signed ${Math.abs(age)} s ${age > 0 ? 'ago' : 'ahead'}, and only ${toleranceSeconds} s are allowed`,
    );
  }
  const given = signature.split(' ').flatMap((one) => {
    const [version, code = ''] = one.split(',', 2);
    return version === 'v1' ? [Buffer.from(code)] : [];
  });
  for (const secret of accepted) {
    const expected = Buffer.from(signatureOf(keyOf(secret.value), id, time, body).toString('base64'));
    if (given.some((one) => one.length === expected.length && timingSafeEqual(one, expected))) {
      return { ok: true, secret: secret.name, header: names.signature };
    }
  }
  return given.length === 0
    ? refusal('no-prefix', 'no prefix: no signature in the header begins with "v1,"')
    : refusal(
        'no-match',
        `no secret matches (tried ${accepted.map(({ name }) => name).join(', ')}): another secret was used, or id, time, or body were changed`,
      );
}

/** The part after `whsec_` is base64. */
function keyOf(secret: string): Buffer {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

function signatureOf(key: Buffer, id: string, time: string, body: Buffer): Buffer {
  return createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest();
}

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
function genericHmac(settings: HmacSettings = usualHmac): WebhookProvider {
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

/** Which service's rules apply. Can cross threads. */
export interface ProviderChoice {
  /** A name of the table below. */
  name: string;
  /** Only for `hmac`. */
  hmac?: HmacSettings | undefined;
}

/** Every service, by name: one entry each. */
const providers: Readonly<Record<string, (choice: ProviderChoice) => WebhookProvider>> = {
  'ton-pay': () => tonPay,
  tonapi: () => tonapi,
  bicycle: () => bicycle,
  'standard-webhooks': () => standardWebhooks,
  hmac: ({ hmac }) => genericHmac(hmac),
};

/** The names of all services. */
export const providerNames: readonly string[] = Object.keys(providers);

/**
 * The service's rules; by default the payment service's.
 * @throws WorkbenchError `provider-unknown` (input)
 */
export function providerOf(choice: ProviderChoice = { name: tonPay.name }): WebhookProvider {
  if (!providerNames.includes(choice.name)) {
    throw new WorkbenchError({
      code: 'provider-unknown',
      kind: 'input',
      message: `There is no provider ${JSON.stringify(choice.name.slice(0, 100))}.`,
      hint: `Providers: ${providerNames.join(', ')}.`,
    });
  }
  return (providers[choice.name] as (choice: ProviderChoice) => WebhookProvider)(choice);
}

/** How the service of a kept delivery delivers; of one that this version does not know, the payment service's way. */
export function deliveryPolicyOf({ provider: name }: Pick<Delivery, 'provider'>): DeliveryPolicy {
  return providerOf(providerNames.includes(name) ? { name } : undefined).delivery;
}
