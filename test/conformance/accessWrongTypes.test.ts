import assert from 'node:assert/strict';
import { decodeAnswer } from '../../src/toolkit/access/decodeAnswer';
import { v3Endpoints } from '../../src/toolkit/access/v3/v3Endpoints';
import { WorkbenchError } from '../../src/toolkit/base/errors';
import { traceFixtures } from '../support/traceFixtures';

type Path = (string | number)[];

describe('a wrong type in each field of a real answer', () => {
  const endpoint = v3Endpoints.traces;
  const text = traceFixtures().find(({ file }) => file === 'ft-sent-traces.json')?.text ?? '';

  /** What the reader says when `value` stands at `path`. */
  const failureAt = (path: Path, value: unknown): WorkbenchError | undefined => {
    const json: unknown = JSON.parse(text);
    const parent = path
      .slice(0, -1)
      .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], json);
    (parent as Record<string, unknown>)[path.at(-1) ?? ''] = value;
    try {
      decodeAnswer(endpoint, json);
      return undefined;
    } catch (error) {
      assert.ok(error instanceof WorkbenchError, `${path.join('.')}: ${String(error)}`);
      return error;
    }
  };

  it('is a wrong-shape error that names the field, or a field kept as sent', () => {
    const kept = new Set<string>();
    let refused = 0;
    for (const path of pathsOf(JSON.parse(text))) {
      // No field of an answer is a list of lists.
      const error = failureAt(path, [[7]]);
      if (error === undefined) {
        kept.add(String(path.findLast((key) => typeof key === 'string')));
        continue;
      }
      refused++;
      assert.equal(error.code, 'wrong-shape');
      // A list where a list belongs is refused for what is inside it.
      assert.deepEqual((error.details.path as Path).slice(0, path.length), path);
    }
    assert.ok(refused > 500, `only ${refused} fields are checked`);
    // Free by design: what the service decodes, what tokens say of themselves, and what is not described.
    const free = [...kept].filter((name) => !isInFreePart(name));
    assert.deepEqual(free, []);
  });

  const isInFreePart = (name: string): boolean => {
    const free = new Set<string>();
    const collect = (node: unknown, inside: boolean): void => {
      if (typeof node !== 'object' || node === null) {
        return;
      }
      for (const [key, value] of Object.entries(node)) {
        const isFree = inside || key === 'decoded' || key === 'extra';
        if (isFree) {
          free.add(key);
        }
        collect(value, isFree);
      }
    };
    collect(JSON.parse(text), false);
    return free.has(name);
  };
});

/** Every place of a JSON value, the top left out. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) {
    return path.length === 0 ? [] : [path];
  }
  const isList = Array.isArray(value);
  const inner = Object.entries(value).flatMap(([key, one]) =>
    pathsOf(one, [...path, isList ? Number(key) : key]),
  );
  return path.length === 0 ? inner : [path, ...inner];
}
