import assert from 'node:assert/strict';
import { beginCell } from '@ton/core';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { encodeByLayout } from '../../../src/toolkit/contracts/layouts/encodeByLayout';
import { exampleOfLayout } from '../../../src/toolkit/contracts/layouts/exampleOfLayout';
import { formsOf, initialLayout, layoutOfData } from '../../../src/toolkit/contracts/layouts/initialLayout';
import { fieldsText } from '../../../src/toolkit/contracts/layouts/layoutSet';
import type { StorageLayout } from '../../../src/toolkit/contracts/layouts/layoutSet';
import { projectStorage } from '../../../src/toolkit/contracts/layouts/projectLayouts';

const stdlib = `
cell get_data() asm "c4 PUSH";
slice begin_parse(cell c) asm "CTOS";
() end_parse(slice s) impure asm "ENDS";
(slice, cell) load_ref(slice s) asm( -> 1 0) "LDREF";
(slice, int) ~load_flag(slice s) asm( -> 1 0) "1 LDI";
(slice, cell) load_members(slice s) asm( -> 1 0) "LDDICT";
() set_code(cell c) impure asm "SETCODE";
() set_lib(cell c, int mode) impure asm "SETLIBCODE";
`;

async function storageOf(
  text: string,
  { name = 'jar.fc', others = [] as readonly { path: string; text: string }[], contract = 'jar' } = {},
): Promise<StorageLayout | undefined> {
  const path = `contracts/${name}`;
  const project = await readProject([{ path, text }, ...others]);
  return projectStorage(project, { name: contract, file: path });
}

/** Each form of the data, as its fields. */
async function formsIn(...given: Parameters<typeof storageOf>): Promise<string[] | undefined> {
  const storage = await storageOf(...given);
  return (
    storage &&
    formsOf(storage).map(({ cells }) => cells.map((cell) => fieldsText(cell, storage.set)).join(' | '))
  );
}

describe('data that a FunC contract loads by hand', () => {
  const internal = '() recv_internal(slice body) impure { load_jar(); }';

  it('has the names of the variables to which the values are returned, else of the comments behind them', async () => {
    const jar = `
      (int, slice, cell, cell) load_jar() inline {
        slice ds = get_data().begin_parse();
        var values = (
          ds~load_coins(), ;; not this name
          ds~load_msg_addr(),
          ds~load_dict(), ;; guests (by their address)
          ds~load_ref()  ;; what is written on the jar
        );
        ds.end_parse();
        return values;
      }
      () recv_internal(slice body) impure { (int filled, slice owner, _, cell label) = load_jar(); }`;
    assert.deepEqual(await formsIn(jar), ['filled: coins, owner: address, guests: dict, label: cell']);
  });

  it('is followed into the functions that take its cells apart, and from a cell into the next one', async () => {
    const jar = `
      const int size::lid = 3;
      const int LID_BITS = 1 << size::lid;
      global int jar::lid;
      (slice, int) ~load_time(slice s) inline { return s~load_uint(16 + 2 * 8); }
      () load_limits(cell limits) impure inline {
        slice ls = limits.begin_parse();
        least = ls~load_coins();
        most = ls~load_coins();
        ls.end_parse();
      }
      () load_jar() impure inline_ref {
        slice ds = get_data().begin_parse();
        jar::lid = ds~load_uint(LID_BITS);
        open? = ds~load_flag();
        opened = ds~load_time();
        load_limits(ds~load_ref());
        whole = ds;
        ds = ds~load_ref().begin_parse();
        keeper = ds~load_msg_addr();
        guests = ds~load_members();
        ds.end_parse();
      }
      ${internal}`;
    assert.deepEqual(await formsIn(stdlib + jar), [
      'lid: uint8, open: bool, opened: uint32, limits: Cell<limits> | keeper: address, guests: dict',
    ]);
  });

  it('has two forms where the rest is only loaded if there is one, and the shorter one is deployed', async () => {
    const storage = await storageOf(`
      (int, int, slice, slice) load_jar() {
        slice ds = get_data().begin_parse();
        var (number, shelf) = (ds~load_uint(64), ds~load_msg_addr());
        if (ds.slice_bits() > 0) {
          return (-1, number, shelf, ds~load_msg_addr());
        } else {
          return (0, number, shelf, null());
        }
      }
      () recv_internal(slice body) impure { var (is_filled, number, shelf, owner) = load_jar(); }`);
    assert.ok(storage);
    const first = initialLayout(storage);
    assert.equal(exampleOfLayout(first.layout, first.set, 'alice'), '{number: 0, shelf: alice}');
    const filled = beginCell().storeUint(1, 64).storeAddress(null).storeAddress(null).endCell();
    assert.deepEqual(
      layoutOfData(storage, filled)
        .layout.cells.flat()
        .map(({ name }) => name),
      ['number', 'shelf', 'owner'],
    );
  });

  it('is put together from all places that read it: those that step over values, and get-methods at their offsets', async () => {
    const wallet = `
      () recv_external(slice message) impure {
        var ds = get_data().begin_parse();
        var (seqno, public_key) = (ds~load_uint(32), ds~load_uint(256));
        ds.end_parse();
      }
      () recv_internal(slice body) impure {
        slice ds = get_data().begin_parse();
        slice head = ds~load_bits(32 + 256 + 1);
        cell plugins = ds.preload_ref();
        (cell list, int ok?) = plugins.udict_delete?(256, 0);
        send(head);
      }
      int has_plugins() method_id {
        var ds = get_data().begin_parse();
        ds~skip_bits(32 + 256);
        return ds~load_int(1);
      }
      int get_key_of_owner() method_id { return get_data().begin_parse().skip_bits(32).preload_uint(256); }`;
    // The last value of the handler is in a reference, which the others pass over.
    assert.equal(await formsIn(wallet), undefined, 'recv_external says that nothing follows the key');
    const [form] =
      (await formsIn(
        wallet
          .replace('ds.end_parse();', '')
          .replace('int has', 'int has_some() method_id { return 0; } int has'),
      )) ?? [];
    assert.equal(form, 'seqno: uint32, public_key: uint256, field2: int1, plugins: cell');
  });

  it('is one cell where nothing looks into it, and empty where nothing loads it', async () => {
    const keeper = `${stdlib}() recv_internal(slice body) impure { cell library = get_data(); set_lib(library, 2); }`;
    assert.deepEqual(await formsIn(keeper), ['library: RemainingBitsAndRefs']);
    const bare = `${stdlib}() recv_internal(slice body) impure { set_code(body~load_ref()); }`;
    assert.deepEqual(await formsIn(bare), ['']);
    // What is not declared here may load it.
    assert.equal(await formsIn(`${stdlib}() recv_internal(slice body) impure { load_jar(); }`), undefined);
  });

  it('is a cell that may be missing where a bit says whether it is there', async () => {
    const jar = `
      () recv_internal() impure {
        slice ds = get_data().begin_parse();
        if ds~load_uint(1) {
          set_lib(ds~load_ref(), 2);
        }
        ds.end_parse();
      }`;
    assert.deepEqual(await formsIn(stdlib + jar), ['field0: cell?']);
  });

  it('is unknown where it is not certain: two readings, a loop, a condition, and a part that may not be all', async () => {
    const load = (body: string): string =>
      `() load_jar() impure { slice ds = get_data().begin_parse(); ${body} } ${internal}`;
    assert.deepEqual(await formsIn(load('a = ds~load_uint(8); b = ds~load_coins(); ds.end_parse();')), [
      'a: uint8, b: coins',
    ]);
    const other = 'int get_a() method_id { slice ds = get_data().begin_parse(); return ds~load_uint(9); }';
    assert.equal(
      await formsIn(load('a = ds~load_uint(8); b = ds~load_coins(); ds.end_parse();') + other),
      undefined,
    );
    assert.equal(await formsIn(load('repeat (3) { a = ds~load_uint(8); } ds.end_parse();')), undefined);
    assert.equal(await formsIn(load('if (b) { a = ds~load_uint(8); } ds.end_parse();')), undefined);
    assert.equal(await formsIn(load('a = ds~load_uint(8); parse(ds);')), undefined);
    assert.equal(await formsIn(load('a = ds~load_odd(8); ds.end_parse();')), undefined);
    assert.equal(
      await formsIn(
        '() recv_internal() impure { slice ds = get_data().begin_parse(); int a = ds~load_uint(8); }',
      ),
      undefined,
    );
  });

  it('is unknown where following it would not end soon', async () => {
    const parsed = 'slice ds = get_data().begin_parse();';
    const jar = (functions: number): string =>
      Array.from(
        { length: functions },
        (_, place) => `int get${place}() method_id { ${parsed} return ds~load_uint(8); } `,
      )
        .join('')
        .concat(`() recv_internal() impure { ${parsed} int weight = ds~load_uint(8); ds.end_parse(); }`);
    assert.deepEqual(await formsIn(jar(3)), ['weight: uint8']);
    assert.equal(await formsIn(jar(1_300)), undefined);
  });

  it('is what comments in TL-B say, if they say it', async () => {
    const jar = `;; storage#_ weight:uint16 = Storage;
      () recv_internal() impure { slice ds = get_data().begin_parse(); int a = ds~load_uint(16); ds.end_parse(); }`;
    assert.deepEqual(await formsIn(jar), ['weight: uint16']);
  });
});

describe('data of Tolk and Tact that no struct of the file declares', () => {
  it('is what a Tolk source loads by hand, also by its own methods', async () => {
    const jar = `
      fun slice.loadLabel(mutate self): slice {
          var label = self.loadRef().beginParse();
          return label.loadText();
      }
      fun loadJar(): (int, address, bool, slice) {
          var ds: slice = contract.getData().beginParse();
          val data = (
              ds.loadCoins(), // filled
              ds.loadAddress(),
              ds.loadBool(),
              ds.loadLabel(), // label
          )
          ds.assertEnd()
          return data
      }
      fun onInternalMessage(in: InMessage) { var (_, owner: address, isOpen: bool, _) = loadJar() }`;
    assert.deepEqual(await formsIn(jar, { name: 'jar.tolk' }), [
      'filled: coins, owner: address, isOpen: bool, label: cell',
    ]);
  });

  it('has what a type packs as it is; what another one packs is written as bits', async () => {
    const storage = await storageOf(
      `
      type Rest = slice
      fun Rest.unpackFromSlice(mutate s: slice) { val all = s; s = createEmptySlice(); return all }
      fun Rest.packToBuilder(self, mutate b: builder) { b.storeSlice(self) }
      type Short = slice
      fun Short.unpackFromSlice(mutate s: slice) { return s.loadBits(s.loadUint(8) * 8) }
      fun Short.packToBuilder(self, mutate b: builder) { b.storeUint(1, 8).storeSlice(self) }
      struct Jar { label: Cell<Short>, note: Rest }
      fun onInternalMessage(in: InMessage) { val jar = Jar.fromCell(contract.getData()) }`,
      { name: 'jar.tolk' },
    );
    assert.ok(storage);
    const { layout, set } = storage;
    const data = encodeByLayout('{label: b(u8 1, u8 65), note: b(u8 7)}', layout, set);
    const label = beginCell().storeUint(0x0141, 16).endCell();
    assert.ok(data.equals(beginCell().storeRef(label).storeUint(7, 8).endCell()), data.toString());
    assert.throws(
      () => encodeByLayout('{label: 5, note: null}', layout, set),
      /Give its bits and references: b\(…\)/,
    );
  });

  it('is that of the imported file for a contract of Tact that is compiled with another', async () => {
    const jar = 'contract Jar { weight: Int as uint16 = 0; init() { } receive() { } }';
    const shelf =
      'import "./jar"; contract Shelf { owner: Address; init(owner: Address) { self.owner = owner; } receive() { } }';
    const storage = await storageOf(shelf, {
      name: 'shelf.tact',
      contract: 'Jar',
      others: [{ path: 'contracts/jar.tact', text: jar }],
    });
    assert.equal(storage?.layout.name, 'Jar$Data');
    assert.deepEqual(
      storage.layout.cells.flat().map(({ name }) => name),
      ['initialized', 'weight'],
    );
  });
});
