import assert from 'node:assert/strict';
import { compileSource } from '../../../src/toolkit/build/compileSource';
import { followCalls } from '../../../src/toolkit/sourceMap/activations';
import { knownValues } from '../../../src/toolkit/sourceMap/knownValues';
import { placeAt } from '../../../src/toolkit/sourceMap/mapSteps';
import type { MappedSteps } from '../../../src/toolkit/sourceMap/mapSteps';
import { thrownAt, thrownLine } from '../../../src/toolkit/sourceMap/thrownAt';
import { mapText, runMapped } from './support/mappedMethod';

const source = `
struct Limits { perCall: coins }
struct Kept { total: coins  isOpen: bool  limits: Cell<Limits> }
struct One { n: uint64 }

fun onInternalMessage(in: InMessage) {}

@noinline
fun feeFor(amount: coins): int {
    return amount * 3 / 100;
}

fun keptFor(amount: coins): Kept {
    return { total: amount * 2, isOpen: true, limits: Limits { perCall: amount / 5 }.toCell() };
}

get fun pay(amount: coins): int {
    val one = One.fromCell(One { n: amount as uint64 }.toCell());
    if (one.n == 3) {
        val kept = amount * 7;
        assert (kept == one.n) throw 401;
    }
    val kept = keptFor(amount);
    val limits = kept.limits.load();
    val fee = feeFor(amount);
    assert (amount + fee <= limits.perCall) throw 402;
    return kept.isOpen ? kept.total : 0;
}

fun Limits.load() {
    return Limits.fromCell(Limits { perCall: ton("2") }.toCell());
}

get fun spend(limit: coins): int {
    val limits = lazy Limits.load();
    val share = limits.perCall;
    assert (limit <= share) throw 404;
    return 1;
}

struct Purse { spent: coins  limit: coins }

fun checkLimit(purse: Purse, more: coins) {
    assert (purse.spent + more <= purse.limit) throw 405;
}

fun Purse.check(self, more: coins, most: int) {
    assert (self.spent + more <= most) throw 406;
}

get fun take(wanted: coins): int {
    val own = Purse { spent: wanted * 2, limit: wanted };
    checkLimit(own, wanted);
    return 1;
}

get fun takeTwice(wanted: coins): int {
    val own = Purse { spent: wanted * 2, limit: wanted * 4 };
    own.check(wanted, 1000);
    own.check(wanted, 14);
    return 1;
}

fun Purse.checkMost(self, more: coins, most: int) {
    assert (self.spent + more <= most) throw 407;
}

get fun takeLast(wanted: coins): int {
    val own = Purse { spent: wanted * 2, limit: wanted * 4 };
    own.checkMost(wanted, 14);
    return 1;
}

get fun takeSum(wanted: coins): int {
    val own = Purse { spent: wanted * 2, limit: wanted };
    checkLimit(own, wanted * 3);
    return 1;
}

get fun parts(count: int): int {
    var rest = beginCell().storeUint(count, 64).endCell().beginParse();
    val first = rest.loadUint(32);
    val second = rest.loadUint(32);
    assert (second < first + 3) throw 403;
    return 1;
}
`;

describe('the values that are known at a line', () => {
  const ran = async (method: string, value: bigint): Promise<MappedSteps> => {
    const file = '/contracts/till.tolk';
    const options = { read: () => source, isTrusted: false };
    const [map, [built]] = await Promise.all([mapText(file, source), compileSource(file, options)]);
    return (await runMapped(map, built!.code, method, value)).steps;
  };
  const thrownWith = async (method: string, value: bigint): Promise<readonly string[]> =>
    thrownLine(thrownAt(await ran(method, value))!, () => 'till.tolk').values;
  const lastKnown = (steps: MappedSteps): Map<string, number | undefined> => {
    const calls = followCalls(steps.recording, steps, () => false);
    const { step } = thrownAt(steps)!;
    return new Map(knownValues(steps, calls, step).map(({ path, changedAt }) => [path, changedAt]));
  };

  it('are those that the line names, in its order and by their types, also when they left the stack', async () => {
    assert.deepEqual(await thrownWith('pay', 5_000_000_000n), [
      'amount = 5 TON',
      'fee = 150000000',
      'limits.perCall = 1 TON',
    ]);
  });

  it('are amounts by the type that a function reads, also where it does not say which', async () => {
    assert.deepEqual(await thrownWith('spend', 5_000_000_000n), ['limit = 5 TON', 'share = 2 TON']);
  });

  it('are of the variable in scope, and a struct with one field has it', async () => {
    assert.deepEqual(await thrownWith('pay', 3n), ['kept = 21', 'one.n = 3']);
    const known = lastKnown(await ran('pay', 5_000_000_000n));
    assert.ok(known.has('one.n') && !known.has('one'), [...known.keys()].join());
    assert.ok(!known.has('kept') && known.has('kept.total'));
  });

  it('are the own variables of the function, not those of what was put into it', async () => {
    const steps = await ran('pay', 5_000_000_000n);
    assert.ok(steps.map.names.some((names) => names.includes('s')));
    assert.deepEqual(
      [...lastKnown(steps).keys()].filter((path) => path === 's' || path === 'b'),
      [],
    );
  });

  it('are out of date once a line has run that changes them', async () => {
    const steps = await ran('parts', 3n);
    assert.match(placeAt(steps, thrownAt(steps)!.step)?.text ?? '', /throw 403/);
    const known = lastKnown(steps);
    const changing = source.split('\n').findIndex((line) => line.includes('val second')) + 1;
    assert.deepEqual(
      [known.get('rest'), known.has('second'), known.get('second')],
      [changing, true, undefined],
    );
  });

  it('has for the parameters of inlined functions what their callers have', async () => {
    assert.deepEqual(await thrownWith('take', 7n), [
      'purse.spent = 0.000000014 TON',
      'more = 0.000000007 TON',
      'purse.limit = 0.000000007 TON',
    ]);
    // One of two calls: which of them is not certain, so the number that differs is not told.
    assert.deepEqual(await thrownWith('takeTwice', 5n), ['more = 0.000000005 TON']);
    // A number, and nothing for what the compiler never put on the stack by itself.
    assert.deepEqual(await thrownWith('takeLast', 5n), ['more = 0.000000005 TON', 'most = 14']);
    // What is computed for the call has no name: it is not guessed.
    assert.deepEqual(await thrownWith('takeSum', 7n), [
      'purse.spent = 0.000000014 TON',
      'purse.limit = 0.000000007 TON',
    ]);
  });
});
