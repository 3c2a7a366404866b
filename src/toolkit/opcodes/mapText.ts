import { visibleText } from '../text';
import type { BodyValue } from './decodedBody';

/** Further entries are only counted. */
const mostShown = 8;

/**
 * The entries of a map on one line: `{bob: 5, alice: {weight: 7}}`.
 * @param one the text of a value without nested values
 */
export function mapText(
  { entries }: Extract<BodyValue, { type: 'map' }>,
  one: (value: BodyValue) => string,
): string {
  const inline = (value: BodyValue): string =>
    value.type === 'map'
      ? mapText(value, one)
      : value.type === 'body'
        ? braces(value.value.fields.map((field) => `${visibleText(field.name, 60)}: ${inline(field.value)}`))
        : one(value);
  return entries.length === 0
    ? 'empty'
    : braces(entries.map(({ key, value }) => `${inline(key)}: ${inline(value)}`));
}

function braces(parts: readonly string[]): string {
  const more = parts.length - mostShown;
  return `{${parts.slice(0, mostShown).join(', ')}${more > 0 ? `, and ${more} more` : ''}}`;
}
