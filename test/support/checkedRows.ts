import assert from 'node:assert/strict';
import type { CheckRow } from '../../src/toolkit/webhook/check/shopRules';
import { checkEndpoint } from '../../src/toolkit/workflows/checkEndpoint';
import type { CheckEndpointParameters } from '../../src/toolkit/workflows/checkEndpoint';
import { HastyClock } from './hastyClock';

/** All rows of a check, without its pauses; each was told as it came, and counted. */
export async function checkedRows(parameters: CheckEndpointParameters): Promise<readonly CheckRow[]> {
  const told: CheckRow[] = [];
  for await (const event of checkEndpoint({ clock: new HastyClock(), ...parameters })) {
    if (event.type === 'ended') {
      assert.deepEqual(told, event.rows);
      assert.deepEqual(
        event.broken,
        told.filter(({ ok }) => !ok),
      );
      return event.rows;
    }
    assert.equal(told.push(event.row), event.count);
    assert.ok(event.count <= event.of);
  }
  throw new Error('a check ends with all of its rows');
}
