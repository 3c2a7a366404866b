import { beginCell, Cell, Dictionary } from '@ton/core';
import { slimConfig } from '@ton/sandbox/dist/config/slimConfig';
import { loadFolded } from '../cell/loadFolded';
import { configCells } from './configCells';
import { normalizeParameter43 } from './normalizeParameter43';

/** A blockchain configuration, ready for the emulator. */
export interface NetworkConfig {
  /** What transactions run on: BoC of the dictionary's root, base64. Always this very string, see the emulator. */
  readonly base64: string;
  /**
   * What get-methods run on: the same, with an empty list in parameter 44 (suspended addresses, 10 KB), because the
   * emulator parses the whole configuration on each call (measured: 1.16 ms with the list, 0.7 ms without).
   */
  readonly getMethodBase64: string;
  /** Root of the dictionary. */
  readonly root: Cell;
  readonly parameters: ReadonlyMap<number, Cell>;
  /** Parameter 19: -239 main network, -3 test network. */
  readonly globalId: number;
  /** Parameter 8: the version of TVM and rules. */
  readonly version: number;
  /** For people: its origin. */
  readonly origin: string;
}

let builtIn: NetworkConfig | undefined;

/**
 * The package's small configuration with current public fees (emulator reference: config policy). It is read once,
 * because that takes tens of milliseconds.
 */
export function defaultNetworkConfig(): NetworkConfig {
  return (builtIn ??= readBuiltIn());
}

function readBuiltIn(): NetworkConfig {
  const parameters = readParameters(Cell.fromBase64(slimConfig));
  for (const [id, boc] of configCells) {
    parameters.set(id, Cell.fromBase64(boc));
  }
  return build(parameters, 'built in: fees and limits of the public network, mid-2026');
}

/** Those read last, the newest first. */
let lastRead: readonly { boc: string; config: NetworkConfig }[] = [];
/** Tests have a few that take turns. */
const mostKept = 4;

/**
 * The configuration of a real network, as returned by getConfigAll (BoC, base64). Throws if it is not one. Replays on
 * the same network read the same one: the last few are kept, with their very strings.
 */
export function importNetworkConfig(boc: string, origin: string): NetworkConfig {
  const known = lastRead.find((one) => one.boc === boc) ?? { boc, config: readConfig(boc, origin) };
  lastRead = [known, ...lastRead.filter((one) => one !== known)].slice(0, mostKept);
  return { ...known.config, origin };
}

function readConfig(boc: string, origin: string): NetworkConfig {
  const parameters = readParameters(Cell.fromBase64(boc));
  const limits = parameters.get(43);
  if (limits !== undefined) {
    parameters.set(43, normalizeParameter43(limits));
  }
  return build(parameters, origin);
}

function readParameters(root: Cell): Map<number, Cell> {
  return new Map(
    loadFolded(root, (slice) => slice.loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell())),
  );
}

/** The root of the dictionary that holds these parameters. */
export function writeParameters(parameters: ReadonlyMap<number, Cell>): Cell {
  const dictionary = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
  for (const [id, cell] of parameters) {
    dictionary.set(id, cell);
  }
  return beginCell().storeDictDirect(dictionary).endCell();
}

function build(parameters: Map<number, Cell>, origin: string): NetworkConfig {
  const root = writeParameters(parameters);
  const emptyList = beginCell().storeUint(0, 8).storeUint(0, 1).storeUint(0, 32).endCell();
  const small = parameters.has(44) ? writeParameters(new Map(parameters).set(44, emptyList)) : root;
  return {
    base64: root.toBoc().toString('base64'),
    getMethodBase64: small.toBoc().toString('base64'),
    root,
    parameters,
    globalId: parameters.get(19)?.beginParse().loadInt(32) ?? 0,
    version: parameters.get(8)?.beginParse().skip(8).loadUint(32) ?? 0,
    origin,
  };
}
