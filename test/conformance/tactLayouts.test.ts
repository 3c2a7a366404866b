import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Address, beginCell, Cell, contractAddress, Dictionary } from '@ton/core';
import type { TupleItem } from '@ton/core';
import { Blockchain } from '@ton/sandbox';
import * as fc from 'fast-check';
import { root } from '../../scripts/lib/root.mjs';
import type { TactFieldType } from '../../src/toolkit/contracts/abi/tactFieldType';
import { readBuiltContract } from '../../src/toolkit/build/readBuiltContract';
import type { LayoutSet, StructLayout } from '../../src/toolkit/contracts/layouts/layoutSet';
import { decodeByLayout } from '../../src/toolkit/contracts/layouts/decodeByLayout';
import { encodeByLayout } from '../../src/toolkit/contracts/layouts/encodeByLayout';
import { readTactLayouts } from '../../src/toolkit/contracts/layouts/readTactLayouts';
import { readTactSourceLayouts } from '../../src/toolkit/contracts/layouts/readTactSourceLayouts';
import { bodyToJson } from '../../src/toolkit/contracts/opcodes/bodyToJson';
import { buildTact, counterTemplate, storedBy } from './support/tactBindings';
import type { TactBuild } from './support/tactBindings';

/** A value as text, and as the argument of the compiler's wrapper. */
interface Sample {
  text: string;
  value: unknown;
}
interface Row {
  name: string;
  fields: { name: string; type: TactFieldType }[];
}

const address = new Address(0, Buffer.alloc(32, 7));
const sources: [name: string, contracts: readonly string[], read: () => Promise<string>][] = [
  ['fieldTypes.tact', ['Shelf', 'Sheet'], () => fixture('fieldTypes.tact')],
  ['jetton.tact (TEP-74)', ['JettonMinter', 'JettonWallet'], () => fixture('jetton.tact')],
  ['nft.tact (TEP-62)', ['NftCollection', 'NftItem'], () => fixture('nft.tact')],
  ["Blueprint's counter", ['Counter'], counterTemplate],
];

/** The compiler's wrapper uses half the bits for the lengths of these numbers that its contract does. */
const wrongInWrapper = 'Lengths';

function fixture(name: string): Promise<string> {
  return readFile(path.join(root, 'test/conformance/contracts', name), 'utf8');
}

describe('layouts of Tact sources, against the compiler itself', () => {
  for (const [title, contracts, read] of sources) {
    describe(title, () => {
      let source: string;
      let builds: Map<string, TactBuild>;
      before(async () => {
        source = await read();
        builds = await buildTact(source);
      });

      for (const contract of contracts) {
        const build = (): TactBuild => builds.get(contract) ?? assert.fail(contract);
        const setOf = (): LayoutSet => readTactSourceLayouts('source.tact', contract, source);

        it(`${contract}: has the structs, opcodes, and cells of the compiled package`, () => {
          const set = setOf();
          const compiled = readTactLayouts('build.pkg', build().package);
          assert.ok(set.structs.size > 1);
          for (const [name, layout] of set.structs) {
            assert.deepEqual(plain(layout), plain(compiled.structs.get(name) ?? assert.fail(name)), name);
          }
          const received = [...compiled.structs.values()].filter(({ isMessage }) => isMessage);
          received.forEach(({ name }) => assert.ok(set.structs.has(name), name));
          assert.ok(set.structs.has(`${contract}$Data`));
        });

        it(`${contract}: encodes like the compiler's wrapper, and decodes the result`, () => {
          const set = setOf();
          const { types } = JSON.parse(build().abi) as { types: Row[] };
          const rows = new Map(types.map((row) => [row.name, row]));
          for (const layout of set.structs.values()) {
            if (!layout.name.endsWith('$Data') && layout.name !== wrongInWrapper) {
              const samples = structSample(rows, layout.name);
              fc.assert(
                fc.property(samples, ({ text, value }) => {
                  const wanted = storedBy(build(), layout.name, value);
                  const made = encodeByLayout(text, layout, set);
                  assert.equal(made.toString(), wanted.toString());
                  const body = decodeByLayout(wanted, layout, set);
                  assert.deepEqual([body.broken, body.left], [false, { bits: 0, refs: 0 }]);
                }),
                { numRuns: 30 },
              );
            }
          }
        });
      }
    });
  }

  describe('the data of deployed contracts', () => {
    const deploy = async (
      { wrapper }: TactBuild,
      ...given: unknown[]
    ): Promise<{ data: Cell; run: (method: string, stack: TupleItem[]) => Promise<Cell> }> => {
      const { init } =
        (await Object.values(wrapper)
          .find(hasInit)
          ?.fromInit(...given)) ?? assert.fail();
      const blockchain = await Blockchain.create();
      const to = contractAddress(0, init);
      const sender = await blockchain.treasury('sender');
      await sender.send({ to, value: 1_000_000_000n, bounce: false, init, body: Cell.EMPTY });
      const { accountState: state } = await blockchain.getContract(to);
      assert.ok(state?.type === 'active');
      return {
        data: state.state.data ?? assert.fail('no data'),
        run: async (method, stack) =>
          (await blockchain.runGetMethod(to, method, stack)).stackReader.readCell(),
      };
    };
    const storage = (set: LayoutSet): StructLayout =>
      [...set.structs.values()].find(({ isStorage }) => isStorage) ?? assert.fail();

    it('is read by the source and by the package, with and without init', async () => {
      const source = await fixture('fieldTypes.tact');
      const builds = await buildTact(source);
      const cell = (value: number): string =>
        beginCell().storeUint(value, 8).endCell().toBoc().toString('base64');
      const expected: Record<string, [unknown[], unknown]> = {
        Shelf: [
          [address],
          {
            initialized: true,
            owner: address.toRawString(),
            count: '5',
            first: cell(1),
            second: cell(2),
            third: cell(3),
            point: { name: 'Point', fields: { x: '-1', isOn: true } },
          },
        ],
        Sheet: [[7n, -1n, 2n, 3n, 'a note'], { id: '7', a: '-1', b: '2', c: '3', note: 'a note' }],
      };
      for (const [name, [given, fields]] of Object.entries(expected)) {
        const build = builds.get(name);
        assert.ok(build);
        const { data } = await deploy(build, ...given);
        for (const set of [
          readTactSourceLayouts('source.tact', name, source),
          readTactLayouts('build.pkg', build.package),
        ]) {
          const body = decodeByLayout(data, storage(set), set);
          assert.equal(body.broken, false);
          assert.deepEqual(JSON.parse(JSON.stringify(bodyToJson(body).fields)), fields);
          assert.deepEqual(body.left, { bits: 0, refs: 0 });
        }
      }
    });

    it('includes fields that contracts pack themselves: numbers with a length', async () => {
      const source = await fixture('fieldTypes.tact');
      const { run } = await deploy((await buildTact(source)).get('Shelf') ?? assert.fail(), address);
      const set = readTactSourceLayouts('source.tact', 'Shelf', source);
      const layout = set.structs.get('Lengths') ?? assert.fail();
      for (const numbers of [
        [0n, 0n, 0n, 0n, null],
        [1n, 255n, -128n, -32768n, 0n],
        [(1n << 120n) - 1n, (1n << 248n) - 1n, -(1n << 119n), (1n << 247n) - 1n, 1n << 200n],
      ]) {
        const packed = await run(
          'packed',
          numbers.map((value) => (value === null ? { type: 'null' } : { type: 'int', value })),
        );
        const fields = layout.cells.flat().map(({ name }, place) => `${name}: ${numbers[place]}`);
        assert.equal(encodeByLayout(`{${fields.join(', ')}}`, layout, set).toString(), packed.toString());
        const values = decodeByLayout(packed, layout, set).fields.map(({ value }) =>
          value.type === 'int' || value.type === 'coins' ? value.value : null,
        );
        assert.deepEqual(values, numbers);
      }
    });

    it('belongs to code whose hash the package has', async () => {
      const builds = await buildTact(await counterTemplate());
      const build = builds.get('Counter');
      assert.ok(build);
      const { init } = (await Object.values(build.wrapper).find(hasInit)?.fromInit(1n, 2n)) ?? assert.fail();
      const { codeHash } = readBuiltContract(build.package, 'Counter.pkg');
      assert.equal(codeHash, init.code.hash().toString('hex'));
    });
  });
});

interface WithInit {
  fromInit: (...given: unknown[]) => Promise<{ init: { code: Cell; data: Cell } }>;
}

function hasInit(one: unknown): one is WithInit {
  return typeof (one as Partial<WithInit> | undefined)?.fromInit === 'function';
}

/** The layout without the parts that only a source has. */
function plain({ cells, ...layout }: StructLayout): unknown {
  return { ...layout, cells: cells.map((fields) => fields.map(({ name, type }) => ({ name, type }))) };
}

function structSample(rows: ReadonlyMap<string, Row>, name: string): fc.Arbitrary<Sample> {
  const row = rows.get(name) ?? assert.fail(name);
  const fields = row.fields.map((field) => fieldSample(rows, field.type));
  return fc.tuple(...fields).map((samples) => ({
    text: `{${samples.map(({ text }, place) => `${row.fields[place]!.name}: ${text}`).join(', ')}}`,
    value: {
      $$type: name,
      ...Object.fromEntries(samples.map(({ value }, place) => [row.fields[place]!.name, value])),
    },
  }));
}

function fieldSample(rows: ReadonlyMap<string, Row>, type: TactFieldType): fc.Arbitrary<Sample> {
  if (type.kind === 'dict') {
    const key = simpleSample(rows, { kind: 'simple', type: type.key, format: type.keyFormat });
    const value = simpleSample(rows, { kind: 'simple', type: type.value, format: type.valueFormat });
    const isSmall = typeof type.keyFormat === 'number' && type.keyFormat <= 32;
    const keyOf = (sample: Sample): never => (isSmall ? Number(sample.value) : sample.value) as never;
    return fc
      .uniqueArray(fc.tuple(key, value), { maxLength: 4, selector: ([{ text }]) => text })
      .map((entries) => {
        const dictionary = Dictionary.empty<never, unknown>();
        entries.forEach(([of, to]) => dictionary.set(keyOf(of), to.value));
        const text = entries.map(([of, to]) => `${of.text}: ${to.text}`).join(', ');
        return { text: `{${text}}`, value: dictionary };
      });
  }
  const none = { text: type.type === 'address' ? 'none' : 'null', value: null };
  const sample = simpleSample(rows, type);
  return type.optional === true ? fc.oneof(fc.constant(none), sample) : sample;
}

const someCell = fc.tuple(fc.uint8Array({ maxLength: 20 }), fc.boolean()).map(([bytes, hasReference]) => {
  const builder = beginCell().storeBuffer(Buffer.from(bytes));
  return (hasReference ? builder.storeRef(beginCell().storeBit(true)) : builder).endCell();
});

function simpleSample(
  rows: ReadonlyMap<string, Row>,
  { type = '', format }: TactFieldType,
): fc.Arbitrary<Sample> {
  const number = (min: bigint, max: bigint): fc.Arbitrary<Sample> =>
    fc.bigInt(min, max).map((value) => ({ text: value.toString(), value }));
  const signed = (bits: number): fc.Arbitrary<Sample> =>
    number(-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n);
  const unsigned = (bits: number): fc.Arbitrary<Sample> => number(0n, (1n << BigInt(bits)) - 1n);
  switch (type) {
    case 'int':
      return signed(format === 'varint16' ? 120 : format === 'varint32' ? 248 : Number(format ?? 257));
    case 'uint':
      return unsigned(
        format === 'coins' || format === 'varuint16'
          ? 120
          : format === 'varuint32'
            ? 248
            : Number(format ?? 256),
      );
    case 'bool':
      return fc.boolean().map((value) => ({ text: String(value), value }));
    case 'address':
      return fc.uint8Array({ minLength: 32, maxLength: 32 }).map((hash) => {
        const value = new Address(0, Buffer.from(hash));
        return { text: value.toRawString(), value };
      });
    case 'cell':
    case 'slice':
    case 'builder':
      return someCell.map((cell) => ({
        text: cell.toBoc().toString('hex'),
        value: type === 'cell' ? cell : type === 'slice' ? cell.beginParse() : cell.asBuilder(),
      }));
    case 'string':
      return fc
        .string({ unit: 'grapheme', maxLength: 200 })
        .filter((text) => !/["\\\p{Cc}]/u.test(text))
        .map((value) => ({ text: `"${value}"`, value }));
    case 'fixed-bytes':
      return fc
        .uint8Array({ minLength: Number(format), maxLength: Number(format) })
        .map((bytes) => ({ text: `x{${Buffer.from(bytes).toString('hex')}}`, value: Buffer.from(bytes) }));
    default:
      return structSample(rows, type);
  }
}
