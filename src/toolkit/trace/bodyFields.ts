import type { DecodedBody } from '../opcodes/decodedBody';
import type { BodyValue } from '../opcodes/decodedBody';

/** One field of a decoded body. */
export function valueOf(body: DecodedBody | undefined, name: string): BodyValue | undefined {
  return body?.fields.find((field) => field.name === name)?.value;
}

/** An integer or coins field of a decoded body. */
export function integerOf(body: DecodedBody | undefined, name: string): bigint | undefined {
  const value = valueOf(body, name);
  return value?.type === 'coins' || value?.type === 'int' ? value.value : undefined;
}

/** An address field of a decoded body. */
export function addressOf(body: DecodedBody | undefined, name: string): string | undefined {
  const value = valueOf(body, name);
  return value?.type === 'address' ? value.value : undefined;
}
