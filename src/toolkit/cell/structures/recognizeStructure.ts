import type { Boc } from '../boc';
import { chainSchema } from './chainSchema';
import { configParameters } from './configParameters';
import { hexOfBits, CellCursor } from './cellCursor';
import { readStructure } from './readStructure';
import type { ReadStructure, StructureField } from './structure';

/** Their tags have 32 bits: no other cell begins with them by chance. */
const evident = [
  'Block',
  'ShardState',
  'BlockInfo',
  'BlockExtra',
  'ValueFlow',
  'TopBlockDescrSet',
  'AccountStorageDictProof',
  'ConsensusExtraData',
];

/** Their tags are short, or missing: one that fits to the last bit is likely, not certain. */
const likely = [
  'McStateExtra',
  'McBlockExtra',
  'BlockProof',
  'TopBlockDescr',
  'ValidatorSet',
  'BlockSignatures',
  'GlobalVersion',
  'ConfigVotingSetup',
  'ConfigProposalSetup',
  'ConfigProposalStatus',
  'ValidatorComplaint',
  'ComplaintPricing',
  'BlockCreateFees',
  'GasLimitsPrices',
  'BlockLimits',
  'MsgForwardPrices',
  'CatchainConfig',
  'ConsensusConfig',
  'NewConsensusConfigAll',
  'SizeLimitsConfig',
  'PrecompiledContractsConfig',
  'ShardHashes',
  'ConfigParams',
  'ConfigDictionary',
  'OutMsgQueueInfo',
  'ShardAccounts',
];

/** A dictionary fits many cells: these types must have entries, and a configuration three parameters that it knows. */
const leastEntries: Readonly<Record<string, number>> = {
  ShardHashes: 1,
  ConfigParams: 3,
  ConfigDictionary: 3,
  OutMsgQueueInfo: 1,
  ShardAccounts: 1,
  NewConsensusConfigAll: 0,
};

/**
 * A cell that evidently is a structure of the blockchain: a block, a shard state, or another with a tag of 32 bits, and
 * every exotic cell. Undefined for others.
 */
export function evidentStructure(boc: Boc, cell: number): ReadStructure | undefined {
  if (boc.kind(cell) !== 'ordinary') {
    const [inner] = boc.references(cell);
    const type = inner === undefined ? undefined : (evidentType(boc, inner) ?? likelyType(boc, inner));
    return readStructure(boc, cell, type);
  }
  const type = evidentType(boc, cell);
  return type === undefined ? undefined : readStructure(boc, cell, type);
}

/**
 * A cell that fits a structure of the blockchain with a short tag to the last bit, such as a validator set, a block
 * proof, or a parameter of the configuration. Ask only after everything with better evidence. Undefined for others.
 */
export function likelyStructure(boc: Boc, cell: number): ReadStructure | undefined {
  const type = boc.kind(cell) === 'ordinary' ? likelyType(boc, cell) : undefined;
  return type === undefined ? undefined : readStructure(boc, cell, type);
}

function evidentType(boc: Boc, cell: number): string | undefined {
  if (boc.kind(cell) !== 'ordinary' || boc.bitLength(cell) < 32) {
    return undefined;
  }
  const start = new CellCursor(boc, { cell, parent: undefined, reference: 0 }).peek(32);
  const tag = `#${hexOfBits(start)}`;
  return evident.find((name) => {
    const definition = chainSchema().get(name);
    return definition !== undefined && 'constructors' in definition
      ? definition.constructors.some(({ tagText }) => tagText === tag)
      : false;
  });
}

function likelyType(boc: Boc, cell: number): string | undefined {
  return likely.find((name) => {
    const read = readStructure(boc, cell, name, { isTrial: true });
    return read.problems.length === 0 && read.fields > 1 && entriesOf(read.root) >= (leastEntries[name] ?? 0);
  });
}

/** Entries of the dictionary that a structure is about; of a configuration, the parameters that are known. */
function entriesOf({ value }: StructureField): number {
  if (value.kind === 'record') {
    return value.fields.reduce((most, field) => Math.max(most, entriesOf(field)), 0);
  }
  if (value.kind !== 'map') {
    return 0;
  }
  return value.isConfiguration
    ? value.entries.filter(({ key }) => configParameters.has(Number.parseInt(key, 2))).length
    : value.entries.length;
}

/**
 * The name in the schema that someone means: `Block`, `ConfigParam20`, `config param 20`, or `20`. Undefined if there is
 * none.
 */
export function schemaTypeNamed(text: string): string | undefined {
  const compact = text.replaceAll(/[\s_]/g, '');
  const wanted = /^\d+$/.test(compact) ? `ConfigParam${compact}` : compact;
  return [...chainSchema().keys()].find(
    (name) => name.localeCompare(wanted, 'en', { sensitivity: 'base' }) === 0,
  );
}
