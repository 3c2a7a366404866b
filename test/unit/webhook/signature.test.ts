import assert from 'node:assert/strict';
import fc from 'fast-check';
import { signBody, verifySignature } from '../../../src/toolkit/webhook/delivery/signature';
import type { SignatureProblem, WebhookSecret } from '../../../src/toolkit/webhook/delivery/signature';
import { bytes, payload, secret } from './support/sample';

const names = ['X-Pay-Signature', 'X-TonPay-Signature'];
const secrets: WebhookSecret[] = [{ name: 'shop', value: secret }];

/** Bodies and header values of payment-webhooks.md, section 3. */
const vectors: [body: string, value: string][] = [
  [
    '{"event":"transfer.completed","timestamp":"2026-01-01T00:00:00.000Z","data":{"amount":"10.5","rawAmount":"10500000000","asset":"TON","status":"success","reference":"ref-1"}}',
    'sha256=230d0ec54d39c553e58540a7e6d4f352e457db2dd9afe0a50ae684b53849eb32',
  ],
  [
    '{"event":"transfer.completed","data":{"commentToRecipient":"Привет 💎"}}',
    'sha256=627c5c804cc0af01df22d852ed33cba12fb9ca8eae95f1037b611d839d5bb27e',
  ],
  [
    '{ "event" : "transfer.completed" }\n',
    'sha256=1ce9cefac284bf337650f1b03357343c70dd6bc8000cc69f8e5bb7fc0f88eb5b',
  ],
  ['', 'sha256=168068df82af6af79c0247731dab546326f647d4578aea13b579daaa540af5c9'],
];

function verdict(value: string | undefined, body: Buffer, known = secrets): SignatureProblem | 'ok' {
  const headers: [string, string][] = value === undefined ? [] : [['x-pay-signature', value]];
  const result = verifySignature(headers, body, known, names);
  return result.ok ? 'ok' : result.problem;
}

describe('webhook signature', () => {
  it('matches the published vectors, byte for byte', () => {
    for (const [body, value] of vectors) {
      assert.equal(signBody(bytes(body), secret), value);
      assert.equal(verdict(value, bytes(body)), 'ok');
    }
    const marked = bytes(`\ufeff${vectors[0]?.[0]}`);
    assert.equal(
      signBody(marked, secret),
      'sha256=164ef1c7fc2070087373f87f95e716c2a0286f4247d0da7665c1b4c10ba1405e',
    );
    assert.equal(
      signBody(bytes('Hello, World!'), "It's a Secret to Everybody"),
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
      'the vector of the GitHub webhook documentation',
    );
  });

  it('is plain HMAC-SHA256: test cases 1 and 2 of RFC 4231', () => {
    const cases: [key: string, data: string, mac: string][] = [
      ['\x0b'.repeat(20), 'Hi There', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
      [
        'Jefe',
        'what do ya want for nothing?',
        '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
      ],
    ];
    for (const [key, data, mac] of cases) {
      assert.equal(signBody(Buffer.from(data), key), `sha256=${mac}`);
    }
  });

  it('is accepted under either header name, and under several if they agree', () => {
    const body = bytes(payload());
    const value = signBody(body, secret);
    for (const headers of [
      [['X-TonPay-Signature', value]],
      [['X-PAY-SIGNATURE', value]],
      [
        ['X-Pay-Signature', value],
        ['x-tonpay-signature', value],
      ],
    ] as [string, string][][]) {
      assert.equal(verifySignature(headers, body, secrets, names).ok, true);
    }
  });

  it('is refused under names that disagree and under one that appears twice', () => {
    const body = bytes(payload());
    const value = signBody(body, secret);
    const other = signBody(body, 'other');
    for (const headers of [
      [
        ['X-Pay-Signature', value],
        ['X-TonPay-Signature', other],
      ],
      [
        ['X-Pay-Signature', value],
        ['X-Pay-Signature', value],
      ],
    ] as [string, string][][]) {
      const result = verifySignature(headers, body, secrets, names);
      assert.equal(result.ok ? 'ok' : result.problem, 'several');
    }
  });

  it('shows which secret matched', () => {
    const known = [...secrets, { name: 'next', value: 'another-one' }];
    const body = bytes(payload());
    const result = verifySignature([['X-Pay-Signature', signBody(body, 'another-one')]], body, known, names);
    assert.deepEqual(result, { ok: true, secret: 'next', header: 'X-Pay-Signature' });
  });

  it('is refused with a reason', () => {
    const body = bytes(payload());
    const value = signBody(body, secret);
    const hex = value.slice('sha256='.length);
    const base64 = Buffer.from(hex, 'hex').toString('base64');
    const pretty = bytes(JSON.stringify(payload(), null, 2));
    const retired = [...secrets, { name: 'old', value: 'retired-secret', accepted: false }];
    assert.equal(verdict(undefined, body), 'missing');
    assert.equal(verdict(hex, body), 'no-prefix');
    assert.equal(verdict('', body), 'no-prefix');
    assert.equal(verdict(` ${value}`, body), 'no-prefix');
    assert.equal(verdict(base64, body), 'base64');
    assert.equal(verdict(`sha256=${base64}`, body), 'base64');
    assert.equal(verdict(`sha256=${hex.toUpperCase()}`, body), 'upper-case');
    assert.equal(verdict(`SHA256=${hex}`, body), 'upper-case');
    assert.equal(verdict(value.slice(0, -1), body), 'wrong-length');
    assert.equal(verdict(`${value}0`, body), 'wrong-length');
    assert.equal(verdict(`sha256=${'g'.repeat(64)}`, body), 'not-hex');
    assert.equal(verdict(value, pretty), 're-serialized');
    assert.equal(verdict(value, Buffer.concat([body, Buffer.from('\n')])), 'trailing-newline');
    assert.equal(verdict(value, Buffer.concat([body, Buffer.from('\r\n')])), 'trailing-newline');
    assert.equal(
      verdict(signBody(Buffer.concat([body, Buffer.from('\n')]), secret), body),
      'trailing-newline',
    );
    assert.equal(verdict(signBody(body, 'retired-secret'), body, retired), 'other-secret');
    assert.equal(verdict(signBody(body, 'nobody-knows'), body, retired), 'no-match');
    assert.equal(verdict(signBody(body, secret), bytes(payload({ rawAmount: '1' }))), 'no-match');
  });

  it('may be upper-case hex and base64 only if other encodings are allowed, and nothing else', () => {
    const any = (value: string, body: Buffer, known = secrets): string => {
      const result = verifySignature([['X-Pay-Signature', value]], body, known, names, 'any');
      return result.ok ? 'ok' : result.problem;
    };
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ minLength: 1 }), fc.nat({ max: 255 }), (array, key, bit) => {
        const body = Buffer.from(array);
        const known = [{ name: 'k', value: key }];
        const mac = Buffer.from(signBody(body, key).slice(7), 'hex');
        const spellings = (bytes: Buffer): string[] =>
          [bytes.toString('hex').toUpperCase(), bytes.toString('base64'), bytes.toString('base64url')].map(
            (code) => `sha256=${code}`,
          );
        for (const value of spellings(mac)) {
          assert.equal(any(value, body, known), 'ok', value);
        }
        mac[bit >> 3] = (mac[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        for (const value of [...spellings(mac), `sha256=${mac.toString('hex')}`]) {
          assert.notEqual(any(value, body, known), 'ok', value);
        }
      }),
    );
    const body = bytes(payload());
    const hex = signBody(body, secret).slice(7);
    assert.equal(any(`sha256=${hex}`, body), 'ok');
    assert.equal(any(hex, body), 'no-prefix');
    assert.equal(any(`SHA256=${hex}`, body), 'upper-case');
    assert.equal(any(Buffer.from(hex, 'hex').toString('base64'), body), 'base64');
    const base64Of = (key: string): string =>
      Buffer.from(signBody(body, key).slice(7), 'hex').toString('base64');
    assert.equal(any(`sha256=${base64Of('')}`, body, [{ name: 'empty', value: '' }]), 'no-secret');
  });

  it('has a hint that the API key may be the secret', () => {
    const body = bytes(payload());
    const key = 'api-key-of-the-dashboard';
    const headers: [string, string][] = [['X-Pay-Signature', signBody(body, key)]];
    const result = verifySignature(headers, body, secrets, names);
    assert.match(result.ok ? '' : result.text, /API key.*second secret/);
    const both = [...secrets, { name: 'api-key', value: key }];
    assert.equal(verifySignature(headers, body, both, names).ok, true);
  });

  it('is always refused without a secret, and never verified with an empty one', () => {
    const body = bytes(payload());
    assert.equal(verdict(signBody(body, ''), body, []), 'no-secret');
    assert.equal(verdict(signBody(body, ''), body, [{ name: 'empty', value: '' }]), 'no-secret');
    assert.equal(verdict(signBody(body, ''), body, [...secrets, { name: 'empty', value: '' }]), 'no-match');
  });

  it('does not reveal the secret or the expected value in any text', () => {
    const body = bytes(payload());
    for (const value of [undefined, 'x', signBody(body, 'other'), signBody(body, secret).toUpperCase()]) {
      const text = JSON.stringify(
        verifySignature(value === undefined ? [] : [['X-Pay-Signature', value]], body, secrets, names),
      );
      assert.ok(!text.includes(secret) && !text.includes(signBody(body, secret).slice(7)));
    }
  });

  it('has exactly one valid value, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ minLength: 1 }), fc.nat(), (array, key, at) => {
        const body = Buffer.from(array);
        const known = [{ name: 'k', value: key }];
        const value = signBody(body, key);
        assert.equal(verdict(value, body, known), 'ok');
        const index = at % value.length;
        const changed = `${value.slice(0, index)}${value[index] === '0' ? '1' : '0'}${value.slice(index + 1)}`;
        assert.notEqual(verdict(changed, body, known), 'ok');
      }),
    );
  });
});
