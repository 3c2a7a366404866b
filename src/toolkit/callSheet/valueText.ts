import { Address } from '@ton/core';
import type { TypedValue } from '../typed/typedValue';
import { typedToStack } from './answerValue';
import { coinsText } from '../getMethods/numberText';
import { printStackValue } from '../stack/printStackValue';

/** The name of a raw address, if it has one. */
export type NameOfAccount = (raw: string) => string | undefined;

/** Maximum characters of a struct or map on one line. */
const longest = 120;

/** A value in the syntax of call sheets: `1.5ton`, `true`, `bob`, `{count: 1, owner: alice}`. */
export function valueText(value: TypedValue, name: NameOfAccount = () => undefined): string {
  switch (value.kind) {
    case 'plain':
      return printStackValue(value.value);
    case 'coins':
      return `${coinsText(value.value).replaceAll(/[^\d.-]/g, '')}ton`;
    case 'bool':
      return value.value.toString();
    case 'address':
      return value.address === null
        ? 'none'
        : (name(value.address) ?? Address.parse(value.address).toString());
    case 'text':
      return JSON.stringify(value.text);
    case 'member':
      return value.name;
    case 'null':
      return 'null';
    case 'external':
      return printStackValue(typedToStack(value) ?? { type: 'null' });
    case 'variant': {
      const text = valueText(value.value, name);
      return value.type.kind === 'struct' ? `${value.type.name} ${text}` : text;
    }
    case 'content':
      return valueText(value.value, name);
    case 'parts': {
      const isStruct = value.type.kind === 'struct';
      const parts = value.parts.map((part) =>
        isStruct ? `${part.name}: ${valueText(part.value, name)}` : valueText(part.value, name),
      );
      return folded(parts, isStruct ? '{}' : '[]');
    }
    case 'map':
      return folded(
        value.entries.map((entry) => `${valueText(entry.key, name)}: ${valueText(entry.value, name)}`),
        '{}',
      );
  }
}

function folded(parts: readonly string[], [open = '', close = '']: string): string {
  let length = 0;
  const count = parts.findIndex((text) => (length += text.length + 2) > longest);
  const shown = count < 0 ? parts : [...parts.slice(0, count), `… ${parts.length - count} more`];
  return `${open}${shown.join(', ')}${close}`;
}
