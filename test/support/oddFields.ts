type Holder = Record<string, unknown>;

/** An answer with one field changed. */
export interface OddField {
  /** The path of the field, with `*` for parts that all objects of a kind share. */
  kind: string;
  /** The kind of change. */
  change: string;
  /** The changed answer; the original stays as it was. */
  answer: unknown;
}

const changes: Readonly<Record<string, (holder: Holder, name: string) => void>> = {
  'left out': (holder, name) => {
    if (Array.isArray(holder)) {
      holder.splice(Number(name), 1);
    } else {
      Reflect.deleteProperty(holder, name);
    }
  },
  null: (holder, name) => (holder[name] = null),
  'far too large': (holder, name) => {
    if (typeof holder[name] === 'number') {
      holder[name] = Number.MAX_SAFE_INTEGER;
    } else if (/^\d+$/.test(String(holder[name]))) {
      holder[name] = '9'.repeat(60);
    }
  },
  'of another type': (holder, name) => (holder[name] = typeof holder[name] === 'object' ? 'x' : ['x']),
};

/**
 * Every field of an answer, at any depth, in turn: omitted, null, far too large, of another type. Fields of
 * the same kind are changed once: one transaction's fields stand for those of all.
 *
 * @param done kinds to skip; new ones are added
 */
export function* oddFields(answer: unknown, done: Set<string> = new Set()): Generator<OddField> {
  for (const [kind, path] of new Map(pathsOf(answer).map((one) => [kindOf(one), one]))) {
    if (done.has(kind)) {
      continue;
    }
    done.add(kind);
    for (const [what, change] of Object.entries(changes)) {
      const odd = changed(answer, path, change);
      if (what !== 'far too large' || JSON.stringify(odd) !== JSON.stringify(answer)) {
        yield { kind, change: what, answer: odd };
      }
    }
  }
}

/** Whether the changed field is allowed by the documents: no field is required, but items of lists exist. */
export function isAllowed({ kind, change }: OddField): boolean {
  return ['left out', 'null'].includes(change) && !kind.endsWith('*');
}

/** Lines with something that must never be shown: a value that the program lacks. */
export function brokenLines(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const at = text.search(/\b(?:undefined|NaN|\[object|Invalid Date)\b/);
    return at < 0 ? [] : [text.slice(text.lastIndexOf('\n', at) + 1).split('\n', 1)[0] ?? ''];
  });
}

/** Every field of an answer by its path, at any depth; the items of a list are its fields. */
function pathsOf(root: unknown): string[][] {
  const paths: string[][] = [];
  const stack: { value: unknown; path: string[] }[] = [{ value: root, path: [] }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, path } = next;
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        paths.push([...path, name]);
        stack.push({ value: inner as unknown, path: [...path, name] });
      }
    }
  }
  return paths;
}

function kindOf(path: readonly string[]): string {
  return path.map((name) => (/^\d+$|^[A-Za-z0-9+/=:-]{40,}$/.test(name) ? '*' : name)).join('.');
}

function changed(
  answer: unknown,
  path: readonly string[],
  change: (holder: Holder, name: string) => void,
): unknown {
  const copy = structuredClone(answer) as Holder;
  const holder = path.slice(0, -1).reduce<Holder>((inner, name) => inner[name] as Holder, copy);
  change(holder, path.at(-1) ?? '');
  return copy;
}
