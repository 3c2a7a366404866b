import assert from 'node:assert/strict';
import { beginCell, Dictionary } from '@ton/core';
import type { Cell } from '@ton/core';
import fc from 'fast-check';
import { findStorage } from '../../../src/toolkit/contracts/layouts/layoutSet';
import type { StorageLayout } from '../../../src/toolkit/contracts/layouts/layoutSet';
import { readTolkSourceLayouts } from '../../../src/toolkit/contracts/layouts/tolkLayouts';
import { bodyChanges, stateChanges } from '../../../src/toolkit/contracts/layouts/initialLayout';
import type { StateChange } from '../../../src/toolkit/contracts/layouts/initialLayout';
import { decodeByLayout } from '../../../src/toolkit/contracts/layouts/decodeByLayout';
import type { BodyValue, DecodedBody } from '../../../src/toolkit/contracts/opcodes/decodedBody';

const source = `
struct Limits { perTransfer: coins  day: uint16 }
struct Storage { count: uint32  limits: Limits  guardians: map<uint16, Limits>  note: Cell<Limits>? }
fun Storage.load() { return Storage.fromCell(contract.getData()); }
fun onInternalMessage(in: InMessage) {}
`;

interface Limits {
  perTransfer: bigint;
  day: number;
}
interface Storage {
  count: number;
  limits: Limits;
  guardians: Map<number, Limits>;
  note: Limits | undefined;
}

function pack({ count, limits, guardians, note }: Storage): Cell {
  const limitsOf = ({ perTransfer, day }: Limits): Cell =>
    beginCell().storeCoins(perTransfer).storeUint(day, 16).endCell();
  const entries = Dictionary.empty(Dictionary.Keys.Uint(16), {
    serialize: (value: Limits, builder) => builder.storeSlice(limitsOf(value).beginParse()),
    parse: () => assert.fail(),
  });
  guardians.forEach((value, key) => entries.set(key, value));
  return beginCell()
    .storeUint(count, 32)
    .storeSlice(limitsOf(limits).beginParse())
    .storeDict(entries)
    .storeMaybeRef(note && limitsOf(note))
    .endCell();
}

const limits = fc.record({ perTransfer: fc.bigInt(0n, 5n), day: fc.nat(2) });
const storages = fc.record<Storage>({
  count: fc.nat(2),
  limits,
  guardians: fc.array(fc.tuple(fc.nat(6), limits), { maxLength: 5 }).map((entries) => new Map(entries)),
  note: fc.option(limits, { nil: undefined }),
});

/** The body after the changes; map entries in key order. */
function apply(body: DecodedBody, changes: readonly StateChange[]): DecodedBody {
  const copy = structuredClone(body);
  for (const { path, after } of changes) {
    let holder: BodyValue = { type: 'body', value: copy };
    for (const [index, part] of path.entries()) {
      const isLast = index === path.length - 1;
      if ('field' in part) {
        assert.ok(holder.type === 'body');
        const field: DecodedBody['fields'][number] = holder.value.fields.find(
          ({ name }) => name === part.field,
        )!;
        if (isLast) {
          assert.ok(after);
          field.value = after;
        }
        holder = field.value;
      } else {
        assert.ok(holder.type === 'map' && part.key.type === 'int');
        const { entries }: Extract<BodyValue, { type: 'map' }> = holder;
        const wanted = part.key.value;
        const place = entries.findIndex(({ key }) => key.type === 'int' && key.value === wanted);
        if (!isLast) {
          holder = entries[place]!.value;
        } else if (after === undefined) {
          entries.splice(place, 1);
        } else if (place < 0) {
          entries.push({ key: part.key, value: after });
          entries.sort((a, b) =>
            a.key.type === 'int' && b.key.type === 'int' ? Number(a.key.value - b.key.value) : 0,
          );
        } else {
          entries[place]!.value = after;
        }
      }
    }
  }
  return copy;
}

describe('the changes of a state', () => {
  let storage: StorageLayout;
  before(() => {
    const set = readTolkSourceLayouts('vault.tolk', 'vault', source, []);
    storage = findStorage([set], { name: 'vault' })!;
    assert.ok(storage);
  });
  const decoded = (value: Storage): DecodedBody => decodeByLayout(pack(value), storage.layout, storage.set);

  it('lead from one state to the other, and are empty between equal states', () => {
    fc.assert(
      fc.property(storages, storages, (before, after) => {
        const changes = stateChanges(pack(before), pack(after), storage);
        assert.ok(changes);
        assert.deepEqual(apply(decoded(before), changes), decoded(after));
        assert.equal(changes.length === 0, pack(before).equals(pack(after)));
      }),
    );
  });

  it('name nested fields, and entries that are added, removed, and changed', () => {
    const one: Storage = {
      count: 0,
      limits: { perTransfer: 5n, day: 1 },
      guardians: new Map([
        [1, { perTransfer: 1n, day: 1 }],
        [2, { perTransfer: 2n, day: 2 }],
      ]),
      note: undefined,
    };
    const other: Storage = {
      ...one,
      count: 1,
      limits: { perTransfer: 6n, day: 1 },
      guardians: new Map([
        [2, { perTransfer: 3n, day: 2 }],
        [3, { perTransfer: 4n, day: 4 }],
      ]),
    };
    const changes = bodyChanges(decoded(one), decoded(other));
    const names = changes.map(({ path, before, after }) => [
      path
        .map((part) => ('field' in part ? part.field : `[${part.key.type === 'int' ? part.key.value : ''}]`))
        .join('.'),
      before?.type,
      after?.type,
    ]);
    assert.deepEqual(names, [
      ['count', 'int', 'int'],
      ['limits.perTransfer', 'coins', 'coins'],
      ['guardians.[1]', 'body', undefined],
      ['guardians.[2].perTransfer', 'coins', 'coins'],
      ['guardians.[3]', undefined, 'body'],
    ]);
  });

  it('are unknown where a cell does not fit the layout', () => {
    const state = pack({
      count: 1,
      limits: { perTransfer: 1n, day: 1 },
      guardians: new Map(),
      note: undefined,
    });
    const longer = beginCell().storeSlice(state.beginParse()).storeBit(1).endCell();
    assert.equal(stateChanges(state, longer, storage), undefined);
    assert.equal(stateChanges(beginCell().endCell(), state, storage), undefined);
  });
});
