import { visibleText } from '../text';
import type { BodyValue } from './decodedBody';

/** Maximum entries shown; further ones are only counted. */
const mostShown = 8;

/**
 * A value on one line, with everything in it: `{who: bob, weight: 5}`, `{bob: 5, alice: 7}`.
 * @param one the text of a value without nested values
 */
export function inlineValue(
  value: BodyValue,
  one: (value: Exclude<BodyValue, { type: 'map' | 'body' }>) => string,
): string {
  const inline = (part: BodyValue): string => inlineValue(part, one);
  switch (value.type) {
    case 'map':
      return braces(value.entries.map((entry) => `${inline(entry.key)}: ${inline(entry.value)}`));
    case 'body':
      return braces(
        value.value.fields.map((field) => `${visibleText(field.name, 60)}: ${inline(field.value)}`),
      );
    default:
      return one(value);
  }
}

function braces(parts: readonly string[]): string {
  const more = parts.length - mostShown;
  return `{${parts.slice(0, mostShown).join(', ')}${more > 0 ? `, and ${more} more` : ''}}`;
}
