import { parseStackText } from '../toolkit/stack/parseStackText';
import { printStack as printToolkitStack } from '../toolkit/stack/stackValue';
import {
  decodeV2Stack,
  decodeV2StdStack,
  encodeV2Stack,
  encodeV2StdStack,
} from '../toolkit/stack/v2StdStack';
import { decodeV3Stack, encodeV3Stack } from '../toolkit/stack/encodeV3Stack';
import { toPublicValue, toToolkitValue } from './publicStackValue';
import type { StackValue } from './stackValue';

export type { StackValue } from './stackValue';

/** How an API writes a stack: v2's `runGetMethod`, v2's `runGetMethodStd`, v3's `runGetMethod`. */
export type StackWire = 'v2' | 'v2-std' | 'v3';

/**
 * Parses stack values from text: `42 -1 0x2a 1.5ton true null addr EQ… cell te6cc… slice x{4A_} str "text" b(u32 7,
 * coins 1ton, ref b(…)) [1, 2] (1, 2) @name`.
 *
 * @param names addresses in any usual form, by the name used after `@` and `addr`
 * @throws WorkbenchError `stack-text-invalid` (input) with `details.offset` and `details.length`
 * @example
 * ```ts
 * import { encodeStack, parseStack } from 'ton-workbench/stack';
 *
 * const values = parseStack('42 1.5ton addr @alice', { alice: 'EQ…' });
 * encodeStack(values, 'v3'); // [{ type: 'num', value: '42' }, …]
 * ```
 */
export function parseStack(text: string, names: Readonly<Record<string, string>> = {}): StackValue[] {
  return parseStackText(text, { accounts: new Map(Object.entries(names)) }).map(toPublicValue);
}

/** Formats values as text that {@link parseStack} can read. */
export function printStack(values: readonly StackValue[]): string {
  return printToolkitStack(values.map(toToolkitValue));
}

/**
 * Encodes values for an API.
 * @throws WorkbenchError `stack-value-not-carried` (input)
 */
export function encodeStack(values: readonly StackValue[], wire: StackWire): unknown[] {
  const given = values.map(toToolkitValue);
  switch (wire) {
    case 'v2':
      return encodeV2Stack(given);
    case 'v2-std':
      return encodeV2StdStack(given);
    case 'v3':
      return encodeV3Stack(given);
  }
}

/**
 * Decodes the `stack` array of an API's answer.
 * @throws WorkbenchError `stack-answer-unusable` (service)
 */
export function decodeStack(stack: unknown, wire: StackWire): StackValue[] {
  switch (wire) {
    case 'v2':
      return decodeV2Stack(stack).map(toPublicValue);
    case 'v2-std':
      return decodeV2StdStack(stack).map(toPublicValue);
    case 'v3':
      return decodeV3Stack(stack).map(toPublicValue);
  }
}
