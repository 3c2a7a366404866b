import type { Cell } from '@ton/core';
import { Address, Dictionary, beginCell } from '@ton/core';
import assert from 'node:assert/strict';
import type { GetMethodSignature } from '../../../src/toolkit/contracts/abi/getMethodSignature';
import { readTactSource } from '../../../src/toolkit/contracts/abi/readTactSource';
import { readTolkSource } from '../../../src/toolkit/contracts/abi/readTolkSource';
import { answerValue, typeAtPath, valueText } from '../../../src/toolkit/callSheet/answerValue';
import type { PathPart } from '../../../src/toolkit/callSheet/callSheet';
import { describeGetMethodResult } from '../../../src/toolkit/getMethods/describeGetMethodResult';
import type { GetMethodResult } from '../../../src/toolkit/getMethods/getMethodResult';
import type { StackValue } from '../../../src/toolkit/stack/stackValue';

const owner = new Address(0, Buffer.alloc(32, 7));

/** `limits`, `[1]`, `.day` */
function pathOf(...parts: (string | number)[]): PathPart[] {
  return parts.map((part) => ({
    kind: typeof part === 'number' ? 'key' : 'name',
    at: { text: String(part), offset: 0, length: 1 },
  }));
}

function part(signature: GetMethodSignature, value: StackValue, ...parts: (string | number)[]): string {
  const result = { method: 'info', stack: [{ type: value.type, value, decoded: { kind: 'null' } as const }] };
  const path = pathOf(...parts);
  const found = answerValue(result, signature, path, ({ text }) => ({
    kind: 'plain',
    type: { kind: 'int' },
    value: { type: 'int', value: BigInt(text) },
  }));
  // What is checked while typing agrees with what is read.
  assert.deepEqual(typeAtPath('info', signature.result, path).kind, found.type.kind);
  return valueText(found.value);
}

describe('parts of an answer that are stored in cells', () => {
  const [tolk] = readTolkSource(`
    struct Limits { day: coins perTransfer: varuint16 }
    struct (0x12) Order { by: uint32 owner: address backup: address? note: int8? limits: Cell<Limits> kinds: map<uint8, bool> }
    get fun info(): map<uint32, Order> { return createEmptyMap(); }
    get fun other(): Cell<Limits> { return x; }`);
  const limits = beginCell().storeCoins(5n).storeUint(1, 4).storeUint(9, 8).endCell();
  const order = beginCell()
    .storeUint(0x12, 8)
    .storeUint(40, 32)
    .storeAddress(owner)
    .storeUint(0, 2)
    .storeBit(true)
    .storeInt(-3, 8)
    .storeRef(limits)
    .storeDict(Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Bool()).set(1, true))
    .endCell();
  const mapOf = (entry: Cell, inReference = false): StackValue => {
    const entries = Dictionary.empty(Dictionary.Keys.Uint(32), {
      serialize: (cell: Cell, builder) =>
        inReference ? builder.storeRef(cell) : builder.storeSlice(cell.beginParse()),
      parse: (slice) => slice.asCell(),
    });
    entries.set(7, entry);
    return { type: 'cell', cell: beginCell().storeDictDirect(entries).endCell() };
  };

  it('are reached by the names of their fields: structs in maps, and Cell<T>', () => {
    assert.ok(tolk !== undefined);
    const orders = mapOf(order);
    assert.equal(part(tolk, orders, 7, 'by'), '40');
    assert.equal(part(tolk, orders, 7, 'owner'), owner.toString());
    assert.equal(part(tolk, orders, 7, 'note'), '-3');
    assert.equal(part(tolk, orders, 7, 'limits', 'day'), '0.000000005ton');
    assert.equal(part(tolk, orders, 7, 'limits', 'perTransfer'), '9');
    assert.equal(part(tolk, orders, 7, 'kinds', 1), 'true');
    assert.throws(() => part(tolk, orders, 7, 'limits', 'dai'), {
      message: /has no “dai”/,
      hint: /Did you mean day\?/,
    });
  });

  it('are shown by their names where the answer is printed', () => {
    assert.ok(tolk !== undefined);
    const value = mapOf(order);
    const result: GetMethodResult = {
      ...{ address: owner.toRawString(), method: 'info', network: 'Local', api: 'v3', exitCode: 0 },
      ...{ exitMeaning: 'success', gasUsed: 1, arguments: [], raw: [], elapsedMs: 1 },
      stack: [{ type: 'cell', value, decoded: { kind: 'null' } }],
    };
    const text = describeGetMethodResult(result, { signature: tolk });
    assert.match(text, /7 → \{…\} 6 values\n +by +uint32 +40\n +owner +address +addr EQ/);
  });

  it('are left as they are if the cell holds something else', () => {
    assert.ok(tolk !== undefined);
    const longer = beginCell().storeSlice(order.beginParse()).storeBit(true).endCell();
    assert.throws(() => part(tolk, mapOf(longer), 7, 'by'), { code: 'call-sheet-invalid' });
    const other = beginCell().storeUint(0x13, 8).storeSlice(order.beginParse().skip(8)).endCell();
    assert.throws(() => part(tolk, mapOf(other), 7, 'by'), { code: 'call-sheet-invalid' });
  });

  it("are also found where Tact keeps a map's structs: in cells of their own", () => {
    const [tact] = readTactSource(`
      struct Order { by: Int as uint32; total: Int as coins }
      contract Shop { get fun info(): map<Int as uint32, Order> { return emptyMap(); } }`);
    assert.ok(tact !== undefined);
    const entry = beginCell().storeUint(40, 32).storeCoins(9n).endCell();
    assert.equal(part(tact, mapOf(entry, true), 7, 'by'), '40');
  });
});
