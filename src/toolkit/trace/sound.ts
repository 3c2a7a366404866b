/** What a field must be: `s` text, `n` number, `b` flag, `m` a map, `a` a list, `x` anything; or a nested object. */
type FieldKind = 's' | 'n' | 'b' | 'm' | 'a' | 'x' | Shape | readonly [Shape];

/** The expected fields of an object. Null and absent are always fine; fields not named here are never touched. */
export interface Shape {
  readonly [field: string]: FieldKind;
}

/**
 * `value` itself when its fields are of the kinds its shape names, so that a view can trust the types. Otherwise (only a
 * damaged or foreign file) a copy in which a misfit is turned into text where text belongs, and else stands under a name
 * that says so: it is shown, and nothing stumbles over it. Undefined when `value` is no object at all.
 */
export function soundObject<T extends object>(value: unknown, shape: Shape): T | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return undefined;
  }
  const object = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const field in shape) {
    const given = object[field];
    if (given === null || given === undefined) {
      continue;
    }
    const kind = shape[field] as FieldKind;
    const kept = soundField(given, kind);
    if (kept !== given) {
      copy ??= { ...object };
      copy[field] = kept;
      if (kept === null) {
        copy[`${field} (not as expected)`] = given;
      }
    }
  }
  return (copy ?? object) as T;
}

function soundField(given: unknown, kind: FieldKind): unknown {
  switch (kind) {
    case 'x':
      return given;
    case 's':
      return typeof given === 'number' || typeof given === 'boolean'
        ? String(given)
        : typeof given === 'string'
          ? given
          : null;
    case 'n':
      return typeof given === 'number' ? given : numberOf(given);
    case 'b':
      return typeof given === 'boolean' ? given : null;
    case 'm':
      return typeof given === 'object' && !Array.isArray(given) ? given : null;
    case 'a':
      return Array.isArray(given) ? given : null;
    default:
      return isList(kind) ? soundList(given, kind[0]) : (soundObject(given, kind) ?? null);
  }
}

function isList(kind: Shape | readonly [Shape]): kind is readonly [Shape] {
  return Array.isArray(kind);
}

function numberOf(given: unknown): number | null {
  return typeof given === 'string' && /^-?\d{1,15}$/.test(given) ? Number(given) : null;
}

function soundList(given: unknown, shape: Shape): unknown {
  if (!Array.isArray(given)) {
    return null;
  }
  let copy: unknown[] | undefined;
  given.forEach((item: unknown, index) => {
    const kept = soundObject(item, shape) ?? null;
    if (kept !== item) {
      copy ??= [...(given as unknown[])];
      copy[index] = kept;
    }
  });
  return copy ?? given;
}
