import type { SourceReadings } from './sourceLanguage';
import { closersOf, tokenize } from './tokenize';

/** What the network calls in a FunC contract. */
const entries = new Set([
  'recv_internal',
  'recv_external',
  'run_ticktock',
  'split_prepare',
  'split_install',
  'main',
]);

/** The names in a FunC text's functions, by function; get-methods are marked. */
type FuncBodies = ReadonlyMap<string, { words: ReadonlySet<string>; isEntry: boolean }>;

/**
 * The names in the functions that a FunC contract can reach from its entry points and get-methods.
 *
 * @param readings caches parsed texts
 */
export function funcWords(texts: readonly string[], readings: SourceReadings): Set<string> {
  const all = texts.map((text) => readings.of('bodies of func', text, () => readBodies(text)));
  const functions = new Map(all.flatMap((one) => [...one]).reverse());
  const reached = new Set([...functions].flatMap(([name, { isEntry }]) => (isEntry ? [name] : [])));
  const words = new Set<string>();
  // What is added meanwhile is visited, too.
  for (const name of reached) {
    for (const word of functions.get(name)?.words ?? []) {
      words.add(word);
      if (functions.has(word)) {
        reached.add(word);
      }
    }
  }
  return words;
}

function readBodies(text: string): FuncBodies {
  const tokens = tokenize(text, 'func');
  const closers = closersOf(tokens);
  const bodies = new Map<string, { words: ReadonlySet<string>; isEntry: boolean }>();
  let name = '';
  let isEntry = false;
  for (let place = 0; place < tokens.length; place++) {
    const word = tokens[place]?.text ?? '';
    const close = closers.get(place);
    if (word === '{' && close !== undefined) {
      const own = tokens
        .slice(place + 1, close)
        .flatMap((token) => [token.text, ...token.text.split(/[.~]/)]);
      bodies.set(name, { words: new Set(own), isEntry: isEntry || entries.has(name) });
    }
    if (word === ';' || word === '{') {
      name = '';
      isEntry = false;
    }
    if (close !== undefined) {
      place = close;
    } else if (tokens[place + 1]?.text === '(' && name === '' && /^[^\d"=]/.test(word)) {
      name = word;
    } else if (word === 'method_id') {
      isEntry = true;
    }
  }
  return bodies;
}
