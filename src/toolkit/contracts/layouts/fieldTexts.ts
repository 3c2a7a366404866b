import { fromNano } from '@ton/core';
import type { Cell } from '@ton/core';
import { WorkbenchError } from '../../base/errors';
import { WorkBudget } from '../../base/limits';
import type { BodyValue, DecodedBody } from '../opcodes/decodedBody';
import type { LayoutSet } from './layoutSet';
import { decodeByLayout, hasPrefix } from './decodeByLayout';
import { encodeByLayout } from './encodeByLayout';
import { structText } from './fieldPrompts';
import type { Message } from './messagesOfContract';

/** A message with the values that a cell has in its fields, as text. */
export interface MessageTexts {
  message: Message;
  /** By field. */
  texts: ReadonlyMap<string, string>;
}

/**
 * The values in a message's body, as text that {@link encodeByLayout} reads back to the very same cell; undefined if no
 * message of the layouts does that.
 */
export function fieldTexts(body: Cell, sets: readonly LayoutSet[]): MessageTexts | undefined {
  if (body.isExotic) {
    return undefined;
  }
  const budget = new WorkBudget('decodedFields', { kind: 'failed' });
  for (const set of sets) {
    for (const layout of set.structs.values()) {
      if (!layout.isMessage || layout.prefix === undefined || !hasPrefix(body.beginParse(), layout.prefix)) {
        continue;
      }
      const decoded = decodeByLayout(body, layout, set, budget);
      const texts = decoded.broken
        ? []
        : decoded.fields.map(({ name, value }) => [name, textOf(value)] as const);
      const message = { layout, set };
      if (isWhole(body, message, texts)) {
        return { message, texts: new Map(texts) };
      }
    }
  }
  return undefined;
}

function isWhole(
  body: Cell,
  { layout, set }: Message,
  texts: readonly (readonly [string, string])[],
): boolean {
  const byName = new Map(texts);
  const ordered = layout.cells.flat().map(({ name }) => byName.get(name) ?? '');
  try {
    return encodeByLayout(structText(layout, ordered), layout, set).equals(body);
  } catch (error) {
    if (WorkbenchError.is(error)) {
      return false;
    }
    throw error;
  }
}

function textOf(value: BodyValue): string {
  switch (value.type) {
    case 'int':
    case 'bool':
      return String(value.value);
    case 'coins':
      return value.isJetton === true ? String(value.value) : `${fromNano(value.value)}ton`;
    case 'address':
      return value.value ?? 'none';
    case 'text':
      return JSON.stringify(value.value);
    case 'bytes':
      return `x{${value.value}}`;
    case 'none':
      return 'null';
    case 'cell':
      return `cell ${value.value}`;
    case 'body':
      return structOf(value.value);
    case 'map':
      return `{${value.entries.map((entry) => `${textOf(entry.key)}: ${textOf(entry.value)}`).join(', ')}}`;
  }
}

function structOf({ name, fields }: DecodedBody): string {
  return `${name} {${fields.map((field) => `${field.name}: ${textOf(field.value)}`).join(', ')}}`;
}
