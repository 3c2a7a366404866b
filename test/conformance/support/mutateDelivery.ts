import { signBody } from '../../../src/toolkit/webhook/delivery/signature';
import { bytes, payload, secret } from '../../unit/webhook/support/sample';

/** Numbers from 0 up to `below`, the same in every run. */
export type Random = (below: number) => number;

/** Mulberry32. */
export function seeded(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((((mixed ^ (mixed >>> 14)) >>> 0) * below) / 2 ** 32) | 0;
  };
}

/** A delivery after something was done to it. */
export interface MutatedDelivery {
  body: Buffer;
  value: string | undefined;
  /** What was done. */
  what: string;
}

type Change = (body: Buffer, random: Random) => Buffer;

const bodyChanges: Record<string, Change> = {
  none: (body) => body,
  'bit flipped': (body, random) => {
    const changed = Buffer.from(body);
    const at = random(changed.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << random(8));
    return changed;
  },
  'byte inserted': (body, random) => {
    const at = random(body.length + 1);
    return Buffer.concat([body.subarray(0, at), Buffer.from([random(256)]), body.subarray(at)]);
  },
  'byte removed': (body, random) => {
    const at = random(body.length);
    return Buffer.concat([body.subarray(0, at), body.subarray(at + 1)]);
  },
  'cut off': (body, random) => body.subarray(0, random(body.length)),
  'line break added': (body) => Buffer.concat([body, Buffer.from('\n')]),
  'byte-order mark': (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
  're-serialized': (body, random) => bytes(JSON.stringify(JSON.parse(body.toString()), null, 1 + random(4))),
  'field doubled': (body) => bytes(body.toString().replace('"rawAmount":', '"rawAmount":"1","rawAmount":')),
  'not UTF-8': (body) => Buffer.concat([body.subarray(0, 20), Buffer.from([0xff]), body.subarray(20)]),
  'two bodies': (body) => Buffer.concat([body, body]),
};

const valueChanges: Record<string, (value: string, random: Random) => string | undefined> = {
  none: (value) => value,
  missing: () => undefined,
  empty: () => '',
  'digit changed': (value, random) => {
    const at = 7 + random(64);
    return `${value.slice(0, at)}${value[at] === 'a' ? 'b' : 'a'}${value.slice(at + 1)}`;
  },
  'upper case': (value) => value.toUpperCase(),
  'bare hex': (value) => value.slice(7),
  base64: (value) => `sha256=${Buffer.from(value.slice(7), 'hex').toString('base64')}`,
  'cut off': (value, random) => value.slice(0, random(value.length)),
  longer: (value) => `${value}00`,
  twice: (value) => `${value}, ${value}`,
  'blank in front': (value) => ` ${value}`,
};

const keys = [secret, secret, secret, 'another-secret', `${secret}\n`, ''];

/** A delivery, signed with some key before or after its body was changed, its value then changed, or not. */
export function mutate(random: Random): MutatedDelivery {
  const original = bytes(
    payload({
      reference: `ref-${random(1_000)}`,
      rawAmount: String(random(1_000_000_000)),
      commentToRecipient: 'Привет 💎 "\\'.slice(0, random(12)),
    }),
  );
  const [bodyChange, changeBody] = pick(bodyChanges, random);
  const [valueChange, changeValue] = pick(valueChanges, random);
  const body = changeBody(original, random);
  const key = keys[random(keys.length)] as string;
  const signedAfter = random(2) === 0;
  const value = changeValue(signBody(signedAfter ? body : original, key), random);
  return {
    body,
    value,
    what: `body ${bodyChange}, value ${valueChange}, key ${JSON.stringify(key)}, signed ${signedAfter ? 'after' : 'before'}`,
  };
}

function pick<T>(table: Record<string, T>, random: Random): [name: string, value: T] {
  const entries = Object.entries(table);
  // Every second time nothing is done, or hardly anything would ever be valid.
  return (random(2) === 0 ? entries[0] : entries[random(entries.length)]) as [string, T];
}
