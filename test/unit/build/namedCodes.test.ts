import { beginCell } from '@ton/core';
import assert from 'node:assert/strict';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { codeNamesIn } from '../../../src/toolkit/build/olderCodeTitle';
import { compileTolk } from '../../../src/toolkit/build/compileTolk';
import { namedCodes } from '../../../src/toolkit/build/namedCodes';
import type { BuiltContract } from '../../../src/toolkit/build/readBuiltContract';
import { parseComposeLine } from '../../../src/toolkit/send/parseComposeLine';
import { codeOfField, exampleOfLayout } from '../../../src/toolkit/contracts/layouts/exampleOfLayout';
import { fieldPrompts } from '../../../src/toolkit/contracts/layouts/fieldPrompts';
import { findStorage } from '../../../src/toolkit/contracts/layouts/layoutSet';
import { projectLayouts } from '../../../src/toolkit/contracts/layouts/projectLayouts';
import { readStorageText } from '../../../src/toolkit/contracts/layouts/readStorageText';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';
import { jettonProject } from '../../support/jettonProject';

const files = Object.entries(jettonProject).map(([name, text]) => ({ path: `contracts/${name}`, text }));

const build = async (file: string): Promise<BuiltContract[]> => [
  await compileTolk(file, (path) => files.find((one) => one.path === path)?.text ?? assert.fail(path)),
];

describe('the code of a contract as a value', () => {
  const owner = `0:${'1'.repeat(64)}`;
  const accounts = new Map([['alice', owner]]);

  it('is found in texts by its word, and never where another form of a cell follows', () => {
    assert.deepEqual(
      codeNamesIn(
        '{walletCode: code JettonWallet, other: code contracts/item.tolk, a: code b(u8 1)} code te6ccg code cell te6c',
      ),
      ['JettonWallet', 'contracts/item.tolk'],
    );
    assert.deepEqual(codeNamesIn('new 1ton code code Wallet data b()'), ['Wallet']);
    assert.deepEqual(codeNamesIn('barcode Wallet, code'), []);
  });

  it('is compiled by name, however it is written, or by the path of the source', async () => {
    const project = await readProject(files);
    const [wallet] = await build('contracts/jettonWallet.tolk');
    for (const name of ['JettonWallet', 'jettonWallet', 'jettonWallet.tolk', 'contracts/jettonWallet.tolk']) {
      const codes = await namedCodes(`code ${name}`, project, build);
      assert.equal(codes.get(name)?.hash().toString('hex'), wallet?.codeHash, name);
    }
    assert.deepEqual([...(await namedCodes('code Nobody', project, build))], []);
  });

  it('is what a field named like it begins with, and can be stored as it is shown', async () => {
    const project = await readProject(files);
    const storage = findStorage(await projectLayouts(project), { name: 'jettonMinter' }) ?? assert.fail();
    const { layout, set } = storage;
    const example = exampleOfLayout(layout, set, 'alice');
    assert.equal(example, '{totalSupply: 0, admin: alice, walletCode: code jettonWallet, content: b()}');
    const prompt = fieldPrompts(layout, set, 'alice').find(({ field }) => field.name === 'walletCode');
    assert.equal(prompt?.start, 'code jettonWallet');
    assert.ok(prompt?.choices.some(({ value }) => value === 'code jettonWallet'));
    const codes = await namedCodes(example, project, build);
    const data = readStorageText(example, storage, { accounts, codes });
    const [code] = await build('contracts/jettonWallet.tolk');
    assert.equal(data.refs[0]?.hash().toString('hex'), code?.codeHash);
  });

  it('is guessed only where one contract is called like the field', () => {
    const field = (name: string): Parameters<typeof codeOfField>[0] => ({ name, type: { kind: 'cell' } });
    const set = {
      origin: '',
      contract: '',
      structs: new Map(),
      codes: ['NftItem', 'SaleWallet', 'JettonWallet'],
    };
    assert.equal(codeOfField(field('nft_item_code'), set), 'NftItem');
    assert.equal(codeOfField(field('itemCode'), set), 'NftItem');
    assert.equal(codeOfField(field('walletCode'), set), undefined);
    assert.equal(codeOfField(field('code'), set), undefined);
    assert.equal(codeOfField(field('content'), set), undefined);
    const two = { ...set, codes: ['near/Wallet.tolk', 'far/Wallet.tolk'] };
    assert.equal(codeOfField(field('walletCode'), two), 'near/Wallet.tolk');
  });

  it('is by path where several contracts have the name, the nearest first', async () => {
    const text = (path: string): { path: string; text: string } => ({
      path,
      text: 'struct Storage { walletCode: cell }\nfun onInternalMessage(in: InMessage) { val st = Storage.fromCell(contract.getData()); }',
    });
    const names = ['a', 'b'].flatMap((folder) => [`${folder}/Minter.tolk`, `${folder}/Wallet.tolk`]);
    const sets = await projectLayouts(await readProject([...names, 'Item.tolk'].map(text)));
    const minter = sets.find(({ files }) => files?.includes('b/Minter.tolk'));
    assert.deepEqual(minter?.codes, ['b/Wallet.tolk', 'a/Minter.tolk', 'a/Wallet.tolk', 'Item']);
    const storage = findStorage(sets, { name: 'Minter', file: 'b/Minter.tolk' }) ?? assert.fail();
    assert.equal(exampleOfLayout(storage.layout, storage.set, 'alice'), '{walletCode: code b/Wallet.tolk}');
  });

  it('stands wherever a cell does: in values, in cells, and as the code of a new contract', () => {
    const code = beginCell().storeUint(7, 8).endCell();
    const options = { accounts, codes: new Map([['Wallet', code]]) };
    const [bare, nested] = parseStackText('code Wallet b(ref code Wallet)', options);
    assert.ok(bare?.type === 'cell' && bare.cell.equals(code));
    assert.ok(nested?.type === 'cell' && nested.cell.refs[0]?.equals(code));
    for (const line of ['new 1ton code Wallet data b()', 'new 1ton code code Wallet data b()']) {
      assert.ok(parseComposeLine(line, { ...options, wallets: ['alice'] }).init?.code?.equals(code), line);
    }
    const plain = parseComposeLine('new 1ton code b(u8 7) data b()', { ...options, wallets: ['alice'] });
    assert.ok(plain.init?.code?.equals(code));
    assert.throws(() => parseStackText('code Other', options), { code: 'stack-text-invalid' });
    assert.throws(() => parseStackText('code Wallet'), { code: 'stack-text-invalid' });
  });
});
