import assert from 'node:assert/strict';
import { builtContract } from '../../../src/toolkit/contracts/abi/projectContract';
import { olderCodeTitle } from '../../../src/toolkit/build/olderCodeTitle';
import { ReadCodes } from '../../../src/toolkit/build/readCodes';
import type { ReadCode } from '../../../src/toolkit/build/readCodes';
import { isOutdated, sourceCodes } from '../../../src/toolkit/build/sourceCodes';

describe('codes read from public networks', () => {
  const codeOf = (index: number): string => index.toString(16).padStart(64, '0');
  const read = (index: number, codeHash = codeOf(index)): ReadCode => ({
    ...{ network: 'Testnet', address: `0:${codeOf(index)}`, codeHash, at: index },
  });

  it('are kept for later sessions, the last of each contract; the oldest are dropped', () => {
    const codes = new ReadCodes();
    for (let index = 0; index < 600; index++) {
      assert.equal(codes.note(read(index)), true);
    }
    assert.equal(codes.note(read(100)), false);
    assert.equal(codes.note(read(599, codeOf(7))), true);
    const saved = JSON.parse(JSON.stringify(codes.all())) as ReadCode[];
    const later = new ReadCodes(saved).all();
    assert.equal(later.length, 500);
    assert.equal(later.filter(({ address }) => address === `0:${codeOf(599)}`).length, 1);
    assert.equal(later.at(-1)?.codeHash, codeOf(7));
  });

  it('tell which contracts run older code than their source compiles to', () => {
    const [old, current] = [codeOf(1), codeOf(2)];
    const codes = sourceCodes('counter.tolk', [
      { ...builtContract('Counter', 'counter.tolk', old), hasChanged: true },
      builtContract('Counter', 'counter.tolk', current),
    ]);
    const reads = new ReadCodes([read(1), read(2), read(3)]).all();
    assert.deepEqual(
      reads.filter(({ codeHash }) => isOutdated(codes, codeHash)).map(({ at }) => at),
      [1],
    );
  });

  it('are marked with the network and the time of the reading', () => {
    const now = new Date(2026, 10, 22, 18, 0, 0).getTime();
    const today = new Date(2026, 10, 22, 12, 4, 11).getTime();
    const before = new Date(2026, 10, 9, 8, 0, 0).getTime();
    const title = (names: string[], at?: number): string =>
      olderCodeTitle(names, at === undefined ? undefined : { network: 'Testnet', at }, now);
    assert.equal(title(['Counter']), 'Counter runs older code');
    assert.equal(title(['A', 'B']), 'A and B run older code');
    assert.equal(title(['Counter'], today), 'Counter on Testnet runs older code (read 12:04:11)');
    assert.equal(
      title(['A', 'B', 'C'], before),
      '3 contracts on Testnet run older code (read 2026-11-09 08:00:00)',
    );
  });
});
