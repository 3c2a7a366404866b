import assert from 'node:assert/strict';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { parseTypedStack } from '../../../src/toolkit/contracts/layouts/parseTypedStack';
import { readSourceConstants } from '../../../src/toolkit/contracts/abi/readSourceConstants';
import { SheetValues } from '../../../src/toolkit/callSheet/sheetValues';
import { encodeByLayout } from '../../../src/toolkit/contracts/layouts/encodeByLayout';
import { messagesOfContract } from '../../../src/toolkit/contracts/layouts/messagesOfContract';
import { projectLayouts } from '../../../src/toolkit/contracts/layouts/projectLayouts';

describe('constants of a source', () => {
  const text = `
const LIMIT = 1_000;
const FEE: coins = ton("0.05");
struct (0x00000011) Put { amount: uint32; fee: coins }
fun onInternalMessage(in: InMessage) { val put = Put.fromSlice(in.body); }
get fun left(used: uint32): int { return LIMIT - used; }
`;
  const placed = (value: string): { text: string; offset: number; length: number } => ({
    text: value,
    offset: 0,
    length: value.length,
  });

  it('are those that are numbers or amounts, in all three languages', () => {
    const all = `${text}
const int low = -5;
const Big: Int = 0xFFFF_FFFF;
// const COMMENTED = 1;
const SUM = LIMIT + 1;
const PRODUCT = 2 * 3;
const NAME = "text";
`;
    assert.deepEqual(
      [...readSourceConstants(all)],
      [
        ['LIMIT', 1000n],
        ['FEE', 50_000_000n],
        ['low', -5n],
        ['Big', 0xffff_ffffn],
      ],
    );
  });

  it('are valid in arguments, expected values, and fields of messages', async () => {
    const project = await readProject([{ path: 'contracts/shop.tolk', text }]);
    const [method] = project.flatMap(({ methods }) => methods);
    assert.ok(method);
    const values = new SheetValues({ accounts: new Map() });
    assert.deepEqual(values.stack({ arguments: placed('LIMIT') }, method), [{ type: 'int', value: 1000n }]);
    const expected = values.typed(placed('LIMIT'), method.result, method.constants);
    assert.deepEqual(expected, values.typed(placed('1000'), method.result));
    const [message] = messagesOfContract(await projectLayouts(project), 'Shop');
    assert.ok(message);
    const { layout, set } = message;
    assert.ok(
      encodeByLayout('{amount: LIMIT, fee: FEE}', layout, set).equals(
        encodeByLayout('{amount: 1000, fee: 0.05ton}', layout, set),
      ),
    );
  });

  it('are unknown without their source, and too large where their type is', () => {
    const parameters = [{ name: 'a', type: { kind: 'int', bits: 8, signed: false } as const }];
    assert.throws(() => parseTypedStack('LIMIT', parameters));
    assert.throws(
      () => parseTypedStack('LIMIT', parameters, { constants: readSourceConstants(text) }),
      /does not fit uint8/,
    );
  });
});
