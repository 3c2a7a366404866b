import { TolkCalls } from './tolkCalls';
import { messageEntries, TolkFlow } from './tolkFlow';
import { isTolkName } from './tolkFunctions';
import type { TolkBodies } from './tolkFunctions';

/** What a contract does with its types, followed from its entry points through its functions and imports. */
export interface TolkUses {
  /** The types that it loads its data as, in the order in which they are met; several if its data has several forms. */
  storage: readonly string[];
  /** The types that its header says it is deployed with. */
  deployed: readonly string[];
  /** The types that it parses the bodies of its messages as. */
  received: readonly string[];
  /** The names in the functions that it can reach, and those of members: `ERROR_X`, `Errors.NotOwner`. */
  words: ReadonlySet<string>;
}

const otherEntries = new Set([
  'onBouncedMessage',
  'onRunTickTock',
  'onSplitPrepare',
  'onSplitInstall',
  'main',
]);

/**
 * What a Tolk contract uses.
 *
 * @param own the text with its entry point, of which only this may have a header
 * @param all its texts, its own included
 * @param aliases what the names of types stand for, by name, as the first word of each variant
 */
export function tolkUses(
  own: TolkBodies,
  all: readonly TolkBodies[],
  aliases: (name: string) => readonly string[] = () => [],
): TolkUses {
  const calls = new TolkCalls(all, aliases);
  const entries = calls.functions.filter(
    ({ receiver, name, isGetMethod }) =>
      receiver === undefined && (isGetMethod || messageEntries.has(name) || otherEntries.has(name)),
  );
  // A part of a contract, in which nothing is called from outside.
  const every = calls.from(entries.length > 0 ? entries : calls.functions);
  const handled = calls.from(entries.filter(({ name }) => messageEntries.has(name)));
  const flow = new TolkFlow(calls, [...every.keys()]);
  const words = new Set<string>();
  for (const { tokens, from, to } of every.keys()) {
    for (let place = from; place < to; place++) {
      const text = tokens[place]?.text ?? '';
      if (isTolkName(text)) {
        words.add(text);
        if (tokens[place + 1]?.text === '.') {
          words.add(`${text}.${tokens[place + 2]?.text ?? ''}`);
        }
      }
    }
  }
  const typesOf = (key: string): readonly string[] =>
    (own.header?.get(key) ?? []).filter(isTolkName).slice(0, 1);
  const declared = typesOf('storage');
  const deployed = typesOf('storageAtDeployment');
  const externals = [...typesOf('incomingMessages'), ...typesOf('incomingExternal')];
  const loaded = declared.length > 0 ? [...new Set([...declared, ...deployed])] : flow.parsed('data', every);
  return {
    storage: loaded.length > 0 ? loaded : onlyDeclared(own, calls),
    deployed,
    received: [...new Set([...externals, ...flow.parsed('body', handled)])],
    words,
  };
}

/** A contract whose handlers do not load its data yet, but whose own file has one way to do so. */
function onlyDeclared({ functions }: TolkBodies, calls: TolkCalls): string[] {
  const found = new TolkFlow(calls, functions).parsed('data', new Map(functions.map((one) => [one, true])));
  return found.length === 1 ? found : [];
}
