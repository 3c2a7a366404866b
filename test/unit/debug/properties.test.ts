import assert from 'node:assert/strict';
import {
  comesBackExactly,
  stopsWhereItDiffers,
  visitsTheSame,
  watchedIn,
} from '../../support/debugProperties';
import { debuggedMethod } from './support/debuggedMethod';
import type { DebuggedMethod } from './support/debuggedMethod';
import { walks } from './support/walks';

describe('moving through executions', () => {
  const runs: readonly [string, () => Promise<DebuggedMethod>][] = [
    ['Tolk', () => debuggedMethod('walk.tolk', walks.tolk, ['walk', 20n])],
    ['FunC', () => debuggedMethod('walk.fc', walks.func, ['walk', 20n])],
    ['assembly', () => debuggedMethod('walk.tolk', walks.tolk, ['walk', 20n], false)],
  ];
  for (const [language, load] of runs) {
    describe(`in ${language}`, () => {
      let debugged: DebuggedMethod;
      before(async () => {
        debugged = await load();
      });

      it('gives every variable back: steps forward, then as many back', () =>
        comesBackExactly(debugged.program, 25));
      it('visits the same breakpoints forward and, in the opposite order, backward', () =>
        visitsTheSame(debugged.program, 20));
      it('stops exactly where a watched value differs', async () => {
        const { view } = debugged;
        const changes = [];
        for (const data of watchedIn(view)) {
          changes.push([data.kind, await stopsWhereItDiffers(view, data)] as const);
        }
        for (const kind of ['c4', 'c7', 'global', ...(language === 'assembly' ? [] : ['name'])]) {
          assert.ok(
            changes.some(([one, count]) => one === kind && count > 0),
            `${kind}: ${String(changes)}`,
          );
        }
      });
    });
  }
});
