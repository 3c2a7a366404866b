import assert from 'node:assert/strict';
import { builtContract } from '../../../src/toolkit/contracts/abi/projectContract';
import { isOutdated, sourceCodes } from '../../../src/toolkit/build/sourceCodes';

const [first, second, third] = ['11', '22', '33'].map((byte) => byte.repeat(32)) as [string, string, string];
const changed = { hasChanged: true };

describe('build: the codes of a source', () => {
  it('are those compiled from it; a code of an earlier text is outdated', () => {
    const project = [
      { ...builtContract('counter', 'counter.tolk', first), ...changed },
      builtContract('counter', 'counter.tolk', second),
      builtContract('vault', 'vault.tolk', third),
    ];
    const codes = sourceCodes('counter.tolk', project);
    assert.deepEqual([...codes.earlier], [[first, 'counter']]);
    assert.deepEqual([...codes.current], [['counter', second]]);
    assert.deepEqual(
      [first, second, third, undefined].map((code) => isOutdated(codes, code)),
      [true, false, false, false],
    );
  });

  it('are unknown until the edited source is compiled', () => {
    const codes = sourceCodes('counter.tolk', [
      { ...builtContract('counter', 'counter.tolk', first), ...changed },
    ]);
    assert.equal(codes.current.size, 0);
    assert.equal(isOutdated(codes, first), false);
  });

  it('are compared per contract if a source declares several', () => {
    const project = [
      { ...builtContract('Parent', 'family.tact', first), ...changed },
      builtContract('Child', 'family.tact', second),
    ];
    // Parent was removed from the source: that is no newer code of it.
    assert.equal(isOutdated(sourceCodes('family.tact', project), first), false);
    const again = [...project, builtContract('Parent', 'family.tact', third)];
    assert.equal(isOutdated(sourceCodes('family.tact', again), first), true);
    assert.equal(isOutdated(sourceCodes('family.tact', again), second), false);
  });

  it("do not include those of build output or an ABI with the contract's name", () => {
    const abi = { ...builtContract('counter', 'counter.tolk', first), origin: 'compiler ABI' as const };
    const build = { ...builtContract('counter', 'build/counter.compiled.json', second), ...changed };
    const { earlier, current } = sourceCodes('counter.tolk', [abi, build]);
    assert.deepEqual([earlier.size, current.size], [0, 0]);
  });
});
