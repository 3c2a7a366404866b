import { visibleLines } from '../base/text';

/** Names of fields that hold a key wherever they are: none leaves, whatever a command prints. */
const keyFields = new Set(['mnemonic', 'secretKey', 'privateKey', 'secret', 'seed', 'apiKey']);

/** How much of lists and texts stays, tried one after another. */
const sizes = [
  { items: 100, characters: 4_000 },
  { items: 40, characters: 2_000 },
  { items: 20, characters: 1_000 },
  { items: 10, characters: 400 },
  { items: 5, characters: 200 },
  { items: 2, characters: 100 },
  { items: 1, characters: 60 },
] as const;

type Size = (typeof sizes)[number];

/**
 * A document as an agent may read it: its texts without invisible and display-changing characters, and without fields
 * that hold keys.
 */
export function cleanDocument(value: unknown): unknown {
  return mapTexts(value, visibleLines, undefined);
}

/**
 * A document that fits: its longest lists and texts are cut, more and more, until it does. It keeps its shape.
 *
 * @param most characters as {@link jsonText}
 * @returns undefined if not even the shortest form fits
 */
export function shrinkDocument(value: unknown, most: number): unknown {
  for (const size of sizes) {
    const shrunk = mapTexts(value, (text) => cutText(text, size), size);
    if (jsonText(shrunk).length <= most) {
      return shrunk;
    }
  }
  return undefined;
}

function cutText(text: string, { characters }: Size): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1)}…`;
}

function mapTexts(value: unknown, text: (text: string) => string, size: Size | undefined): unknown {
  if (typeof value === 'string') {
    return text(value);
  }
  if (Array.isArray(value)) {
    return value.slice(0, size?.items).map((item) => mapTexts(item, text, size));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !keyFields.has(name))
      .map(([name, inner]) => [text(name), mapTexts(inner, text, size)]),
  );
}

/**
 * JSON for the text of an answer: nothing in it can end the element that it stands in, so what a stranger has written
 * into a transaction stays data.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
}
