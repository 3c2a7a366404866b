import { tokenize } from './sourceTokens';

/** Positions of declarations in a source: offsets of names in the text, in UTF-16 code units. */
export interface SourcePlaces {
  /** Structs and messages by name. */
  structs: ReadonlyMap<string, number>;
  /** The function that receives internal messages; undefined in a file that is only imported. */
  entry: number | undefined;
}

const keywords = { tolk: ['struct'], tact: ['message', 'struct'] };

/** Finds the structs and the entry point that a Tolk or Tact source declares. */
export function sourcePlaces(text: string, language: 'tolk' | 'tact'): SourcePlaces {
  const tokens = tokenize(text, language);
  const structs = new Map<string, number>();
  let entry: number | undefined;
  for (const [place, token] of tokens.entries()) {
    if (keywords[language].includes(token.text)) {
      let next = place + 1;
      if (tokens[next]?.text === '(') {
        // The opcode: `struct (0x11) AddGuardian`.
        while (next < tokens.length && tokens[next]?.text !== ')') {
          next++;
        }
        next++;
      }
      const name = tokens[next];
      if (name !== undefined && /^[\p{L}_`]/u.test(name.text) && !structs.has(name.text)) {
        structs.set(name.text, token.offset);
      }
    } else if (
      language === 'tolk'
        ? token.text === 'onInternalMessage' && tokens[place - 1]?.text === 'fun'
        : token.text === 'contract' && tokens[place + 2]?.text !== ';'
    ) {
      entry ??= tokens[language === 'tolk' ? place - 1 : place]?.offset;
    }
  }
  return { structs, entry };
}
