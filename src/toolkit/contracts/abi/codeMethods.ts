import { getMethodId } from '@ton/core';
import type { Cell } from '@ton/core';
import { readDictionary } from '../../cell/tokenContent';
import { WorkBudget } from '../../base/limits';
import { knownInterfaces } from './knownInterfaces';

/** A method in compiled code. */
export interface CodeMethod {
  id: number;
  /** The commonly used name with this id. */
  name?: string;
}

/** Names besides those of the well-known interfaces. */
const commonNames = [
  'get_id',
  'get_counter',
  'counter',
  'currentCounter',
  'owner',
  'get_owner',
  'balance',
  'get_balance',
  'get_data',
  'get_state',
  'get_version',
  'get_admin',
  'version',
  'stopped',
  'supported_interfaces',
  'get_static_data',
  'get_pool_data',
  'get_lp_data',
  'get_sale_data',
  'get_storage_data',
  'get_fix_price_data_v4',
  'get_expected_outputs',
  'list_nominators',
  'get_nominator_data',
  'get_public_keys',
  'lazy_deployment_completed',
  'get_abi_ipfs',
  'get_code_hash',
];

/** Ids that are made from names are at least this; compilers number other functions below. */
export const firstHashedId = 0x10000;

let names: ReadonlyMap<number, string> | undefined;

/** The commonly used name with this id. */
export function methodName(id: number): string | undefined {
  names ??= new Map(
    [...commonNames, ...knownInterfaces.flatMap(({ methods }) => methods.map(({ name }) => name))].map(
      (name) => [getMethodId(name), name],
    ),
  );
  return names.get(id);
}

/**
 * How compilers start a contract with get-methods: SETCP0, then DICTPUSHCONST of a dictionary with 19-bit keys, or as Tact
 * 1.6 does, PUSHCONT of eight bytes that begin with it.
 */
const dispatchers = ['FF00F4A413', 'FF008E88F4A413'];
const keyBits = 19;
/** Smaller ids belong to messages and to helpers that the code calls itself. */
const firstGetMethod = 1 << 16;
/** Keys are signed; from here on ids are negative. */
const firstNegative = 1 << (keyBits - 1);

/**
 * The get-methods in the dispatcher of a contract's code, by id; undefined if the code starts differently
 * (hand-written wallets, library cells), if its dictionary exceeds the limit `dictionaryCells`, or if it cannot be
 * read.
 */
export function codeMethods(code: Cell): CodeMethod[] | undefined {
  const bodies = methodBodies(code);
  return (
    bodies &&
    [...bodies.keys()]
      .filter((id) => id >= firstGetMethod && id < firstNegative)
      .map((id) => {
        const name = methodName(id);
        return name === undefined ? { id } : { id, name };
      })
  );
}

/** A method whose code differs between two codes of a contract. */
export interface ChangedMethod {
  /** Signed, as the VM is given it. */
  id: number;
  /** `changed`, or the code in which alone it is. */
  change: 'changed' | 'only in the first' | 'only in the second';
}

/**
 * The methods in which two codes differ, receivers and the code's own helpers included, by id; undefined if one of them
 * cannot be read by methods.
 */
export function changedMethods(first: Cell, second: Cell): ChangedMethod[] | undefined {
  const [one, other] = [methodBodies(first), methodBodies(second)];
  if (one === undefined || other === undefined) {
    return undefined;
  }
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((id) => one.get(id) !== other.get(id))
    .sort((a, b) => a - b)
    .map((key) => ({
      id: key >= firstNegative ? key - 2 * firstNegative : key,
      change: !other.has(key) ? 'only in the first' : !one.has(key) ? 'only in the second' : 'changed',
    }));
}

/** Hashes of the methods' code by their keys in the dispatcher; undefined as for {@link codeMethods}. */
function methodBodies(code: Cell): Map<number, string> | undefined {
  const [dictionary] = code.refs;
  const start = code.bits.toString();
  if (code.isExotic || dictionary === undefined || !dispatchers.some((one) => start.startsWith(one))) {
    return undefined;
  }
  try {
    const bodies = new Map<number, string>();
    readDictionary(dictionary, keyBits, new WorkBudget('dictionaryCells'), (key, value) => {
      bodies.set(Number(key), value.asCell().hash().toString('hex'));
    });
    return bodies;
  } catch {
    return undefined;
  }
}
