import assert from 'node:assert/strict';
import { Address, beginCell } from '@ton/core';
import type { Cell } from '@ton/core';
import fc from 'fast-check';
import { modelFrom } from '../../support/modelFrom';
import { jettonMoney } from '../../../src/toolkit/trace/jettonMoney';
import { traceActions } from '../../../src/toolkit/trace/traceActions';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import type { V3MetadataRowWire as V3MetadataRow } from '../../../src/toolkit/api/v3Objects';
import { chain, fakeAccount, syntheticTrace, tellBody } from './syntheticTrace';

const raw = (index: number): string => fakeAccount(index).toLowerCase();
const address = (index: number): Address => Address.parseRaw(raw(index));
const [owner, wallet] = [0, 1] as const;

const burn = (amount: bigint, queryId = 5): Cell =>
  beginCell()
    .storeUint(0x595f07bc, 32)
    .storeUint(queryId, 64)
    .storeCoins(amount)
    .storeAddress(address(owner))
    .storeBit(0)
    .endCell();
const notice = (amount: bigint, code = 0x7bdd97de, queryId = 5): Cell =>
  beginCell()
    .storeUint(code, 32)
    .storeUint(queryId, 64)
    .storeCoins(amount)
    .storeAddress(address(owner))
    .storeAddress(address(owner))
    .endCell();

/** The owner tells the wallet to burn; each of the bodies goes on to the next account. */
function burning(bodies: readonly Cell[], metadata?: ReadonlyMap<string, V3MetadataRow>): TraceContext {
  const trace = syntheticTrace(1 + bodies.length, chain);
  bodies.forEach((body, index) => tellBody(trace, index + 1, body));
  return new TraceContext(modelFrom(trace, { metadata }));
}

const told = (context: TraceContext): unknown => {
  const { changes, supply, unknown } = jettonMoney(context);
  return {
    changes: [...changes].map(([account, jettons]) => [account, ...jettons]),
    supply: [...supply],
    unknown,
  };
};

describe('burned jettons', () => {
  it('are deducted from their owner and the supply', () => {
    assert.deepEqual(told(burning([burn(70n), notice(70n)])), {
      changes: [[raw(owner), [raw(2), -70n]]],
      supply: [[raw(2), -70n]],
      unknown: [],
    });
  });

  it('are counted when the master is notified with its own opcode', () => {
    const context = burning([burn(70n), notice(70n, 0x297437cf)]);
    assert.deepEqual(told(context), {
      changes: [[raw(owner), [raw(2), -70n]]],
      supply: [[raw(2), -70n]],
      unknown: [],
    });
    assert.match(traceActions(context)[0]?.words ?? '', /^jetton burn 70 units of /);
  });

  it('are counted when the master is notified in an unknown way, if it is known to be the master', () => {
    const strange = beginCell().storeUint(0xabcdef01, 32).storeUint(1, 8).endCell();
    const metadata = new Map([
      [
        raw(wallet),
        { token_info: [{ type: 'jetton_wallets', extra: { owner: raw(owner), jetton: raw(2) } }] },
      ],
    ]);
    assert.deepEqual(told(burning([burn(70n), strange], metadata)), {
      changes: [[raw(owner), [raw(2), -70n]]],
      supply: [[raw(2), -70n]],
      unknown: [],
    });
    assert.deepEqual(told(burning([burn(70n), strange])), { changes: [], supply: [], unknown: [] });
  });

  it('are counted once, however often the notification is forwarded', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 20n }),
        fc.integer({ min: 0, max: 12 }),
        (amount, relays) => {
          const notices = Array.from({ length: 1 + relays }, () => notice(amount));
          const master = raw(2 + relays);
          assert.deepEqual(told(burning([burn(amount), ...notices])), {
            changes: [[raw(owner), [master, -amount]]],
            supply: [[master, -amount]],
            unknown: [],
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are two burns when the amounts differ', () => {
    const { supply } = jettonMoney(burning([burn(70n), notice(70n), notice(30n)]));
    assert.deepEqual([...supply.values()], [-70n, -30n]);
  });
});
