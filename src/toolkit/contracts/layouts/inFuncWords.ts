import type { SourceToken } from '../abi/tokenize';

/** The methods of Tolk's slices and builders that FunC calls otherwise. */
const funcWord: Readonly<Record<string, string>> = {
  assertEnd: 'end_parse',
  assertEndOfSlice: 'end_parse',
  remainingBitsCount: 'slice_bits',
  remainingRefsCount: 'slice_refs',
  isEmpty: 'slice_empty?',
  isEndOfSlice: 'slice_empty?',
  isEndOfSliceBits: 'slice_data_empty?',
};

/** A text of Tolk as FunC writes it, as far as it is about slices: `ds.loadUint(8)` is `ds~load_uint(8)`. */
export function inFuncWords(tokens: readonly SourceToken[]): SourceToken[] {
  const words: SourceToken[] = [];
  const at = (place: number): string => tokens[place]?.text ?? '';
  let depth = 0;
  for (let place = 0; place < tokens.length; place++) {
    const token = tokens[place]!;
    const { text } = token;
    depth += /^[([]$/.test(text) ? 1 : /^[)\]]$/.test(text) ? -1 : 0;
    const before = words.at(-1);
    // A line's end ends a statement.
    if (
      token.startsLine &&
      depth === 0 &&
      before !== undefined &&
      /^[\w)\]`"]/.test(before.text.slice(-1)) &&
      /^[\w`]/.test(text)
    ) {
      words.push({ ...token, text: ';' });
    }
    if (text === 'contract' && at(place + 1) === '.' && /^[gs]etData$/.test(at(place + 2))) {
      words.push({ ...token, text: snake(at(place + 2)) });
      place += 2;
    } else if (text === '.' && before !== undefined && /^[a-z]\w*$/i.test(at(place + 1))) {
      const word = funcWord[at(place + 1)] ?? snake(at(place + 1));
      const isVariable = /^[\w`]+$/.test(before.text);
      const next = tokens[place + 1]!;
      if (!isVariable) {
        words.push({ ...next, text: `.${word}` });
      } else {
        words.pop();
        words.push({ ...next, text: `${before.text}${/^(?:load|skip)_/.test(word) ? '~' : '.'}${word}` });
      }
      place++;
    } else if (text === ':' && /^[\w`]+$/.test(before?.text ?? '')) {
      // A type.
      place = typeEnd(tokens, place + 1) - 1;
    } else {
      words.push({ ...token, text: text === 'beginCell' ? 'begin_cell' : text });
    }
  }
  return words;
}

/** Behind the type that begins at a place. */
function typeEnd(tokens: readonly SourceToken[], from: number): number {
  let depth = 0;
  for (let place = from; place < tokens.length; place++) {
    const text = tokens[place]?.text ?? '';
    if (depth === 0 && /^[=,){;]$/.test(text)) {
      return place;
    }
    depth += /^[(<[]$/.test(text) ? 1 : /^[)>\]]$/.test(text) ? -1 : 0;
  }
  return tokens.length;
}

function snake(word: string): string {
  return word.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
