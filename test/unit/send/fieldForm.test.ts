import assert from 'node:assert/strict';
import { actionRow, nextToFill, valueRow } from '../../../src/toolkit/send/fieldForm';
import type { FormValue } from '../../../src/toolkit/send/fieldForm';

const queryId: FormValue = { name: 'queryId', type: 'uint64', text: '0', problem: undefined };
const missing: FormValue = { name: 'who', type: 'address', text: '', problem: 'A value is missing.' };
const wrong: FormValue = { name: 'weight', type: 'uint32', text: '-1', problem: 'uint32 has no sign.' };
const from: FormValue = {
  name: 'from',
  type: 'sender',
  text: 'alice',
  problem: undefined,
  note: '999 TON, signs',
};
const send = { label: 'Rehearse and Send', icon: 'play', anyway: 'Send Anyway' };

describe('the rows of a form', () => {
  it('say name, value and state', () => {
    assert.deepEqual([queryId, missing, wrong, from].map(valueRow), [
      { icon: 'blank', label: 'queryId: 0', description: 'uint64' },
      { icon: 'circle-outline', label: 'who: ', description: 'address, to be filled in' },
      { icon: 'error', label: 'weight: -1', description: 'uint32, uint32 has no sign.' },
      { icon: 'blank', label: 'from: alice', description: 'sender, 999 TON, signs' },
    ]);
  });

  it('show a long value shortened, and nothing of it as an icon or a control character', () => {
    const { label } = valueRow({ ...queryId, text: `$(error)\u202e${'x'.repeat(100)}` });
    assert.match(label, /^queryId: \\\$\(error\)\\u\{202e\}x+…$/);
    assert.ok(label.length < 100, label);
  });

  it('lead to the first value that is missing or invalid, and end at the last row', () => {
    assert.equal(nextToFill([queryId, wrong, missing]), 1);
    assert.equal(nextToFill([queryId, from]), 2);
    assert.equal(nextToFill([]), 0);
  });

  it('end with what goes on, and what would come of it', () => {
    const row = (...parameters: Parameters<typeof actionRow>): string => {
      const { icon, label, description } = actionRow(...parameters);
      return `${icon} ${label} | ${description}`;
    };
    const fine = { state: 'fine', text: 'succeeds, fees 0.003 TON' } as const;
    const fails = { state: 'fails', text: 'would fail: ERR_OVER_LIMIT' } as const;
    assert.equal(row(send, [queryId], undefined), 'play Rehearse and Send | ');
    assert.equal(row(send, [queryId], fine), 'play Rehearse and Send | ✓ succeeds, fees 0.003 TON');
    assert.equal(row(send, [queryId], fails), 'warning Send Anyway | ✗ would fail: ERR_OVER_LIMIT');
    assert.equal(
      row({ label: 'Debug', icon: 'debug' }, [queryId], fails),
      'debug Debug | ✗ would fail: ERR_OVER_LIMIT',
    );
    assert.equal(
      row(send, [queryId], { state: 'checking', text: 'rehearsing' }),
      'play Rehearse and Send | ◌ rehearsing',
    );
    // An old verdict says nothing about a form with a hole.
    assert.equal(row(send, [queryId, missing], fine), 'play Rehearse and Send | fill in who first');
    assert.equal(row(send, [wrong], fails), 'play Rehearse and Send | correct weight first');
  });
});
