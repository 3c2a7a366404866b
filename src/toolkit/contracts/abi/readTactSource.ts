import { limits } from '../../base/limits';
import type { AbiType } from './abiType';
import type { GetMethodSignature } from './getMethodSignature';
import { SourceReadings } from './sourceLanguage';
import type { TactUnit } from './tactReader';
import { TactReader } from './tactReader';
import { TypeResolver } from './typeResolver';

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

/**
 * The parts of Tact's standard library that appear in get-method signatures and messages: the traits of
 * @stdlib/ownable,
 * @stdlib/stoppable, @stdlib/deploy and @stdlib/dns with their getters and messages, and the structs known
 * without an import (Tact 1.6). Its files come with the compiler and are rarely part of a project.
 */
const tactStandardLibrary = `
struct StdAddress { workchain: Int as int8; address: Int as uint256 }
struct VarAddress { workchain: Int as int32; address: Slice }
struct BasechainAddress { hash: Int? }
struct DataSize { cells: Int; bits: Int; refs: Int }
struct Context { bounceable: Bool; sender: Address; value: Int; raw: Slice }
struct StateInit { code: Cell; data: Cell }
struct SignedBundle { signature: Slice as bytes64; signedData: Slice as remaining }
struct SendParameters { mode: Int; body: Cell?; code: Cell?; data: Cell?; value: Int; to: Address; bounce: Bool }
struct MessageParameters { mode: Int; body: Cell?; value: Int; to: Address; bounce: Bool }
struct DeployParameters { mode: Int; body: Cell?; value: Int; bounce: Bool; init: StateInit }
struct DNSResolveResult { prefix: Int; record: Cell? }
message(0x946a98b6) Deploy { queryId: Int as uint64 }
message(0xaff90f57) DeployOk { queryId: Int as uint64 }
message(0x6d0ff13b) FactoryDeploy { queryId: Int as uint64; cashback: Address }
message(0x819dbe99) ChangeOwner { queryId: Int as uint64; newOwner: Address }
message(0x327b2b4a) ChangeOwnerOk { queryId: Int as uint64; newOwner: Address }
trait Deployable { receive(deploy: Deploy) {} }
trait FactoryDeployable { receive(deploy: FactoryDeploy) {} }
trait Ownable { get fun owner(): Address {} }
trait OwnableTransferable with Ownable { receive(msg: ChangeOwner) {} }
trait Stoppable with Ownable { get fun stopped(): Bool {} }
trait Resumable with Stoppable {}
trait DNSResolver { get fun dnsresolve(subdomain: Slice, category: Int): DNSResolveResult {} }
`;

const asArguments = new WeakMap<AbiType, AbiType>();

/** A type as Tact takes it as an argument: each struct is one TVM tuple, those within it, too. */
export function tactArgument(type: AbiType): AbiType {
  const result = asArguments.get(type) ?? withTuples(type);
  asArguments.set(type, result);
  return result;
}

function withTuples(type: AbiType): AbiType {
  if (type.kind === 'struct') {
    return { ...type, asTuple: true, fields: fieldsAs(type, tactArgument) };
  }
  return type.kind === 'nullable' ? { ...type, inner: tactArgument(type.inner) } : type;
}

/**
 * A type as Tact returns it. The entries of a struct follow one another, those of structs within it, too; an optional
 * struct is the same tuple as an argument.
 */
export function tactResult(type: AbiType): AbiType {
  return type.kind === 'nullable' ? tactArgument(type) : tactValue(type);
}

/** As Tact has it in a variable: an optional struct is one tuple of all entries. */
function tactValue(type: AbiType): AbiType {
  if (type.kind === 'struct') {
    return { ...type, fields: fieldsAs(type, tactValue) };
  }
  return type.kind === 'nullable' && type.inner.kind === 'struct'
    ? { ...type, inner: { ...type.inner, asTuple: true, fields: fieldsAs(type.inner, tactValue) } }
    : type;
}

type Struct = Extract<AbiType, { kind: 'struct' }>;

function fieldsAs({ fields }: Struct, as: (type: AbiType) => AbiType): Struct['fields'] {
  return fields.map((field) => ({ ...field, type: as(field.type) }));
}
