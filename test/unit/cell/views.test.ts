import type { Cell } from '@ton/core';
import { Address, SendMode, beginCell, comment, external, internal, storeMessage } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import assert from 'node:assert/strict';
import { bocTree, dataText } from '../../../src/toolkit/cell/boc';
import { bocStatistics, subtreeSize } from '../../../src/toolkit/cell/bocStatistics';
import { diffBocs, diffText } from '../../../src/toolkit/cell/diffBocs';
import { disassembleCode } from '../../../src/toolkit/cell/disassembleCode';
import { looksLikeBoc, parseBocInput, readBocInput } from '../../../src/toolkit/cell/parseBocInput';
import { fromCoreCell, readBoc } from '../../../src/toolkit/cell/readBoc';
import { searchCells } from '../../../src/toolkit/cell/searchCells';
import type { BodyJson } from '../../../src/toolkit/contracts/opcodes/bodyToJson';
import { bodyToJson } from '../../../src/toolkit/contracts/opcodes/bodyToJson';
import { decodeStructure } from '../../../src/toolkit/contracts/opcodes/decodeStructure';
import { describeBoc } from '../../../src/toolkit/contracts/opcodes/describeBoc';
import { encodeBoc } from './support/encodeBoc';
import { randomCell } from './support/randomCell';
import { randomNumbers } from './support/randomNumbers';

const keys = keyPairFromSeed(Buffer.alloc(32, 7));
const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey });
const to = Address.parse('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs');
const transfer = beginCell()
  .store(
    storeMessage(
      external({
        to: wallet.address,
        init: wallet.init,
        body: wallet.createTransfer({
          seqno: 3,
          secretKey: keys.secretKey,
          sendMode: SendMode.PAY_GAS_SEPARATELY,
          timeout: 1_900_000_000,
          messages: [internal({ to, value: '12.5', body: 'rent' })],
        }),
      }),
    ),
  )
  .endCell();

describe('BoC text', () => {
  const bytes = transfer.toBoc();
  const hex = bytes.toString('hex');
  const forms: Record<string, string> = {
    base64: bytes.toString('base64'),
    'base64 over several lines': bytes.toString('base64').replace(/.{40}/g, '$&\n'),
    base64url: bytes.toString('base64url'),
    hex,
    'upper-case hex with 0x': `0x${hex.toUpperCase()}`,
    'Fift bytes': `B{${hex}}`,
    'quoted and followed by a comma': `  "${bytes.toString('base64')}",`,
    'typed as a stack value': `cell ${bytes.toString('base64')}`,
  };
  for (const [name, text] of Object.entries(forms)) {
    it(`is read from ${name}`, () => {
      assert.equal(parseBocInput(text).hashHex(0), transfer.hash().toString('hex'));
      assert.ok(looksLikeBoc(text.replace(/^cell /, '')));
    });
  }

  it('is read from files in every form', () => {
    assert.equal(readBocInput(bytes).cellCount, parseBocInput(hex).cellCount);
    assert.equal(readBocInput(Buffer.from(`${hex}\n`)).cellCount, parseBocInput(hex).cellCount);
  });

  it('is rejected at the first invalid character', () => {
    assert.throws(() => parseBocInput('te6c!AAA'), { code: 'boc-text-invalid', details: { offset: 4 } });
    assert.throws(() => parseBocInput('  0xb5ee9g'), { code: 'boc-text-invalid', details: { offset: 9 } });
    assert.throws(() => parseBocInput(''), { code: 'boc-text-invalid', details: { offset: 0 } });
    assert.throws(() => parseBocInput('b5ee9'), { code: 'boc-text-invalid' });
  });
});

describe('views of a BoC', () => {
  it('print data like Fift and @ton/core', () => {
    const random = randomNumbers(4);
    for (let bits = 0; bits < 80; bits++) {
      const builder = beginCell();
      for (let i = 0; i < bits; i++) {
        builder.storeBit(random(2));
      }
      const cell = builder.endCell();
      assert.equal(dataText(fromCoreCell(cell), 0), `x{${cell.bits.toString()}}`);
    }
  });

  it('list every cell once and mark repeats', () => {
    const boc = fromCoreCell(randomCell(randomNumbers(11), 60));
    const { lines, left } = bocTree(boc);
    assert.equal(left, 0);
    assert.equal(
      new Set(lines.filter((line) => !line.repeated).map((line) => line.cell)).size,
      boc.cellCount,
    );
    assert.equal(lines.filter((line) => !line.repeated).length, boc.cellCount);
  });

  it('do not unfold a small BoC into an endless tree', () => {
    let cell = beginCell().endCell();
    for (let i = 0; i < 60; i++) {
      cell = beginCell().storeRef(cell).storeRef(cell).storeRef(cell).storeRef(cell).endCell();
    }
    const boc = fromCoreCell(cell);
    assert.equal(bocTree(boc).lines.length, 1 + 60 * 4);
    assert.ok(bocStatistics(boc).treeCells > 1e36);
    assert.match(
      describeBoc(boc).text,
      /60 cells have more than one reference; without sharing 1\.77e\+36 cells/,
    );
    assert.match(
      describeBoc(fromCoreCell(beginCell().endCell())).text,
      /shared +no cell has more than one reference\n/,
    );
    const twice = beginCell().storeUint(5, 32).endCell();
    const one = fromCoreCell(beginCell().storeRef(twice).storeRef(twice).endCell());
    assert.match(describeBoc(one).text, /1 cell has more than one reference; without sharing 3 cells/);
  });

  it('count copies and their cost', () => {
    const leaf = beginCell().storeUint(5, 32).endCell();
    const bytes = encodeBoc([beginCell().storeRef(leaf).storeRef(leaf).endCell()]);
    // The same leaf twice: the second reference is led to a copy at the end.
    const twice = Buffer.concat([bytes, Buffer.from('000800000005', 'hex')]);
    twice[6] = 3;
    twice[11] = bytes.length - 13 + 6;
    twice[16] = 2;
    const statistics = bocStatistics(readBoc(twice));
    assert.deepEqual(statistics.duplicates, [{ hash: leaf.hash().toString('hex'), cells: [1, 2] }]);
    assert.equal(statistics.duplicateBytes, 6);
    assert.deepEqual(subtreeSize(readBoc(twice), 0), { cells: 3, bits: 64, bytes: 16 });
  });

  it('find data at any bit, hashes, addresses, texts, and cell numbers', () => {
    for (let shift = 0; shift < 8; shift++) {
      const cell = beginCell().storeUint(0, shift).storeStringTail('hello world').endCell();
      assert.deepEqual(searchCells(fromCoreCell(cell), 'hello'), [{ cell: 0, bit: shift }]);
      assert.deepEqual(searchCells(fromCoreCell(cell), '68656c6'), [{ cell: 0, bit: shift }]);
    }
    const boc = fromCoreCell(transfer);
    const holders = searchCells(boc, to.toString());
    assert.equal(holders.length, 1);
    assert.ok(dataText(boc, holders[0]!.cell).length > 60);
    const last = boc.cellCount - 1;
    assert.ok(searchCells(boc, boc.hashHex(last).slice(0, 12)).some((match) => match.cell === last));
    assert.deepEqual(searchCells(boc, '#2'), [{ cell: 2, bit: undefined }]);
    assert.deepEqual(searchCells(boc, `#${last}`), [{ cell: last, bit: undefined }]);
    assert.deepEqual(searchCells(boc, `#${boc.cellCount}`), []);
    assert.deepEqual(searchCells(boc, 'nowhere to be found'), []);
    assert.throws(() => searchCells(boc, 'x'), { code: 'cell-search-too-short' });
  });

  it('compare by structure', () => {
    const make = (value: number, extra: boolean): Cell => {
      const child = beginCell().storeUint(value, 12).endCell();
      const builder = beginCell()
        .storeUint(1, 8)
        .storeRef(beginCell().storeUint(9, 4).endCell())
        .storeRef(child);
      return (extra ? builder.storeRef(child) : builder).endCell();
    };
    const [left, right] = [fromCoreCell(make(0xff0, false)), fromCoreCell(make(0xff1, true))];
    assert.deepEqual(
      diffBocs(left, right).map(({ path, change, bit }) => [path, change, bit]),
      [
        ['root 0 › 1', 'data', 11],
        ['root 0 › 2', 'added', undefined],
      ],
    );
    assert.deepEqual(diffBocs(left, left), []);
    assert.match(diffText(left, right), /- ordinary 12 bits x\{FF0\}\n {2}\+ ordinary 12 bits x\{FF1\}/);
  });
});

describe('decoded cells', () => {
  it('include an external message with its state init, wallet request, and inner message', () => {
    const json = bodyToJson(decodeStructure(transfer)!);
    assert.equal(json.name, 'external_in_message');
    assert.equal(json.fields['destination'], wallet.address.toRawString());
    const init = json.fields['state_init'] as BodyJson;
    assert.equal(init.fields['contract'], 'wallet v4 r2');
    assert.equal(init.fields['address_matches'], true);
    const body = json.fields['body'] as BodyJson;
    assert.equal(body.name, 'wallet_signed_v4');
    assert.equal(body.fields['msg_seqno'], '3');
    const inner = body.fields['message_1'] as BodyJson;
    assert.equal(inner.fields['value'], '12500000000');
    assert.equal((inner.fields['body'] as BodyJson).fields['comment'], 'rent');
  });

  it('include state inits, comments, and internal messages', () => {
    const init = beginCell().storeUint(6, 5).storeRef(wallet.init.code).storeRef(wallet.init.data).endCell();
    assert.equal(bodyToJson(decodeStructure(init)!).fields['address'], wallet.address.toRawString());
    assert.equal(decodeStructure(comment('hi'))?.name, 'text_comment');
    const message = internal({ to, value: 5n, body: comment('x') });
    const stored = beginCell()
      .store(storeMessage({ ...message, info: { ...message.info, src: to } }))
      .endCell();
    assert.equal(decodeStructure(stored)?.name, 'internal_message');
  });

  it('are not invented for unknown data', () => {
    const random = randomNumbers(8);
    let known = 0;
    for (let i = 0; i < 300; i++) {
      known += decodeStructure(randomCell(random, 3)) === undefined ? 0 : 1;
    }
    assert.ok(known < 15, `${known} of 300 random cells were taken for something`);
    assert.equal(decodeStructure(beginCell().endCell()), undefined);
  });

  it('are shown in a document that knows the cell of each line', () => {
    const boc = fromCoreCell(transfer);
    const { text, cellOfLine } = describeBoc(boc);
    const lines = text.split('\n');
    assert.equal(cellOfLine.size >= boc.cellCount, true);
    for (const [line, cell] of cellOfLine) {
      assert.ok(lines[line]!.trimStart().startsWith(`#${cell} `), lines[line]);
    }
    assert.match(text, /value +12\.5 TON/);
    assert.match(describeBoc(boc, { treeLimit: 3 }).text, /more cells; open one/);
    assert.match(describeBoc(boc, { root: 1 }).text, new RegExp(`cell #1 {2}${boc.hashHex(1)}`));
  });

  it('have hostile text escaped', () => {
    const text = describeBoc(fromCoreCell(comment('a\u202eb\nc'))).text;
    assert.ok(text.includes('a\\u{202e}b\\nc'), text);
  });
});

describe('disassembleCode', () => {
  it('lists the methods of a wallet by name', async () => {
    const listing = await disassembleCode(wallet.init.code);
    const names = listing.methods.map((method) => method.name);
    for (const name of ['recv_internal', 'recv_external', 'seqno', 'get_public_key', 'get_plugin_list']) {
      assert.ok(names.includes(name), `${name} in ${names.join(' ')}`);
    }
    assert.match(listing.methods.find((method) => method.name === 'seqno')!.text, /PUSHCTR c4/);
  });

  it('reads wallet v5 and refuses code that would never end', async () => {
    const v5 = WalletContractV5R1.create({ publicKey: keys.publicKey });
    assert.ok((await disassembleCode(v5.init.code)).methods.length >= 6);
    let bomb = beginCell().storeUint(0xdb3c, 16).endCell();
    for (let i = 0; i < 40; i++) {
      bomb = beginCell().storeUint(0xdb3c, 16).storeRef(bomb).storeRef(bomb).endCell();
    }
    await assert.rejects(disassembleCode(bomb), { code: 'code-not-readable' });
  });
});
