import assert from 'node:assert/strict';
import { KeptRecordings } from '../../../src/toolkit/recording/recording';
import { recordExecution } from '../../../src/toolkit/recording/recordExecution';
import type { Recording } from '../../../src/toolkit/recording/recording';

const recordingOf = (characters: number): Recording =>
  recordExecution('x'.repeat(characters), { gasAtStart: 0, gasUsed: 0, vmSteps: 0 });

describe('kept recordings', () => {
  const made: string[] = [];
  const get = (kept: KeptRecordings, key: string, characters = 0): Promise<Recording | undefined> =>
    kept.get(key, () => {
      made.push(key);
      return Promise.resolve(recordingOf(characters));
    });

  beforeEach(() => {
    made.length = 0;
  });

  it('are made once, also if they are asked for twice at the same time', async () => {
    const kept = new KeptRecordings();
    const [one, same] = await Promise.all([get(kept, 'a'), get(kept, 'a')]);
    assert.equal(one, same);
    assert.equal(await get(kept, 'a'), one);
    assert.deepEqual(made, ['a']);
  });

  it('that were used longest ago are dropped, and made again', async () => {
    const kept = new KeptRecordings({ recordings: 2, bytes: Infinity });
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) {
      await get(kept, key);
    }
    assert.deepEqual(made, ['a', 'b', 'c', 'b']);
  });

  it('are bounded in bytes, but the newest one is kept whatever its size', async () => {
    const kept = new KeptRecordings({ recordings: 10, bytes: 1_000 });
    await get(kept, 'a', 300);
    await get(kept, 'b', 300);
    await get(kept, 'b');
    assert.deepEqual(made, ['a', 'b']);
    await get(kept, 'large', 5_000);
    await get(kept, 'large');
    await get(kept, 'b');
    assert.deepEqual(made, ['a', 'b', 'large', 'b']);
  });

  it('that were made elsewhere are kept like the others', async () => {
    const kept = new KeptRecordings({ recordings: 1, bytes: Infinity });
    const recording = recordingOf(1);
    kept.keep('a', recording);
    assert.equal(await get(kept, 'a'), recording);
    kept.keep('b', recordingOf(2));
    await get(kept, 'a');
    assert.deepEqual(made, ['a']);
  });

  it('that failed are tried again', async () => {
    const kept = new KeptRecordings();
    await assert.rejects(
      kept.get('a', () => Promise.reject(new Error('canceled'))),
      /canceled/,
    );
    assert.notEqual(await get(kept, 'a'), undefined);
  });
});
