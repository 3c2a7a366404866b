import type { SourceToken } from './sourceTokens';

/**
 * A field's default value in a source, as stack text if possible: `ton("0.05")` is 0.05ton. Comments between its tokens
 * and behind them are no part of it.
 */
export function defaultText(tokens: readonly SourceToken[]): string {
  let end = tokens[0]?.offset ?? 0;
  const source = tokens
    .map(({ text, offset }) => {
      const gap = offset > end ? ' ' : '';
      end = offset + text.length;
      return gap + text;
    })
    .join('');
  return source
    .replace(/ as \w+$/, '')
    .replace(/^(?:ton|grams)\("([\d.]+)"\)$/, '$1ton')
    .replace(/^address\("([^"]+)"\)$/, '$1')
    .replace(/^(?:emptyMap|createEmptyMap|createEmptyDict)\(\)$/, 'null')
    .replace(/^(?:createEmptyCell|emptyCell)\(\)$/, 'b()');
}
