import type { DecodedBody } from '../../opcodes/decodedBody';
import type { BodyValue } from '../../opcodes/decodedBody';

function field(body: DecodedBody | undefined, name: string): BodyValue | undefined {
  return body?.fields.find((one) => one.name === name)?.value;
}

export function numberField(body: DecodedBody | undefined, name: string): bigint | null {
  const value = field(body, name);
  return value?.type === 'int' || value?.type === 'coins' ? value.value : null;
}

export function addressField(body: DecodedBody | undefined, name: string): string | null {
  const value = field(body, name);
  return value?.type === 'address' && value.value !== undefined ? value.value : null;
}

export function cellField(body: DecodedBody | undefined, name: string): string | null {
  const value = field(body, name);
  return value?.type === 'cell' ? value.value : value?.type === 'body' ? value.value.name : null;
}

export function forwardPayload(body: DecodedBody | undefined): {
  text: string | null;
  encrypted: boolean;
  payload: string | null;
} {
  const value = field(body, 'forward_payload');
  const inner = value?.type === 'body' ? value.value : undefined;
  const text = inner?.fields[0]?.value;
  return {
    text: text?.type === 'text' ? text.value : null,
    encrypted: inner?.name === 'encrypted_comment',
    payload: value?.type === 'cell' ? value.value : null,
  };
}
