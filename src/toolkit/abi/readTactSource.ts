import type { GetMethodSignature } from './getMethodSignature';
import { TypeResolver } from './typeResolver';
import { limits } from '../limits';
import { SourceReadings } from './sourceReadings';
import { tactArgument, tactResult } from './tactStackType';
import { tactStandardLibrary } from './tactStandardLibrary';
import { TactReader } from './tactReader';
import type { TactUnit } from './tactReader';

/**
 * The getters that a Tact text declares, contract by contract, with those of the traits of the standard library and
 * of those whose text is given. A text with only traits yields the traits' getters.
 *
 * @param imported texts that declare types and traits used here
 */
export function readTactSource(
  text: string,
  imported: readonly string[] = [],
  readings = new SourceReadings(),
): GetMethodSignature[] {
  const { own, all: readers } = readTactTexts(text, imported, readings);
  const types = new TypeResolver((name) =>
    readers.find(({ declarations }) => declarations.has(name))?.declarations.get(name),
  );
  const unitNamed = (name: string): TactUnit | undefined =>
    readers.find(({ units }) => units.has(name))?.units.get(name);
  const ownUnits = new Set(own.units.values());
  const contracts = [...ownUnits].filter(({ isContract }) => isContract);
  const methods: GetMethodSignature[] = [];
  for (const unit of contracts.length > 0 ? contracts : ownUnits) {
    for (const getter of gettersOf(unit, unitNamed, ownUnits)) {
      if (methods.length === limits.sourceMethods.most) {
        return methods;
      }
      methods.push({
        ...getter,
        contract: unit.name,
        parameters: getter.parameters.map(({ name, type }) => ({
          name,
          type: tactArgument(types.resolve(type)),
        })),
        result: tactResult(types.resolve(getter.result)),
      });
    }
  }
  return methods;
}

/**
 * A Tact text with its imports and the standard library, in the order in which names are looked up.
 *
 * @param readings caches parsed texts
 */
export function readTactTexts(
  text: string,
  imported: readonly string[],
  readings: SourceReadings,
): { own: TactReader; all: readonly TactReader[] } {
  const read = (one: string): TactReader =>
    readings.of('tact', one, () => {
      const reader = new TactReader(one);
      reader.readAll();
      return reader;
    });
  const own = read(text);
  return { own, all: [own, ...imported.map(read).reverse(), read(tactStandardLibrary)] };
}

/** A contract has only a handful of traits, inherited ones included. */
const mostTraits = 200;

/** A unit's getters, its own before inherited ones; offsets are kept only if they point into the text itself. */
function gettersOf(
  unit: TactUnit,
  unitNamed: (name: string) => TactUnit | undefined,
  ownUnits: ReadonlySet<TactUnit>,
): GetMethodSignature[] {
  const getters = new Map<string, GetMethodSignature>();
  const seen = new Set<string>();
  const visit = (current: TactUnit): void => {
    if (seen.has(current.name) || seen.size === mostTraits) {
      return;
    }
    seen.add(current.name);
    for (const getter of current.getters) {
      if (!getters.has(getter.name)) {
        const { offset: _, ...elsewhere } = getter;
        getters.set(getter.name, ownUnits.has(current) ? getter : elsewhere);
      }
    }
    for (const trait of current.traits) {
      const inherited = unitNamed(trait);
      if (inherited !== undefined) {
        visit(inherited);
      }
    }
  };
  visit(unit);
  return [...getters.values()];
}
