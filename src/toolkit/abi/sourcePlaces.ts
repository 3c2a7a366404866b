import type { SourceLanguage } from './sourceReadings';
import { tokenize } from './sourceTokens';
import type { SourceToken } from './sourceTokens';
import { readTlbComments, tlbName } from './readTlbComments';

/** Positions of declarations in a source: offsets of names in the text, in UTF-16 code units. */
export interface SourcePlaces {
  /** Structs and messages by name. */
  structs: ReadonlyMap<string, number>;
  /** The function that receives internal messages; undefined in a file that is only imported. */
  entry: number | undefined;
}

const keywords = { tolk: ['struct'], tact: ['message', 'struct'], func: [] } as const satisfies Record<
  SourceLanguage,
  readonly string[]
>;

/** Finds the structs and the entry point that a source declares. FunC describes its structs in TL-B comments. */
export function sourcePlaces(text: string, language: SourceLanguage): SourcePlaces {
  const tokens = tokenize(text, language);
  const structs = new Map<string, number>();
  if (language === 'func') {
    for (const declaration of readTlbComments(text).reverse()) {
      structs.set(tlbName(declaration), declaration.offset);
    }
  }
  let entry: number | undefined;
  for (const [place, token] of tokens.entries()) {
    if ((keywords[language] as readonly string[]).includes(token.text)) {
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
    } else if (isEntry[language](tokens, place)) {
      entry ??= token.offset;
    }
  }
  return { structs, entry };
}

const isEntry: Record<SourceLanguage, (tokens: readonly SourceToken[], place: number) => boolean> = {
  tolk: (tokens, place) => tokens[place]?.text === 'fun' && tokens[place + 1]?.text === 'onInternalMessage',
  func: (tokens, place) => tokens[place]?.text === 'recv_internal' && tokens[place + 1]?.text === '(',
  tact: (tokens, place) => tokens[place]?.text === 'contract' && tokens[place + 2]?.text !== ';',
};
