import assert from 'node:assert/strict';
import { faultsOf } from '../../../scripts/lib/scanRegExps.mjs';

describe('the scan of regular expressions', () => {
  const found = (source: string, flags = ''): { source: string; flags: string; places: string[] } => ({
    source,
    flags,
    places: ['a.ts:1'],
  });
  const none = new Set<string>();

  it('finds exponential and polynomial patterns', () => {
    const first = (source: string): string => faultsOf([found(source)], [], none).faults[0] ?? '';
    assert.match(first('^(a|a)*$'), /^a\.ts:1: .* is vulnerable \(exponential/);
    assert.match(first(' +$'), /polynomial/);
    assert.equal(first('^[a-z]+$'), '');
  });

  it('requires a reason for each exception, and that it still applies', () => {
    const known = [{ pattern: '/ +$/', reason: 'short' }];
    assert.deepEqual(faultsOf([found(' +$')], known, none), { faults: [], safe: [] });
    assert.match(faultsOf([], known, none).faults[0] ?? '', /is not in src any more/);
    assert.match(faultsOf([found('RegExp(a)', 'made')], [], none).faults[0] ?? '', /made of parts/);
  });

  it('scans a pattern once: the safe ones are listed, each with its flags', () => {
    const { safe } = faultsOf([found('^[a-z]+$')], [], none);
    assert.equal(safe.length, 1);
    assert.deepEqual(faultsOf([found('^[a-z]+$')], [], new Set(safe)).safe, safe);
    assert.notDeepEqual(faultsOf([found('^[a-z]+$', 'i')], [], none).safe, safe);
    assert.deepEqual(faultsOf([found(' +$')], [], new Set(safe)).safe, []);
  });
});
