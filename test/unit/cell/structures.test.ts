import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Cell } from '@ton/core';
import {
  Cell as CoreCell,
  Dictionary,
  beginCell,
  convertToMerkleProof,
  loadShardStateUnsplit,
  storeTransaction,
} from '@ton/core';
import { defaultConfig } from '@ton/sandbox/dist/config/defaultConfig';
import assert from 'node:assert/strict';
import type { Boc } from '../../../src/toolkit/cell/boc';
import { fromCoreCell, readBoc } from '../../../src/toolkit/cell/readBoc';
import { toCoreCell } from '../../../src/toolkit/cell/toCoreCell';
import { chainSchema } from '../../../src/toolkit/cell/structures/chainSchema';
import { configParameters } from '../../../src/toolkit/cell/structures/configParameters';
import {
  compareParameters,
  readNetworkParameters,
} from '../../../src/toolkit/cell/structures/networkParameters';
import { readStructure } from '../../../src/toolkit/cell/structures/readStructure';
import { evidentStructure, likelyStructure } from '../../../src/toolkit/cell/structures/recognizeStructure';
import type { ReadStructure } from '../../../src/toolkit/cell/structures/structure';
import type { StructureFieldJson } from '../../../src/toolkit/cell/structures/structureJson';
import {
  fieldToJson,
  structureSchema,
  structureToJson,
} from '../../../src/toolkit/cell/structures/structureJson';
import { structureLines } from '../../../src/toolkit/cell/structures/structureText';
import { describeBoc } from '../../../src/toolkit/contracts/opcodes/describeBoc';
import { dictionaryBomb, quickly } from '../../support/hostile';
import { referenceFolder } from '../../support/referenceFolder';
import { library, pruned, randomCell } from './support/randomCell';
import { randomNumbers } from './support/randomNumbers';
import { sampleTransaction } from './support/sampleTransaction';
import { writeStructure } from './support/writeStructure';

const blocks = path.join(referenceFolder, 'blocks');

function recorded(name: string): Boc {
  return readBoc(readFileSync(path.join(blocks, name)));
}

function read(cell: Cell, type: string): ReadStructure {
  return readStructure(fromCoreCell(cell), 0, type);
}

/** Read to the last bit, and written back from the values alone. */
function assertWhole(structure: ReadStructure, hash: string, what: string): void {
  assert.deepEqual(
    structure.problems.map(({ reason }) => reason),
    [],
    what,
  );
  assert.equal(writeStructure(structure).hash().toString('hex'), hash, what);
}

/** The value of the field that is reached by these names. */
function valueAt(
  { root, ...structure }: ReadStructure,
  ...names: string[]
): string | boolean | null | undefined {
  let field: StructureFieldJson | undefined = fieldToJson({ root, ...structure }, root);
  for (const name of names) {
    field = (field?.fields ?? field?.entries)?.find((one) => one.name === name);
  }
  return field?.value;
}

describe('structures of the blockchain', () => {
  it('reads every parameter of a recorded configuration of the main network to the last bit', () => {
    const boc = fromCoreCell(CoreCell.fromBase64(defaultConfig));
    const config = readNetworkParameters(boc)!;
    assertWhole(config.read, boc.hashHex(0), 'the whole dictionary');
    const known = config.parameters.filter(({ id }) => configParameters.has(id));
    assert.ok(known.length >= 35, `${known.length} are known`);
    for (const { id, field } of known) {
      const { cell } = field.place.at;
      assertWhole(readStructure(boc, cell, `ConfigParam${id}`), boc.hashHex(cell), `parameter ${id}`);
    }
    assert.equal(valueAt(config.read, '19', 'global_id'), '-239');
    assert.equal(valueAt(config.read, '21', 'other', 'gas_price'), '26214400');
    // What block.tlb does not name stays a cell.
    const unknown = config.parameters.filter(({ id }) => !configParameters.has(id));
    assert.ok(unknown.every(({ field }) => field.value.kind === 'cell'));
  });

  for (const name of readdirSync(blocks).filter((one) => one.endsWith('.boc'))) {
    it(`reads ${name} to the last bit, and says what it is`, () => {
      const boc = recorded(name);
      const structure = evidentStructure(boc, boc.roots[0]!)!;
      assert.equal(structure.type, name.includes('state') ? 'ShardState' : 'Block');
      assertWhole(structure, boc.hashHex(boc.roots[0]!), name);
      const [seqno = ''] = /\d+/.exec(name) ?? [];
      const head = name.includes('state') ? ['virtual_root'] : ['info'];
      assert.equal(valueAt(structure, ...head, 'seq_no'), seqno);
      structureSchema.parse(structureToJson(structure, true));
    });
  }

  it('reads a shard state as @ton/core does', () => {
    const boc = recorded('master-state-33651872.boc');
    const structure = evidentStructure(boc, 0)!;
    const theirs = loadShardStateUnsplit(toCoreCell(boc, 0).refs[0]!.asSlice());
    const at = (...names: string[]): unknown => valueAt(structure, 'virtual_root', ...names);
    assert.equal(at('global_id'), String(theirs.globalId));
    assert.equal(at('gen_utime'), String(theirs.genUtime));
    assert.equal(at('gen_lt'), String(theirs.genLt));
    assert.equal(at('min_ref_mc_seqno'), String(theirs.minRefMcSeqno));
    assert.equal(at('shard_id', 'workchain_id'), String(theirs.shardId.workchainId));
  });

  it('reads a transaction as @ton/core writes it', () => {
    const cell = beginCell().store(storeTransaction(sampleTransaction)).endCell();
    const structure = read(cell, 'Transaction');
    assertWhole(structure, cell.hash().toString('hex'), 'transaction');
    assert.equal(valueAt(structure, 'now'), '1700000000');
    assert.equal(valueAt(structure, 'in_msg', 'info', 'dest'), `0:${'02'.repeat(32)}`);
  });

  it('reads unusual addresses part by part, and writes them back', () => {
    const head = beginCell().storeUint(0b10, 2).storeUint(0b01, 2).storeUint(5, 9).storeUint(0b10110, 5);
    const anycast = head
      .storeUint(0b101, 3)
      .storeUint(3, 5)
      .storeUint(0b110, 3)
      .storeInt(-1, 8)
      .storeUint(9, 256);
    const cell = anycast.storeCoins(0n).storeUint(0, 2).endCell();
    const structure = read(cell, 'Message');
    assertWhole(structure, cell.hash().toString('hex'), 'message');
    assert.equal(valueAt(structure, 'info', 'src', 'address'), 'b0');
    assert.equal(valueAt(structure, 'info', 'dest', 'rewrite_pfx'), 'c');
    assert.equal(valueAt(structure, 'info', 'dest', 'workchain_id'), '-1');
  });

  it('reads a validator set, a block proof, and an out-message queue made by hand', () => {
    const set = validatorSet(3);
    const likely = likelyStructure(fromCoreCell(set), 0)!;
    assert.equal(likely.type, 'ValidatorSet');
    assertWhole(likely, set.hash().toString('hex'), 'validator set');
    assert.equal(valueAt(likely, 'list', '2', 'weight'), '1002');

    const signature = beginCell().storeUint(7, 256).storeUint(5, 4).storeUint(1, 256).storeUint(2, 256);
    const pairs = Dictionary.empty(Dictionary.Keys.Uint(16), {
      serialize: storeAny,
      parse: (slice) => slice.asCell(),
    });
    pairs.set(0, signature.endCell());
    const signatures = beginCell().storeUint(0x11, 8).storeUint(9, 32).storeUint(8, 32).storeUint(1, 32);
    const proof = beginCell()
      .storeUint(0xc3, 8)
      .storeUint(0, 8)
      .storeInt(-1, 32)
      .storeUint(1n << 63n, 64)
      .storeUint(77, 32)
      .storeUint(3, 256)
      .storeUint(4, 256)
      .storeRef(convertToMerkleProof(beginCell().storeUint(1, 8).endCell()))
      .storeMaybeRef(signatures.storeUint(1000, 64).storeDict(pairs).endCell())
      .endCell();
    const proved = likelyStructure(fromCoreCell(proof), 0)!;
    assert.equal(proved.type, 'BlockProof');
    assertWhole(proved, proof.hash().toString('hex'), 'block proof');
    assert.equal(valueAt(proved, 'proof_for', 'seq_no'), '77');
    assert.equal(valueAt(proved, 'signatures', 'signatures', '0', 'node_id_short'), '7'.padStart(64, '0'));

    const queue = outQueue();
    const queued = read(queue, 'OutMsgQueueInfo');
    assertWhole(queued, queue.hash().toString('hex'), 'out-message queue');
    assert.equal(likelyStructure(fromCoreCell(queue), 0)?.type, 'OutMsgQueueInfo');
  });

  it('reads exotic cells: what they stand for, and where', () => {
    const random = randomNumbers(3);
    const stub = evidentStructure(fromCoreCell(pruned(random, 1)), 0)!;
    assert.match(
      structureLines(stub).join('\n'),
      /pruned_branch #01[^]*hash_1 +[0-9a-f]{64}[^]*1 pruned branch/,
    );
    const shelf = evidentStructure(fromCoreCell(library(random)), 0)!;
    assert.match(structureLines(shelf).join('\n'), /library #02\n +hash +[0-9a-f]{64}/);
    const proof = convertToMerkleProof(beginCell().storeUint(5, 9).endCell());
    const text = describeBoc(fromCoreCell(proof)).text;
    assert.match(text, /exotic cell {2}block.tlb[^]*virtual_root +cell #1, /);
  });

  it('gives each field its cell and its bits', () => {
    const boc = recorded('shard-4168601.boc');
    const info = fieldToJson(readStructure(boc, 0, 'Block'), readStructure(boc, 0, 'Block').root).fields?.[1];
    const seqno = info?.fields?.find(({ name }) => name === 'seq_no');
    assert.deepEqual(seqno?.place, { cell: boc.reference(0, 0), path: '0', bits: [80, 112] });
    const { text } = describeBoc(boc);
    assert.ok(
      text.includes(`seq_no                         4168601  #${boc.reference(0, 0)}[80..112]`),
      text,
    );
  });
});

describe('what does not fit the structures of the blockchain', () => {
  it('is named with its place: unknown forms, values out of range, bits left over', () => {
    const reasons = (cell: Cell, type: string): string[] =>
      read(cell, type).problems.map(({ place, reason }) => `${place.from}: ${reason}`);
    const one = beginCell().storeUint(0xd4, 8).storeUint(0, 64).endCell();
    assert.deepEqual(reasons(one, 'GasLimitsPrices'), ['0: no form of GasLimitsPrices begins with #d4']);
    const version = beginCell().storeUint(0xc4, 8).storeUint(9, 32).storeUint(0, 64);
    assert.deepEqual(reasons(version.endCell(), 'GlobalVersion'), []);
    const longer = beginCell().storeUint(0xc4, 8).storeUint(9, 32).storeUint(0, 70).endCell();
    assert.deepEqual(reasons(longer, 'GlobalVersion'), ['104: 6 bits and 0 references left over']);
    const shorter = beginCell().storeUint(0xc4, 8).storeUint(9, 32).storeUint(0, 60).endCell();
    assert.deepEqual(reasons(shorter, 'GlobalVersion'), ['40: 64 bits expected, 60 left']);
    const sizes = beginCell().storeUint(10, 16).storeUint(11, 16).storeUint(1, 16).endCell();
    assert.deepEqual(reasons(sizes, 'ConfigParam16'), [
      '16: max_main_validators is 11, more than max_validators allows',
    ]);
  });

  it('ends within bounds: cut cells, other tags, and random cells of every kind', () => {
    const random = randomNumbers(40);
    const originals = [
      [CoreCell.fromBase64(defaultConfig), 'ConfigDictionary'],
      [toCoreCell(recorded('shard-4168601.boc'), 0), 'Block'],
    ] as const;
    for (const [cell, type] of originals) {
      for (let round = 0; round < 10; round++) {
        const broken = damaged(cell, random);
        const structure = quickly(() => read(broken, type));
        if (!broken.hash().equals(cell.hash())) {
          structureLines(structure);
          structureToJson(structure, true);
        }
      }
    }
    const types = [...chainSchema().keys()];
    for (let round = 0; round < 100; round++) {
      const boc = fromCoreCell(randomCell(random, 8));
      const type = types[round % types.length]!;
      structureLines(quickly(() => readStructure(boc, 0, type)));
    }
  });

  it('ends within bounds: dictionaries that unfold without end, and structures inside one another', () => {
    const bomb = beginCell().storeBit(true).storeRef(dictionaryBomb(256, 200)).storeUint(0, 32).endCell();
    const { problems, fields } = quickly(() => read(bomb, 'ConfigParam31'), 6_000);
    assert.ok(fields <= 200_400, String(fields));
    assert.match(
      problems.map(({ reason }) => reason).join('\n'),
      /more than 200,000 fields; the rest is not read/,
    );
    let prices = beginCell().storeUint(0, 1).endCell();
    for (let depth = 0; depth < 900; depth++) {
      prices = beginCell().storeUint(1, 1).storeRef(prices).storeRef(prices).endCell();
    }
    const tree = beginCell()
      .storeUint(1, 1)
      .storeRef(beginCell().storeUint(2, 2).storeUint(32, 6).storeUint(0, 32).storeRef(prices).endCell());
    const deep = quickly(() => read(tree.endCell(), 'ShardHashes'));
    assert.match(
      deep.problems.map(({ reason }) => reason).join('\n'),
      /more than 100 structures inside one another/,
    );
  });

  it('is not recognized: a contract data cell with a short tag that does not fit to the last bit', () => {
    const data = beginCell().storeUint(0xc4, 8).storeUint(1, 100).endCell();
    assert.equal(likelyStructure(fromCoreCell(data), 0), undefined);
    assert.equal(likelyStructure(fromCoreCell(beginCell().endCell()), 0), undefined);
    assert.equal(evidentStructure(fromCoreCell(data), 0), undefined);
  });
});

describe('differences of two configurations', () => {
  it('are named by parameter and field', () => {
    const cells = CoreCell.fromBase64(defaultConfig)
      .beginParse()
      .loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell());
    const left = configuration(cells);
    cells.set(8, beginCell().storeUint(0xc4, 8).storeUint(99, 32).storeUint(0x1ee, 64).endCell());
    cells.delete(45);
    cells.set(-77, beginCell().storeUint(1, 8).endCell());
    const differences = compareParameters(left, configuration(cells));
    assert.deepEqual(
      differences.map(({ id, change }) => [id, change]),
      [
        [8, 'changed'],
        [45, 'removed'],
        [-77, 'added'],
      ],
    );
    assert.deepEqual(differences[0]?.fields, [{ path: 'version', left: '12', right: '99' }]);
    assert.deepEqual(compareParameters(left, left), []);
  });
});

function configuration(
  cells: Dictionary<number, Cell>,
): NonNullable<ReturnType<typeof readNetworkParameters>> {
  return readNetworkParameters(fromCoreCell(beginCell().storeDictDirect(cells).endCell()))!;
}

function storeAny(cell: Cell, builder: ReturnType<typeof beginCell>): void {
  builder.storeSlice(cell.beginParse());
}

function validatorSet(count: number): Cell {
  const list = Dictionary.empty(Dictionary.Keys.Uint(16), {
    serialize: storeAny,
    parse: (slice) => slice.asCell(),
  });
  for (let index = 0; index < count; index++) {
    const descr = beginCell().storeUint(0x73, 8).storeUint(0x8e81278a, 32).storeUint(index, 256);
    list.set(
      index,
      descr
        .storeUint(1000 + index, 64)
        .storeUint(index, 256)
        .endCell(),
    );
  }
  return beginCell()
    .storeUint(0x12, 8)
    .storeUint(1_700_000_000, 32)
    .storeUint(1_700_065_536, 32)
    .storeUint(count, 16)
    .storeUint(1, 16)
    .storeUint(3003, 64)
    .storeDict(list)
    .endCell();
}

/** One message in the queue: a dictionary with sums, which @ton/core cannot write. */
function outQueue(): Cell {
  const internal = beginCell().storeUint(0b0100, 4).storeUint(0b100, 3).storeInt(0, 8).storeUint(1, 256);
  const message = internal
    .storeUint(0b100, 3)
    .storeInt(0, 8)
    .storeUint(2, 256)
    .storeCoins(5n)
    .storeBit(false)
    .storeCoins(0n)
    .storeCoins(1n)
    .storeUint(99, 64)
    .storeUint(1_700_000_000, 32)
    .storeUint(0, 2)
    .endCell();
  const envelope = beginCell()
    .storeUint(4, 4)
    .storeUint(96, 8)
    .storeUint(96, 8)
    .storeCoins(1n)
    .storeRef(message);
  // hml_long: 352 bits of key in 9 bits of length; then the sum, and the message with its time.
  const leaf = beginCell().storeUint(0b10, 2).storeUint(352, 9).storeUint(123, 352);
  const root = leaf.storeUint(99, 64).storeUint(99, 64).storeRef(envelope.endCell()).endCell();
  return beginCell().storeBit(true).storeRef(root).storeUint(99, 64).storeUint(0, 2).endCell();
}

/** The same tree with one cell cut short, or with one bit or reference changed. */
function damaged(cell: Cell, random: (limit: number) => number): Cell {
  const path: number[] = [];
  let at = cell;
  while (at.refs.length > 0 && random(6) > 0) {
    const index = random(at.refs.length);
    path.push(index);
    at = at.refs[index]!;
  }
  const change = (target: Cell, left: readonly number[]): Cell => {
    const [next, ...rest] = left;
    const builder = beginCell();
    if (next !== undefined && !target.isExotic) {
      builder.storeBits(target.bits);
      target.refs.forEach((ref, index) => builder.storeRef(index === next ? change(ref, rest) : ref));
      return builder.endCell();
    }
    if (target.isExotic) {
      return beginCell().storeUint(random(256), 8).endCell();
    }
    builder.storeBits(target.bits.substring(0, random(target.bits.length + 1)));
    target.refs.slice(0, random(target.refs.length + 1)).forEach((ref) => builder.storeRef(ref));
    return builder.endCell();
  };
  return path.length === 0 && cell.isExotic ? cell : change(cell, path);
}
