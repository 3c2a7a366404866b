import assert from 'node:assert/strict';
import { Cell } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { fileName } from '../../../src/toolkit/base/text';
import { placeAt } from '../../../src/toolkit/sourceMap/mapSteps';
import type { MappedSteps } from '../../../src/toolkit/sourceMap/mapSteps';
import { splitStack } from '../../../src/toolkit/recording/splitStack';
import { thrownAt, thrownText } from '../../../src/toolkit/sourceMap/thrownAt';
import { mapText, runMapped } from './support/mappedMethod';

const source = `fun onInternalMessage(in: InMessage) {}
@inline_ref
fun tripled(a: int): int {
    assert (a != 77777) throw 300;
    return a * 3;
}
@inline_ref
fun threefold(a: int): int {
    assert (a != 77777) throw 300;
    return a * 3;
}
get fun both(a: int): int {
    var sum = tripled(a);
    sum += threefold(a + 1);
    return sum;
}
get fun counted(n: int): int {
    var total = 0;
    repeat (n) {
        total += n;
    }
    return total;
}
`;

const file = '/contracts/steps.tolk';

describe('the lines of steps', () => {
  let code: string;

  before(async () => {
    const compiled = await runTolkCompiler({ entrypointFileName: file, fsReadCallback: () => source });
    assert.ok(compiled.status === 'ok');
    code = compiled.codeBoc64;
  });

  async function mapped(method: string, ...values: bigint[]): Promise<MappedSteps> {
    const map = await mapText(file, source);
    assert.equal(map.codeHash, Cell.fromBase64(code).hash().toString('hex'));
    return (await runMapped(map, code, method, ...values)).steps;
  }

  /** The lines in the order in which they ran, without repetition. */
  function linesOf(steps: MappedSteps): number[] {
    const lines = Array.from({ length: steps.recording.steps }, (_, step) => placeAt(steps, step)?.line ?? 0);
    return lines.filter((line, index) => line !== lines[index - 1]);
  }

  it('are those of the source, in the order in which they ran', async () => {
    const steps = await mapped('counted', 3n);
    assert.deepEqual(linesOf(steps), [0, 18, 19, 20, 22]);
    const names = Array.from(steps.names, (list) => steps.map.names[list]?.join(' '));
    assert.ok(names.includes('n total'), names.join('; '));
  });

  it('are not taken from another method that has the same cell, if the one that runs was refused', async () => {
    const shared = `fun onInternalMessage(in: InMessage) {}
@inline_ref
fun first(a: int): int {
    return a * 1234567 + 5;
}
@inline_ref
fun second(a: int): int {
    return a * 1234567 + 5;
}
get fun one(a: int): int {
    return first(a);
}
get fun other(a: int): int {
    return second(a) + a;
}
`;
    const compiled = await runTolkCompiler({ entrypointFileName: file, fsReadCallback: () => shared });
    assert.ok(compiled.status === 'ok');
    const map = await mapText(file, shared);
    const whole = await runMapped(map, compiled.codeBoc64, 'other', 2n);
    assert.deepEqual(linesOf(whole.steps), [0, 14, 8, 14]);
    const methods = map.methods.map((method) =>
      method.name === 'other'
        ? {
            ...method,
            refused: 'a test',
            cells: method.marks.map(({ cell }) => cell),
            marks: [],
            parents: [],
          }
        : method,
    );
    const { steps } = await runMapped({ ...map, methods }, compiled.codeBoc64, 'other', 2n);
    assert.deepEqual(linesOf(steps), [0]);
    const own = await runMapped({ ...map, methods }, compiled.codeBoc64, 'one', 2n);
    assert.deepEqual(linesOf(own.steps), [0, 11, 4]);
  });

  it('say where an execution failed, with the values there', async () => {
    const thrown = thrownAt(await mapped('both', 77_776n));
    assert.deepEqual([thrown?.place.function, thrown?.place.line], ['threefold', 9]);
    assert.deepEqual(thrown?.values, [{ name: 'a', value: '77777' }]);
    assert.deepEqual(thrownText(thrown, fileName), [
      'threw at steps.tolk:9: assert (a != 77777) throw 300;',
      '  a = 77777',
    ]);
    assert.equal(thrownAt(await mapped('both', 1n)), undefined);
  });

  it('read stacks with tuples, cells, and nulls in them', () => {
    assert.deepEqual(splitStack(' 1 [ 2 [ 3 ] ] (null) CS{B5EE9C72} -4 '), [
      '1',
      '[ 2 [ 3 ] ]',
      '(null)',
      'CS{B5EE9C72}',
      '-4',
    ]);
  });

  it('are told apart where two functions are the same cell', async () => {
    const steps = await mapped('both', 5n);
    const cells = new Set(
      steps.map.methods.flatMap(({ name, marks }) => (name === 'both' ? marks.map(({ cell }) => cell) : [])),
    );
    const inFirst = steps.map.places.filter(({ function: name }) => name === 'tripled');
    // Both functions are compiled to one cell.
    assert.equal(cells.size, 2);
    assert.ok(inFirst.length > 0);
    assert.deepEqual(linesOf(steps), [0, 13, 4, 5, 14, 9, 10, 14]);
  });
});
