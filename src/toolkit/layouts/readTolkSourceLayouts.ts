import { readTolkTexts } from '../abi/readTolkSource';
import type { TolkText } from '../abi/readTolkSource';
import { SourceReadings } from '../abi/sourceReadings';
import { TypeResolver } from '../abi/typeResolver';
import type { LayoutSet, LayoutType } from './cellLayout';
import { TolkLayouts } from './tolkLayouts';

/**
 * How the structs of a Tolk source lie in cells, by the rules of the compiler's automatic packing. Types with
 * custom packing functions, and those that no cell can hold, are `unknown`.
 *
 * @param origin the file, as shown to the user
 * @param imported texts that declare types used here
 * @throws WorkbenchError `over-limit` (input)
 */
export function readTolkSourceLayouts(
  origin: string,
  contract: string | undefined,
  text: string,
  imported: readonly string[] = [],
): LayoutSet {
  const { all, find } = readTolkTexts(text, imported, new SourceReadings());
  const types = new TypeResolver(find);
  const layouts = new TolkLayouts();
  const layoutOf = (name: string): LayoutType =>
    layouts.layoutOf(types.resolve({ kind: 'named', name, arguments: [] }));
  for (const { declarations } of all) {
    for (const [name, { parameters, type }] of declarations) {
      if (type.kind === 'struct' && parameters.length === 0) {
        layoutOf(name);
      }
    }
  }
  const storage = new Set(
    all.flatMap((one) => readsFrom(one, ['fromCell', '(', 'contract', '.', 'getData'])),
  );
  const bodies = new Set(all.flatMap((one) => readsFrom(one, ['fromSlice', '(', 'in', '.', 'body'])));
  const received = new Set([...bodies].flatMap((name) => structsIn(layoutOf(name))));
  const structs = [...layouts.structs].map(
    ([key, layout]) =>
      [
        key,
        {
          ...layout,
          isStorage: storage.has(layout.name),
          // A source that parses its messages in some other way still declares their opcodes.
          isMessage: received.size > 0 ? received.has(key) : layout.prefix?.bits === 32,
        },
      ] as const,
  );
  return { origin, contract, structs: new Map(structs) };
}

/** The type names that the text follows with `call`, for example `.fromCell(contract.getData())`. */
function readsFrom({ tokens }: TolkText, call: readonly string[]): string[] {
  return tokens.flatMap(({ text: name }, place) =>
    tokens[place + 1]?.text === '.' && call.every((word, index) => tokens[place + 2 + index]?.text === word)
      ? [name]
      : [],
  );
}

/** The structs that a body of this type can be. */
function structsIn(type: LayoutType): string[] {
  const variants = type.kind === 'union' ? type.variants.map((variant) => variant.type) : [type];
  return variants.flatMap((variant) => (variant.kind === 'struct' ? [variant.key] : []));
}
