import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { referenceFolder } from './referenceFolder';

/** The types of an object's fields: `string`, `integer`, `boolean`, `any`, `object`, the name of an object, `X[]`, or `{X}` for a map. */
type Fields = Readonly<Record<string, string>>;

/** What the documents of the three services show; see test/reference/README.md. */
export interface DocumentedShapes {
  v3: {
    objects: Readonly<Record<string, Fields>>;
    /** Object of each answer that is shown, by method and path. */
    answers: Readonly<Record<string, string>>;
    /** Method and path of the endpoints whose answers are not shown. */
    openAnswers: readonly string[];
  };
  v2: { openAnswers: readonly string[] };
  payments: { header: string; prefix: string; objects: Readonly<Record<string, Fields>> };
}

/** The facts of test/reference/documented-shapes.json. */
export const documentedShapes = JSON.parse(
  readFileSync(path.join(referenceFolder, 'documented-shapes.json'), 'utf8'),
) as DocumentedShapes;

/** How an object is given within what its document leaves open. */
export type ChangeObject = (object: Record<string, unknown>, name: string) => Record<string, unknown>;

/**
 * A value as its document shows it: the named fields alone, each of its type. What the answer does not have is left out.
 *
 * @param type as in {@link DocumentedShapes}
 * @param change applied to every object, after its fields
 */
export function documentedForm(value: unknown, type: string, change: ChangeObject): unknown {
  if (type.endsWith('[]')) {
    assert.ok(Array.isArray(value), `a list of ${type}`);
    return value.map((item) => documentedForm(item, type.slice(0, -2), change));
  }
  if (type.startsWith('{')) {
    const rows = Object.entries(value as object);
    return Object.fromEntries(
      rows.map(([key, row]) => [key, documentedForm(row, type.slice(1, -1), change)]),
    );
  }
  const fields = documentedShapes.v3.objects[type];
  if (fields !== undefined) {
    const given = value as Record<string, unknown>;
    const kept = Object.entries(fields).filter(([name]) => given[name] != null);
    return change(
      Object.fromEntries(kept.map(([name, inner]) => [name, documentedForm(given[name], inner, change)])),
      type,
    );
  }
  return plainForm(value, type);
}

function plainForm(value: unknown, type: string): unknown {
  switch (type) {
    case 'integer': {
      const number = Number(value);
      assert.ok(Number.isSafeInteger(number), `${String(value)} is an integer`);
      return number;
    }
    case 'string':
      assert.ok(typeof value === 'string' || typeof value === 'number', `${String(value)} is a text`);
      return String(value);
    case 'boolean':
    case 'object':
      assert.equal(typeof value, type);
      return value;
    default:
      assert.equal(type, 'any');
      return value;
  }
}
