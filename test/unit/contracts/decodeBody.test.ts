import { createHash } from 'node:crypto';
import { Address, BitString, Cell, Dictionary, beginCell, internal, storeMessageRelaxed } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV5R1 } from '@ton/ton';
import assert from 'node:assert/strict';
import { readTokenContent } from '../../../src/toolkit/cell/tokenContent';
import { readTolkSourceLayouts } from '../../../src/toolkit/contracts/layouts/tolkLayouts';
import { readBodyCell } from '../../../src/toolkit/contracts/layouts/fittingLayout';
import { bodyLines } from '../../../src/toolkit/contracts/opcodes/bodyLines';
import { decodeBodyCell } from '../../../src/toolkit/contracts/opcodes/decodeBody';
import { decodeStructure } from '../../../src/toolkit/contracts/opcodes/decodeStructure';
import { onChainContent } from '../../support/onChainContent';

const to = Address.parse('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs');
const lines = (cell: Cell): string[] => {
  const body = decodeBodyCell(cell, {}, 0);
  return body === undefined ? [] : bodyLines(body);
};

/** A bounced body as the network builds it (TEP-503). */
function richBounce(original: Cell, phase: number, exitCode: number): Cell {
  const info = beginCell()
    .storeCoins(200_000_000n)
    .storeBit(false)
    .storeUint(46_000_003, 64)
    .storeUint(1_795_000_000, 32);
  return beginCell()
    .storeUint(0xfffffffe, 32)
    .storeRef(original)
    .storeRef(info.endCell())
    .storeUint(phase, 8)
    .storeInt(exitCode, 32)
    .storeBit(phase > 0)
    .storeBuilder(phase > 0 ? beginCell().storeUint(1512, 32).storeUint(34, 32) : beginCell())
    .endCell();
}

describe('bounced bodies of TEP-503', () => {
  const transfer = beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(5, 64)
    .storeCoins(25n)
    .storeAddress(to)
    .storeAddress(null)
    .storeBit(false)
    .storeCoins(1n)
    .storeBit(false)
    .endCell();

  it('are the message that came back, with why it did', () => {
    assert.deepEqual(lines(richBounce(transfer, 1, -14)), [
      'jetton_transfer (0x0f8a7ea5) bounced',
      '  query_id              5',
      '  amount                25 base units',
      `  destination           ${to.toRawString()}`,
      '  response_destination  none',
      '  custom_payload        none',
      '  forward_ton_amount    0.000000001 TON',
      '  forward_payload       none',
      '  original_value        0.2 TON',
      '  original_created_lt   46000003',
      '  original_created_at   1795000000',
      '  bounced_by_phase      1 (compute phase)',
      '  exit_code             -14 (out of gas)',
      '  gas_used              1512',
      '  vm_steps              34',
    ]);
  });

  it('say why code was not run, and which action failed', () => {
    assert.ok(lines(richBounce(transfer, 0, -3)).includes('  exit_code             -3 (no gas)'));
    assert.ok(lines(richBounce(transfer, 2, 37)).includes('  exit_code             37 (not enough coins)'));
  });

  it('are read by the layouts of a project, whole or cut off after the root cell', () => {
    const source = `
      struct (0x7e8764ef) Hit { queryId: uint64; note: cell }
      fun onInternalMessage(in: InMessage) { val msg = lazy Hit.fromSlice(in.body); }`;
    const layouts = readTolkSourceLayouts('hit.tolk', 'hit', source);
    const hit = beginCell().storeUint(0x7e8764ef, 32).storeUint(5, 64);
    const note = beginCell().storeUint(1, 8).endCell();
    for (const original of [hit.endCell(), beginCell().storeBuilder(hit).storeRef(note).endCell()]) {
      const body = readBodyCell(richBounce(original, 1, 402), [layouts], () => false);
      assert.equal(body?.name, 'Hit');
      assert.equal(body.bounced, true);
      assert.equal(body.broken, false);
      assert.deepEqual(
        body.fields.filter(({ name }) => /^(queryId|bounced_by_phase|exit_code)$/.test(name)),
        [
          { name: 'queryId', value: { type: 'int', value: 5n } },
          { name: 'bounced_by_phase', value: { type: 'int', value: 1n, words: 'compute phase' } },
          { name: 'exit_code', value: { type: 'int', value: 402n } },
        ],
      );
    }
  });
});

describe('what is evident', () => {
  it('an Either bit that is missing is said, not taken for an empty payload', () => {
    const head = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(0, 64)
      .storeCoins(1n)
      .storeAddress(to)
      .storeAddress(null)
      .storeBit(false)
      .storeCoins(1n);
    const without = lines(head.endCell());
    assert.ok(
      without.includes(
        '  ✗ the bit of forward_payload is missing: a contract that reads it fails with exit code 9',
      ),
      without.join('\n'),
    );
    const withBit = beginCell().storeBuilder(head).storeBit(false).endCell();
    assert.ok(!lines(withBit).some((line) => line.includes('✗')));
  });

  it('a comment that is written where the Either bit belongs is no comment of binary bytes', () => {
    const head = beginCell().storeUint(0x05138d91, 32).storeUint(0, 64).storeAddress(to);
    const shifted = beginCell().storeBuilder(head).storeUint(0, 32).storeStringTail('rent of May').endCell();
    const shown = lines(shifted);
    assert.ok(!shown.join('\n').includes('text_comment'), shown.join('\n'));
    assert.match(shown.join('\n'), /✗ the bit before forward_payload is missing/);
    const right = beginCell()
      .storeBuilder(head)
      .storeBit(false)
      .storeUint(0, 32)
      .storeStringTail('rent')
      .endCell();
    assert.match(lines(right).join('\n'), /comment {2}"rent"/);
  });

  it('a short prefix is shown as it is declared', () => {
    const source = `
      struct (0x77) Short { a: uint32 }
      fun onInternalMessage(in: InMessage) { val msg = lazy Short.fromSlice(in.body); }`;
    const set = readTolkSourceLayouts('short.tolk', 'short', source);
    const body = readBodyCell(beginCell().storeUint(0x77, 8).storeUint(9, 32).endCell(), [set], () => true);
    assert.ok(body);
    assert.equal(bodyLines(body)[0], 'Short (0x77)');
  });
});

describe('requests to a wallet v5', () => {
  const body = Cell.fromBase64(
    'te6cckEBBAEAVwABGWV4dG4AAAAAAAAAAaABAgoOw8htAwIDAAAAdGIARkryYSEB47kOPi8N00g+X9VXdk4dVYuTcgZmJozG3tQgL68IAAAAAAAAAAAAAAAAAAAAAAAAaGnjexMz',
  );

  it('of an extension have an id and the messages to send', () => {
    const shown = lines(body);
    assert.equal(shown[0], 'wallet_extension_action_v5_r1 (0x6578746e)');
    assert.deepEqual(shown.slice(1, 3), ['  query_id   1', '  mode_1     3']);
    assert.ok(!shown.some((line) => line.includes('left over')), shown.join('\n'));
    const whole = decodeStructure(body);
    assert.ok(whole);
    assert.match(bodyLines(whole).join('\n'), /internal_message[^]*comment {2}"hi"/);
  });

  it('say in the first line who gets control of the wallet, whoever sends them', () => {
    const change = beginCell().storeUint(2, 8).storeAddress(to);
    const extension = beginCell()
      .storeUint(0x6578746e, 32)
      .storeUint(1, 64)
      .storeBit(false)
      .storeBit(true)
      .storeBuilder(change)
      .endCell();
    assert.equal(lines(extension)[1], `  gives_control_to  ${to.toRawString()}`);
    const keys = keyPairFromSeed(Buffer.alloc(32, 7));
    const signed = WalletContractV5R1.create({ workchain: 0, publicKey: keys.publicKey }).createRequest({
      secretKey: keys.secretKey,
      seqno: 9,
      authType: 'internal',
      actions: [
        { type: 'setIsPublicKeyEnabled', isEnabled: false },
        { type: 'addExtension', address: to },
      ],
    });
    assert.deepEqual(
      lines(signed)
        .slice(1, 3)
        .map((line) => line.trim().split(/ +/)),
      [
        ['signatures_allowed', 'no'],
        ['gives_control_to', to.toRawString()],
      ],
    );
  });
});

describe('extra currencies', () => {
  it('are shown by id and amount', () => {
    const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
    other.set(100, 5_000n);
    other.set(7, 1n);
    const message = internal({ to, value: 1n, extracurrency: { 100: 5_000n, 7: 1n } });
    const cell = beginCell().store(storeMessageRelaxed(message)).endCell();
    const shown = decodeStructure(cell);
    assert.ok(shown);
    assert.match(bodyLines(shown).join('\n'), /extra_currencies {2}\{7: 1, 100: 5000\}/);
  });
});

describe('token content (TEP-64)', () => {
  const attributes = { name: 'Test Token', symbol: 'TST', decimals: '6' };

  it('is read where a cell has it: by itself, and as a field of a layout', () => {
    const content = onChainContent(attributes);
    const own = decodeStructure(content);
    assert.ok(own);
    assert.equal(bodyLines(own)[0], 'on-chain token content');
    assert.ok(bodyLines(own).includes('  symbol    "TST"'));
    const link = beginCell().storeUint(1, 8).storeStringTail('https://example.com/a.json').endCell();
    const offChain = decodeStructure(link);
    assert.ok(offChain);
    assert.deepEqual(bodyLines(offChain), ['off-chain token content', '  uri  "https://example.com/a.json"']);
    const source =
      'struct (0x11223344) Change { content: cell }\nfun onInternalMessage(in: InMessage) { val msg = lazy Change.fromSlice(in.body); }';
    const set = readTolkSourceLayouts('change.tolk', 'change', source);
    const body = readBodyCell(
      beginCell().storeUint(0x11223344, 32).storeRef(content).endCell(),
      [set],
      () => true,
    );
    assert.ok(body);
    assert.match(bodyLines(body).join('\n'), /content {2}on-chain token content\n +name[^]*"Test Token"/);
  });

  it('has the parts of its chunks in their order', () => {
    const content = Cell.fromBase64(
      'te6cckECEQEAAYIAAQMAwAECAVgCBwIBIAMFAUG/RUam/+G3nP3Ya609uHQxPc3i+wXmp0qn81UtlhfHnRMEABYAVGVzdCBUb2tlbgFBv27U+UKnhIziywZrd6ESjGof+MQ/Q4otziRhK6n/q4sDBgAIAFRTVAIBIAgPAUG/Ugje9G9aHU+dzmarMJ9KhRMF8Wb5Hvedkj71jjT5ogkJAQMBwAoCA8/ACw0BASAMAMhBIGxvbmcgZGVzY3JpcHRpb24gb2YgYSB0ZXN0IHRva2VuIHdoaWNoIG5lZWRzIG1vcmUgdGhhbiBvbmUgY2VsbCwgYmVjYXVzZSBpdCBpcyBsb25nZXIgdGhhbiAxMjcgYnl0AQEgDgCYZXM7IGl0IGdvZXMgb24gYW5kIG9uIHVudGlsIGl0IHJlYWNoZXMgdGhlIG5leHQgY2VsbCwgYW5kIGEgYml0IGZ1cnRoZXIuIEVORAFBv10B+l48BpAcRQRsay3c6lr3ZP6g7tcqENQE8jEs6yR9EAAEADbk71if',
    );
    const description = readTokenContent(content).attributes['description'] ?? '';
    assert.match(
      description,
      /^A long description of a test token .* longer than 127 bytes; it goes on .* END$/,
    );
    const own = decodeStructure(content);
    assert.ok(own);
    assert.ok(
      bodyLines(own).some((line) => line.endsWith(' END"')),
      bodyLines(own).join('\n'),
    );
  });

  it('loses only the attribute that cannot be read', () => {
    const entries = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.BitString(8));
    entries.set(createHash('sha256').update('image').digest(), new BitString(Buffer.of(7), 0, 8));
    const broken = beginCell().storeUint(0, 8).storeDict(entries).endCell();
    assert.deepEqual(readTokenContent(broken), { layout: 'onchain', attributes: {} });
  });

  it('is not seen in other cells', () => {
    const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
    dictionary.set(5n, beginCell().storeUint(1, 8).endCell());
    for (const cell of [
      beginCell().storeUint(0, 8).storeDict(dictionary).endCell(),
      beginCell().storeUint(1, 8).storeUint(7, 64).endCell(),
      beginCell().storeUint(1, 8).storeStringTail('just a text').endCell(),
    ]) {
      assert.doesNotMatch(decodeStructure(cell)?.name ?? '', /content/);
    }
  });
});
