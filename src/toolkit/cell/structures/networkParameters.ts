import type { Boc } from '../boc';
import type { ConfigParameter } from './configParameters';
import { configParameters } from './configParameters';
import { readStructure } from './readStructure';
import type { ReadStructure, StructureField, StructureValue } from './structure';
import { flatFields } from './structure';
import { keyText, leafText } from './structureText';

/** A parameter of a network's configuration as it is there. */
export interface NetworkParameter {
  id: number;
  /** Undefined: block.tlb does not describe it. */
  known: ConfigParameter | undefined;
  field: StructureField;
}

/** A network's configuration. */
export interface NetworkParameters {
  read: ReadStructure;
  /** By number, negative ones last. */
  parameters: readonly NetworkParameter[];
}

/**
 * Reads a configuration: the dictionary that `getConfigAll` answers with. What does not fit is in `read.problems`;
 * undefined if the cell is no such dictionary at all.
 */
export function readNetworkParameters(boc: Boc): NetworkParameters | undefined {
  const read = readStructure(boc, boc.roots[0] ?? 0, 'ConfigDictionary');
  const { value } = read.root;
  if (value.kind !== 'map' || value.entries.length === 0) {
    return undefined;
  }
  const parameters = value.entries
    .map(({ key, field }) => ({ id: Number(keyText(key, true)), field }))
    .map(({ id, field }) => ({ id, field: { ...field, name: String(id) }, known: configParameters.get(id) }))
    .sort((a, b) => Number(a.id < 0) - Number(b.id < 0) || Math.abs(a.id) - Math.abs(b.id));
  return { read, parameters };
}

/** How one parameter differs between two configurations. */
export interface ParameterDifference {
  id: number;
  known: ConfigParameter | undefined;
  change: 'added' | 'removed' | 'changed';
  /** The values that differ, by the names of the fields on the way: `other.gas_price`. Undefined: not there. */
  fields: { path: string; left: string | undefined; right: string | undefined }[];
}

/** What differs from one configuration to another: parameters whose cells are equal are left out. */
export function compareParameters(left: NetworkParameters, right: NetworkParameters): ParameterDifference[] {
  const [before, after] = [byId(left), byId(right)];
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  return ids.flatMap((id): ParameterDifference[] => {
    const [one, other] = [before.get(id), after.get(id)];
    const known = configParameters.get(id);
    if (one === undefined || other === undefined) {
      return [{ id, known, change: one === undefined ? 'added' : 'removed', fields: [] }];
    }
    if (hashOf(left, one) === hashOf(right, other)) {
      return [];
    }
    const [leaves, others] = [leavesOf(left, one), leavesOf(right, other)];
    const fields = [...new Set([...leaves.keys(), ...others.keys()])]
      .map((path) => ({ path, left: leaves.get(path), right: others.get(path) }))
      .filter((field) => field.left !== field.right);
    return [{ id, known, change: 'changed', fields }];
  });
}

function byId({ parameters }: NetworkParameters): Map<number, NetworkParameter> {
  return new Map(parameters.map((one) => [one.id, one]));
}

function hashOf({ read }: NetworkParameters, { field }: NetworkParameter): string {
  return read.boc.hashHex(field.place.at.cell);
}

/** Every value without parts, as text, by its path. */
function leavesOf({ read }: NetworkParameters, { field }: NetworkParameter): Map<string, string> {
  const leaves = new Map<string, string>();
  const add = (path: string, value: StructureValue): void => {
    const below = (name: string, one: StructureField): void =>
      add(path === '' ? name : `${path}.${name}`, one.value);
    switch (value.kind) {
      case 'record':
        if (value.tagText !== '') {
          leaves.set(path === '' ? 'form' : `${path}.form`, `${value.name} ${value.tagText}`);
        }
        flatFields(value.fields).forEach((one) => below(one.name, one));
        return;
      case 'group':
        flatFields(value.fields).forEach((one) => below(one.name, one));
        return;
      case 'map':
        value.entries.forEach((one) => below(keyText(one.key, value.key.isSigned), one.field));
        value.branches.forEach((one) => below(`keys ${one.prefix}`, one.field));
        return;
      case 'cell':
        leaves.set(path === '' ? 'cell' : path, `cell ${read.boc.hashHex(value.cell)}`);
        return;
      default:
        leaves.set(
          path,
          leafText(value, {}, (cell) => read.boc.hashHex(cell)),
        );
    }
  };
  add('', field.value);
  return leaves;
}
