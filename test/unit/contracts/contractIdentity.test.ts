import assert from 'node:assert/strict';
import type { ProjectContract } from '../../../src/toolkit/contracts/abi/projectContract';
import { builtContract, isIdentified } from '../../../src/toolkit/contracts/abi/projectContract';
import { describeContract } from '../../../src/toolkit/contracts/abi/contractDescription';
import type { ImportOptions } from '../../../src/toolkit/contracts/abi/readProject';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { readFuncSource } from '../../../src/toolkit/contracts/abi/readSignatures';
import { readSourceMessages } from '../../../src/toolkit/contracts/abi/readSourceMessages';
import { importPath } from '../../../src/toolkit/contracts/abi/sourceLanguage';
import { parseComposeLine } from '../../../src/toolkit/send/parseComposeLine';
import { findStorage, receiverOf } from '../../../src/toolkit/contracts/layouts/layoutSet';
import { exampleOfLayout } from '../../../src/toolkit/contracts/layouts/exampleOfLayout';
import { messageNamed, messagesOfContract } from '../../../src/toolkit/contracts/layouts/messagesOfContract';
import { projectLayouts } from '../../../src/toolkit/contracts/layouts/projectLayouts';
import { readStorageText } from '../../../src/toolkit/contracts/layouts/readStorageText';
import { parseTypedStack } from '../../../src/toolkit/contracts/layouts/parseTypedStack';

/** `path` on a line of its own, then the file. */
function filesOf(text: string): { path: string; text: string }[] {
  return text
    .split(/^== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { path: part.slice(0, end), text: part.slice(end + 1) };
    });
}

const noPause = (): Promise<void> => Promise.resolve();

async function read(text: string, imports?: ImportOptions): Promise<ProjectContract[]> {
  return readProject(filesOf(text), (_, error) => assert.fail(String(error)), noPause, imports);
}

/** The fields of the first form of a contract's data. */
async function fieldsOf(
  project: readonly ProjectContract[],
  name: string,
  file?: string,
): Promise<string[] | undefined> {
  return findStorage(await projectLayouts(project), { name, file })
    ?.layout.cells.flat()
    .map((field) => field.name);
}

const shared = `== storage.tolk
struct BoxStorage { weight: uint32 }
struct ShelfStorage { owner: address, boxes: uint16 }
fun BoxStorage.load() { return BoxStorage.fromCell(contract.getData()) }
fun ShelfStorage.load() { return ShelfStorage.fromCell(contract.getData()) }
`;

const folder = (name: string, opcode: string, field: string): string => `== ${name}/${name}.tolk
import "storage"
import "messages"
import "errors"
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val msg = Poke.fromSlice(in.body);
  assert (msg.force > 5) throw ERR_WEAK_${name};
}
get fun ${field}() { return Storage.load().${field}; }
== ${name}/storage.tolk
struct Storage { ${field}: uint32 }
fun Storage.load() { return Storage.fromCell(contract.getData()) }
== ${name}/messages.tolk
struct (${opcode}) Poke { force: uint16 }
== ${name}/errors.tolk
const ERR_WEAK_${name} = 512
`;

describe('what belongs to which contract', () => {
  it('loads the storage that it loads, not the first of a shared file', async () => {
    const project = await read(`${shared}== Box.tolk
import "storage"
fun onInternalMessage(in: InMessage) {}
get fun weight(): int { val st = BoxStorage.load(); return st.weight; }
== Shelf.tolk
import "storage"
fun onInternalMessage(in: InMessage) {}
get fun boxes(): int { val st = lazy ShelfStorage.load(); return st.boxes; }
`);
    assert.deepEqual(await fieldsOf(project, 'Box'), ['weight']);
    assert.deepEqual(await fieldsOf(project, 'Shelf'), ['owner', 'boxes']);
  });

  it('resolves imports by the mappings of the nearest Acton.toml', async () => {
    const project = await read(`== Acton.toml
[import-mappings]
"@core" = "other"
== app/Acton.toml
[import-mappings]
"@core" = "lib"
== other/storage.tolk
struct Storage { wrong: uint8 }
== app/lib/storage.tolk
struct Storage { kept: uint64 }
== app/src/Till.tolk
import "@core/storage"
fun onInternalMessage(in: InMessage) { val st = Storage.fromCell(contract.getData()); }
`);
    assert.deepEqual(await fieldsOf(project, 'Till'), ['kept']);
  });

  for (const [what, load] of Object.entries({
    'where it is parsed': 'val st = ShelfStorage.fromCell(contract.getData());',
    lazily: 'val st = lazy ShelfStorage.fromCell(contract.getData());',
    'from a variable': 'val data = contract.getData(); val st = ShelfStorage.fromCell(data);',
    'from a slice': 'var ds = contract.getData().beginParse(); val st = ShelfStorage.fromSlice(ds);',
    'by an alias':
      'val st = Kept.load();\n}\ntype Kept = ShelfStorage\nfun Kept.load() { return Kept.fromCell(contract.getData()); ',
    'by a function':
      'val st = open();\n}\nfun open(): ShelfStorage { return ShelfStorage.fromCell(contract.getData()); ',
    'by a function that is given it':
      'val st = parse(contract.getData());\n}\nfun parse(c: cell): ShelfStorage { return ShelfStorage.fromCell(c); ',
    'by a method of any type':
      'val st = ShelfStorage.restore();\n}\nfun T.restore(): T { return T.fromCell(contract.getData()); ',
    'as a typed cell': 'val st = (contract.getData() as Cell<ShelfStorage>).load();',
    'through a field':
      'val raw = begin(); val st = raw.parse();\n}\nstruct Raw { rest: slice }\nfun begin(): Raw { return { rest: contract.getData().beginParse() }; }\nfun Raw.parse(self) { return ShelfStorage.fromSlice(self.rest); ',
    'in a message of its union':
      'val msg = lazy Allowed.fromSlice(in.body); match (msg) { Sweep => msg.handle() }\n}\nstruct (0x1) Sweep {}\ntype Allowed = Sweep\nfun Sweep.handle(self) { val st = lazy ShelfStorage.load(); ',
  })) {
    it(`finds the struct that the data is loaded as ${what}`, async () => {
      const project = await read(
        `${shared}== Shelf.tolk\nimport "storage"\nfun onInternalMessage(in: InMessage) {\n${load}\n}\n`,
      );
      assert.deepEqual(await fieldsOf(project, 'Shelf'), ['owner', 'boxes']);
    });
  }

  it('has no storage if it loads none of the structs that it imports', async () => {
    const project = await read(
      `${shared}== Shelf.tolk\nimport "storage"\nfun onInternalMessage(in: InMessage) { val s = contract.getData().beginParse(); }\n`,
    );
    assert.equal(await fieldsOf(project, 'Shelf'), undefined);
  });

  it('does not take what is inside its data for the data', async () => {
    const project = await read(`== Shelf.tolk
struct Storage { content: cell }
struct Content { text: uint8 }
fun onInternalMessage(in: InMessage) {
  val st = Storage.fromCell(contract.getData());
  val content = Content.fromCell(st.content);
}
`);
    const layouts = await projectLayouts(project);
    assert.equal(findStorage(layouts, { name: 'Shelf' })?.layout.name, 'Storage');
    assert.equal(findStorage(layouts, { name: 'Shelf' })?.others, undefined);
  });

  it('reads the header of a contract', async () => {
    const project = await read(`== Item.tolk
contract Item { storage: ItemStorage  storageAtDeployment: NewStorage  incomingMessages: Allowed }
struct NewStorage { index: uint64 }
struct ItemStorage { index: uint64, owner: address }
struct (0x1) Move { to: address }
struct (0x2) Moved { from: address }
type Allowed = Move
fun onInternalMessage(in: InMessage) {}
`);
    const layouts = await projectLayouts(project);
    const found = findStorage(layouts, { name: 'Item' });
    assert.deepEqual([found?.layout.name, found?.others?.map(({ name }) => name)].flat(), [
      'NewStorage',
      'ItemStorage',
    ]);
    assert.deepEqual(
      messagesOfContract(layouts, 'Item').map(({ layout }) => layout.name),
      ['Move'],
    );
  });

  it('imports the files of its own folder where every folder has files of these names', async () => {
    const project = await read(folder('one', '0x11', 'first') + folder('two', '0x22', 'second'));
    const layouts = await projectLayouts(project);
    for (const [name, field, opcode] of [
      ['one', 'first', 0x11n],
      ['two', 'second', 0x22n],
    ] as const) {
      assert.deepEqual(await fieldsOf(project, name), [field]);
      const found = messageNamed(layouts, 'Poke', name);
      assert.equal(found !== undefined && 'layout' in found && found.layout.prefix?.value, opcode);
      assert.equal(project.find((one) => one.name === name)?.errors.get(512), `ERR_WEAK_${name}`);
    }
  });

  it('tells contracts of one name apart by their files and their codes', async () => {
    const wallet = (opcode: string, field: string): string => `/Wallet.tolk
struct Storage { ${field}: uint32 }
struct (${opcode}) Pay { value: coins }
fun onInternalMessage(in: InMessage) {
  val st = Storage.fromCell(contract.getData());
  val msg = lazy Pay.fromSlice(in.body);
}
get fun ${field}() { return 1; }
`;
    const read1 = await read(`== a${wallet('0x1', 'left')}== b${wallet('0x2', 'right')}`);
    const project = [
      ...read1,
      builtContract('Wallet', 'a/Wallet.tolk', 'aa'),
      builtContract('Wallet', 'b/Wallet.tolk', 'bb'),
      builtContract('Wallet', 'b/build/Wallet.compiled.json', 'cc'),
      builtContract('Wallet', 'build/Wallet.compiled.json', 'dd'),
    ];
    const of = (codeHash: string, chosen?: string): [string | undefined, string[]] => {
      const { file, methods } = describeContract({ codeHash }, project, chosen);
      return [file, methods.map(({ name }) => name)];
    };
    assert.deepEqual(of('aa'), ['a/Wallet.tolk', ['left']]);
    assert.deepEqual(of('bb'), ['b/Wallet.tolk', ['right']]);
    assert.deepEqual(of('cc'), ['b/Wallet.tolk', ['right']]);
    assert.deepEqual(of('dd'), ['build/Wallet.compiled.json', []]);
    assert.deepEqual(of('dd', 'Wallet, a/Wallet.tolk'), ['a/Wallet.tolk', ['left']]);
    assert.deepEqual(await fieldsOf(project, 'Wallet', 'b/Wallet.tolk'), ['right']);
    assert.equal(await fieldsOf(project, 'Wallet'), undefined);
    const layouts = await projectLayouts(project);
    const found = messageNamed(layouts, 'Pay', { name: 'Wallet', file: 'b/Wallet.tolk' });
    assert.equal(found !== undefined && 'layout' in found && found.layout.prefix?.value, 2n);
  });

  it('has only the get-methods that its code has', async () => {
    const project = [
      ...(await read(
        '== Wallet.tolk\nget fun seqno(): int { return 1; }\nget fun newer(): int { return 1; }\n',
      )),
      builtContract('Wallet', 'Wallet.tolk', 'aa'),
    ];
    const { methods } = describeContract({ codeHash: 'aa', methodIds: [85143] }, project);
    assert.deepEqual(
      methods.map(({ name }) => name),
      ['seqno'],
    );
  });

  it('names an exit code by what the contract can reach, in Tolk and FunC', async () => {
    const project = await read(`== errors.tolk
const ERR_BOX = 300
const ERR_SHELF = 300
const ERR_ONLY = 301
const ERR_LEFT = 302
const ERR_RIGHT = 302
== Box.tolk
import "errors"
fun check(value: int) { assert (value > 1) throw ERR_BOX; }
fun onInternalMessage(in: InMessage) { check(2); }
== Shelf.tolk
import "errors"
fun onInternalMessage(in: InMessage) { throw ERR_SHELF; }
== errors.fc
const int error::jar = 300;
const int error::lid = 300;
== lid.fc
#include "errors.fc";
() check(int a) impure { throw_unless(error::lid, a > 1); }
() recv_internal(slice in_msg) impure { check(1); }
`);
    const of = (name: string, code: number): string | undefined =>
      project.find((one) => one.name === name)?.errors.get(code);
    assert.equal(of('Box', 300), 'ERR_BOX');
    assert.equal(of('Shelf', 300), 'ERR_SHELF');
    assert.equal(of('Shelf', 301), 'ERR_ONLY');
    assert.equal(of('Shelf', 302), undefined);
    assert.equal(of('lid', 300), 'error::lid');
  });

  it('resolves imports as the compilers do', () => {
    const mappings = [
      { name: 'contracts', folder: 'app/contracts', within: 'app' },
      { name: '@contracts', folder: 'lib/src' },
    ];
    const from = 'app/contracts/wallet/Wallet.tolk';
    assert.equal(importPath(from, 'storage'), 'app/contracts/wallet/storage.tolk');
    assert.equal(importPath(from, './storage.tolk'), 'app/contracts/wallet/storage.tolk');
    assert.equal(importPath(from, '../common/errors'), 'app/contracts/common/errors.tolk');
    assert.equal(importPath(from, '../../../../outside'), '../outside.tolk');
    assert.equal(importPath(from, '@stdlib/gas-payments', mappings), undefined);
    assert.equal(importPath(from, '@contracts/errors', mappings), 'app/contracts/errors.tolk');
    assert.equal(importPath('other/A.tolk', '@contracts/errors', mappings), 'lib/src/errors.tolk');
    assert.equal(importPath('a/b.fc', '../node_modules/lib/std.fc'), 'node_modules/lib/std.fc');
    assert.equal(importPath('a/b.tact', './types'), 'a/types.tact');
    assert.equal(importPath('a/b.tact', './math.fc'), 'a/math.fc');
  });

  it('reads what is imported from outside the files of the project', async () => {
    const asked: string[] = [];
    const project = await read(
      '== contracts/Box.tolk\nimport "../node_modules/kit/storage"\nfun onInternalMessage(in: InMessage) { val st = Kit.fromCell(contract.getData()); }\n',
      {
        readImported: (path) => {
          asked.push(path);
          return Promise.resolve(path.includes('kit') ? 'struct Kit { size: uint8 }' : undefined);
        },
      },
    );
    assert.deepEqual(asked, ['node_modules/kit/storage.tolk']);
    assert.deepEqual(await fieldsOf(project, 'Box'), ['size']);
  });
});

describe('what a project says in its own forms', () => {
  it('has defaults without comments, and not what follows on the next line', async () => {
    const project = await read(`== Jar.tolk
struct Jar {
  size: uint32
  lid: uint8 = 0 // 1 = closed
  label: uint32 = 0 /* none */
  private held: coins = ton("0.5")
  @abi.clientType(uint8)
  kind: uint8 = 3 as uint8
  computed: uint8 = 1 + 1 // two
}
fun onInternalMessage(in: InMessage) { val st = Jar.fromCell(contract.getData()); }
`);
    const { layout, set } = findStorage(await projectLayouts(project), { name: 'Jar' }) ?? assert.fail();
    assert.deepEqual(
      layout.cells.flat().map(({ defaultText }) => defaultText),
      [undefined, '0', '0', '0.5ton', '3', '1 + 1'],
    );
    const example = exampleOfLayout(layout, set, 'alice');
    assert.equal(example, '{size: 0, lid: 0, label: 0, held: 0.5ton, kind: 3, computed: 0}');
    readStorageText(example, { layout, set });
  });

  it('takes a variant of a union by the name of its type, and the only struct without one', async () => {
    const project = await read(`== Jar.tolk
struct Lid { size: uint8 }
struct Jar {
  level: uint8 | uint16
  lid: Lid | int32
}
fun onInternalMessage(in: InMessage) { val st = Jar.fromCell(contract.getData()); }
`);
    const storage = findStorage(await projectLayouts(project), { name: 'Jar' }) ?? assert.fail();
    const written = (text: string): string => readStorageText(text, storage).bits.toString();
    assert.notEqual(written('{level: uint16 5, lid: {size: 1}}'), written('{level: 5, lid: {size: 1}}'));
    assert.equal(written('{level: 5, lid: Lid {size: 1}}'), written('{level: uint8 5, lid: {size: 1}}'));
    assert.throws(() => readStorageText('{level: 5}', undefined), /no source says which fields/i);
    assert.equal(readStorageText('x{01}', undefined).bits.length, 8);
  });

  it('names messages by constants with a type, however it is spaced', () => {
    for (const type of ['', ': int', ' : int', ':int32']) {
      const messages = readSourceMessages(`const OP_FILL${type} = 0x12345678\n`);
      assert.equal(messages.get(0x12345678), 'FILL', type);
    }
  });

  it('takes the TL-B files in the nearest folder for a FunC contract', async () => {
    const jar = (name: string, opcode: string, field: string): string => `== ${name}/jar.fc
const int op::fill = ${opcode};
() recv_internal(slice in_msg) impure { int op = in_msg~load_uint(32); if (op == op::fill) { return (); } }
== ${name}/jar.tlb
/* what it stores */
storage#_ ${field}:uint32 = Storage; // kept
fill${opcode.replace('0x', '#')} level:uint8 = JarMsg;
_ _:JarMsg = InternalMsgBody;
spill#00000099 level:uint8 = InternalMsgBody;
`;
    const project = await read(jar('a', '0x00000011', 'left') + jar('b', '0x00000022', 'right'));
    const layouts = await projectLayouts(project);
    for (const [folder, field, opcode] of [
      ['a', 'left', 0x11n],
      ['b', 'right', 0x22n],
    ] as const) {
      const file = `${folder}/jar.fc`;
      assert.deepEqual(await fieldsOf(project, 'jar', file), [field]);
      assert.deepEqual(
        messagesOfContract(layouts, { name: 'jar', file }).map(({ layout }) => [
          layout.name,
          layout.prefix?.value,
        ]),
        [['fill', opcode]],
      );
    }
  });

  it('claims no message of a TL-B file that the contract does not compare', async () => {
    const project = await read(
      '== helper.fc\n() recv_internal(slice in_msg) impure { }\n== jar.tlb\nfill#00000011 level:uint8 = InternalMsgBody;\n',
    );
    assert.deepEqual(messagesOfContract(await projectLayouts(project), 'helper'), []);
  });

  it('needs no contract before a message where the code of the destination is known', async () => {
    const layouts = await projectLayouts(
      await read(folder('one', '0x11', 'first') + folder('two', '0x22', 'second')),
    );
    const address = `0:${'1'.repeat(64)}`;
    const line = `box Poke {force: 9} 0.1ton`;
    const options = { accounts: new Map([['box', address]]), wallets: ['alice'], layouts };
    assert.throws(() => parseComposeLine(line, options), /Several contracts have a message Poke/);
    const { body } = parseComposeLine(line, {
      ...options,
      contractAt: (to) => (to === address ? { name: 'two', file: 'two/two.tolk' } : undefined),
    });
    assert.equal(body.beginParse().loadUint(8), 0x22);
  });

  it('writes true and false as a number of FunC, which has no other type for them', () => {
    const [{ parameters } = assert.fail()] = readFuncSource('int f(int flag) method_id { return flag; }');
    assert.deepEqual(
      ['true', 'false', '-1', '7'].map((text) => parseTypedStack(text, parameters)[0]?.values),
      [-1n, 0n, -1n, 7n].map((value) => [{ type: 'int', value }]),
    );
  });
});

describe('the contract that a message in a file goes to', () => {
  const of = async (text: string, message: string, file: string): Promise<string | undefined> => {
    const sets = await projectLayouts(await read(text));
    const name = file.replace(/^.*\/|\.\w+$/g, '');
    return receiverOf(sets, message, { name, file })?.file;
  };
  const wallet = (path: string): string => `== ${path}
import "messages"
fun onInternalMessage(in: InMessage) { val st = Storage.fromCell(contract.getData()); val msg = lazy Pay.fromSlice(in.body); }
struct Storage { left: coins }
`;
  const messages = (path: string): string => `== ${path}\nstruct (0x00000001) Pay { value: coins }\n`;

  it('is the one that imports the file, also from a file that cannot be deployed', async () => {
    const text = messages('messages.tolk') + wallet('wallet.tolk');
    assert.equal(await of(text, 'Pay', 'messages.tolk'), 'wallet.tolk');
  });

  it('is none of another folder with files of the same names', async () => {
    const both = ['a', 'b']
      .map((name) => messages(`${name}/messages.tolk`) + wallet(`${name}/wallet.tolk`))
      .join('');
    assert.equal(await of(both, 'Pay', 'a/messages.tolk'), 'a/wallet.tolk');
    assert.equal(await of(both, 'Pay', 'b/messages.tolk'), 'b/wallet.tolk');
    assert.equal(await of(`${both}${messages('c/messages.tolk')}`, 'Pay', 'c/messages.tolk'), undefined);
  });

  it('is not said if several contracts import it', async () => {
    const text = messages('messages.tolk') + wallet('wallet.tolk') + wallet('vault.tolk');
    assert.equal(await of(text, 'Pay', 'messages.tolk'), undefined);
  });
});

describe('a code that is known', () => {
  it('is searched for again when its source was renamed, or when build output could be of several sources', async () => {
    const source = (path: string): string => `== ${path}\nfun onInternalMessage(in: InMessage) {}\n`;
    const files = ['new.tolk', 'a/Box.tolk', 'b/Box.tolk', 'One.tolk'];
    const project = [
      ...(await read(files.map(source).join(''))),
      builtContract('old', 'old.tolk', 'aa'),
      builtContract('new', 'new.tolk', 'bb'),
      builtContract('Box', 'build/Box.compiled.json', 'cc'),
      builtContract('One', 'build/One.compiled.json', 'dd'),
      builtContract('Gone', 'build/Gone.compiled.json', 'ee'),
    ];
    const known = ['aa', 'bb', 'cc', 'dd', 'ee', 'ff'].filter((hash) =>
      isIdentified(project, hash, (file) => files.includes(file)),
    );
    assert.deepEqual(known, ['bb', 'dd', 'ee']);
  });
});
