import assert from 'node:assert/strict';
import { sourcePlaces } from '../../../src/toolkit/contracts/abi/readTlbComments';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { LayoutSet, StructLayout } from '../../../src/toolkit/contracts/layouts/layoutSet';
import { encodeByLayout, encodeField } from '../../../src/toolkit/contracts/layouts/encodeByLayout';
import { fieldPrompts, structText } from '../../../src/toolkit/contracts/layouts/fieldPrompts';
import {
  messageNamed,
  messagesOfContract,
  messageWord,
} from '../../../src/toolkit/contracts/layouts/messagesOfContract';
import { readTolkSourceLayouts } from '../../../src/toolkit/contracts/layouts/tolkLayouts';

const source = `
struct Limits { daily: coins; single: coins = ton("1") }
enum Color: uint8 { Red Green }
struct (0x01) Deposit { amount: coins }
struct (0x02) Close {}
type Request = Deposit | Close
struct (0x00000011) AddGuardian {
  queryId: uint64 = 0
  /// Who may sign.
  /// In the name of others too.
  who: address
  heir: address?
  limits: Cell<Limits>
  note: (uint8, bool)?
  isOpen: bool
  color: Color
  request: Request
  weights: map<address, uint32>
  fee: coins = SOME_CONSTANT
}
fun onInternalMessage(in: InMessage) { val message = lazy AddGuardian.fromSlice(in.body); }
`;
const bob = `0:${'b0'.repeat(32)}`;
const options = { accounts: new Map([['bob', bob]]) };

function layoutOf(name: string, set: LayoutSet): StructLayout {
  const layout = [...set.structs.values()].find((one) => one.name === name);
  assert.ok(layout, name);
  return layout;
}

describe('asking for the fields of a struct', () => {
  const set = readTolkSourceLayouts('vault.tolk', 'vault', source);
  const layout = layoutOf('AddGuardian', set);
  const forms = fieldPrompts(layout, set, 'alice');
  const form = (name: string): (typeof forms)[number] => {
    const found = forms.find(({ field }) => field.name === name);
    assert.ok(found, name);
    return found;
  };

  it("starts with the source's default if that is a value, else with a harmless one", () => {
    const starts = Object.fromEntries(forms.map(({ field, start }) => [field.name, start]));
    assert.deepEqual(starts, {
      queryId: '0',
      who: undefined,
      heir: undefined,
      limits: '{daily: 0ton, single: 1ton}',
      note: 'null',
      isOpen: 'false',
      color: 'Red',
      request: undefined,
      weights: '{}',
      fee: '0ton',
    });
  });

  it('includes the type, the comment, and the possible values if they can be listed', () => {
    assert.equal(form('limits').typeText, 'Cell<Limits>');
    assert.match(form('who').field.comment ?? '', /^Who may sign\./);
    assert.deepEqual(
      ['who', 'heir', 'weights', 'note'].map((name) => form(name).takesAccount),
      [true, true, false, false],
    );
    assert.deepEqual(form('who').choices, []);
    assert.deepEqual(
      form('heir').choices.map(({ value }) => value),
      ['none'],
    );
    assert.deepEqual(
      form('isOpen').choices.map(({ value }) => value),
      ['true', 'false'],
    );
    assert.deepEqual(
      form('color').choices.map(({ value, description }) => [value, description]),
      [
        ['Red', '0'],
        ['Green', '1'],
      ],
    );
  });

  it('offers the variants of a union, and completes only those with fields', () => {
    assert.deepEqual(form('request').choices, [
      { value: 'Deposit {amount: 0ton}', label: 'Deposit', isStart: true, description: '{amount: 0ton}' },
      { value: 'Close {}', label: 'Close' },
    ]);
  });

  it('has initial values and choices that are valid, and together form the struct', () => {
    const texts = forms.map(({ field, start, choices }) => {
      const given = [start, ...choices.map(({ value }) => value)].filter((text) => text !== undefined);
      const all = given.map((text) => text.replaceAll('alice', 'bob'));
      all.forEach((text) => assert.ok(encodeField(text, field, set, options), `${field.name}: ${text}`));
      return all[0] ?? 'bob';
    });
    const text = structText(layout, texts);
    assert.match(text, /^\{queryId: 0, who: bob, heir: none, limits: \{daily: 0ton, single: 1ton\}, /);
    const body = encodeByLayout(text, layout, set, options).beginParse();
    assert.equal(body.loadUint(32), 0x11);
    assert.equal(body.loadUintBig(64), 0n);
    assert.equal(body.loadAddress().toRawString(), bob);
  });

  it("leaves an empty text to the source's default", () => {
    const two = layoutOf('Limits', set);
    assert.equal(structText(two, ['5ton', '']), '{daily: 5ton}');
    const full = encodeByLayout('{daily: 5ton, single: 1ton}', two, set);
    assert.ok(encodeByLayout(structText(two, ['5ton', '']), two, set).equals(full));
  });

  it('says what is wrong with one field, at its position in that text', () => {
    const refused = (name: string, text: string): { message: string; offset: unknown } => {
      try {
        encodeField(text, form(name).field, set, options);
      } catch (error) {
        assert.ok(WorkbenchError.is(error, 'stack-text-invalid'), String(error));
        return { message: error.message, offset: error.details['offset'] };
      }
      throw new Error(`${name} took ${text}`);
    };
    assert.deepEqual(refused('queryId', '-1').offset, 0);
    assert.match(refused('queryId', '').message, /queryId needs a value: uint64/i);
    assert.match(refused('queryId', '1, who: bob').message, /nothing can follow/i);
    assert.deepEqual(refused('limits', '{daly: 1ton}').offset, 1);
    assert.match(refused('who', 'none').message, /takes an address/);
  });
});

describe('naming a message of a contract in a line', () => {
  const two = ['vault', 'shop'].map((name) =>
    readTolkSourceLayouts(
      `${name}.tolk`,
      name,
      `struct (0x00000001) Ping { id: uint8 }
       struct (0x0000000${name.length}) Only${name} {}`,
    ),
  );
  const ping = messagesOfContract(two, 'Shop').find(({ layout }) => layout.name === 'Ping')!;

  it("includes the contract's name only if necessary", () => {
    assert.equal(messageWord(two, ping, 'Shop'), 'Ping');
    assert.equal(messageWord(two, ping, 'Shop-2'), 'shop.Ping');
    const only = messagesOfContract(two, 'vault').find(({ layout }) => layout.name === 'Onlyvault')!;
    assert.equal(messageWord(two, only, 'anything'), 'Onlyvault');
  });

  it('refers to the same message when read back', () => {
    for (const receiver of ['Shop', 'Shop-2', 'bob']) {
      const found = messageNamed(two, messageWord(two, ping, receiver), receiver);
      assert.ok(found !== undefined && !('ambiguous' in found) && found.layout === ping.layout, receiver);
    }
  });
});

describe('the positions of structs in a source', () => {
  it('are those of their declarations, with and without an opcode', () => {
    const text =
      '// struct Not {}\nstruct A { x: int8 }\nstruct (0x11) B {}\nfun onInternalMessage(in: InMessage) {}';
    const { structs, entry } = sourcePlaces(text, 'tolk');
    assert.deepEqual(
      [...structs].map(([name, offset]) => [name, text.slice(offset, offset + 6)]),
      [
        ['A', 'struct'],
        ['B', 'struct'],
      ],
    );
    assert.equal(text.slice(entry, (entry ?? 0) + 3), 'fun');
    assert.equal(sourcePlaces('struct A {}', 'tolk').entry, undefined);
  });

  it('are those of messages in Tact', () => {
    const text = 'message(0x10) Add { n: Int }\nmessage Sub { n: Int }\ncontract C {}';
    assert.deepEqual([...sourcePlaces(text, 'tact').structs.keys()], ['Add', 'Sub']);
    assert.equal(sourcePlaces(text, 'tact').entry, text.indexOf('contract'));
  });

  it('do not exist in FunC, whose entry point is recv_internal', () => {
    const text = ';; recv_internal(\n() recv_internal(int value, cell message, slice body) impure { }';
    const { structs, entry } = sourcePlaces(text, 'func');
    assert.deepEqual([structs.size, entry], [0, text.lastIndexOf('recv_internal')]);
    assert.equal(sourcePlaces('int seven() { return 7; }', 'func').entry, undefined);
  });
});
