import assert from 'node:assert/strict';
import { faultsOf } from '../../../scripts/lib/scanRegExps.mjs';

describe('the scan of regular expressions', () => {
  const found = (source: string, flags = ''): { source: string; flags: string; places: string[] } => ({
    source,
    flags,
    places: ['a.ts:1'],
  });

  it('finds exponential and polynomial patterns', () => {
    assert.match(faultsOf([found('^(a|a)*$')], [], {})[0] ?? '', /^a\.ts:1: .* is vulnerable \(exponential/);
    assert.match(faultsOf([found(' +$')], [], {})[0] ?? '', /polynomial/);
    assert.deepEqual(faultsOf([found('^[a-z]+$')], [], {}), []);
  });

  it('requires a reason for each exception, and that it still applies', () => {
    const known = [{ pattern: '/ +$/', reason: 'short' }];
    assert.deepEqual(faultsOf([found(' +$')], known, {}), []);
    assert.match(faultsOf([], known, {})[0] ?? '', /is not in src any more/);
    assert.match(faultsOf([found('RegExp(a)', 'made')], [], {})[0] ?? '', /made of parts/);
  });

  it('caches what it has scanned', () => {
    const cache: Parameters<typeof faultsOf>[2] = {};
    faultsOf([found('^[a-z]+$')], [], cache);
    assert.deepEqual(
      Object.values(cache).map(({ status }) => status),
      ['safe'],
    );
  });
});
