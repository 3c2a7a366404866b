import { readTolkTexts } from '../abi/readTolkSource';
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
  const { all, find, uses } = readTolkTexts(text, imported, new SourceReadings());
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
  const used = uses();
  const structsOf = (names: readonly string[]): Set<string> =>
    new Set(names.flatMap((name) => structsIn(layoutOf(name))));
  const storage = structsOf(used.storage);
  const deployed = structsOf(used.deployed);
  const received = structsOf(used.received);
  const structs = [...layouts.structs].map(
    ([key, layout]) =>
      [
        key,
        {
          ...layout,
          isStorage: storage.has(key),
          ...(deployed.has(key) && used.storage.length > 1 ? { isDeployed: true as const } : {}),
          // A source that parses its messages in some other way still declares their opcodes.
          isMessage: received.size > 0 ? received.has(key) : layout.prefix?.bits === 32,
        },
      ] as const,
  );
  return { origin, contract, structs: new Map(structs) };
}

/** The structs that a body of this type can be. */
function structsIn(type: LayoutType): string[] {
  const variants = type.kind === 'union' ? type.variants.map((variant) => variant.type) : [type];
  return variants.flatMap((variant) => (variant.kind === 'struct' ? [variant.key] : []));
}
