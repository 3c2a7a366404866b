type Holder = Record<string, unknown>;

/** One field of an answer, changed. */
export interface OddField {
  /** The way to it; what all objects of a kind share has one way, through `*`. */
  kind: string;
  /** How it is changed. */
  change: string;
  /** The answer; what was given is left as it was. */
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
 * Every field of an answer, however deep, in turn: left out, null, far too large, of another type. Fields of the same
 * kind are changed once: the fields of one transaction are those of all.
 *
 * @param done kinds that are passed over; those given are added
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

/** Whether a field is as documents allow it: no field is required, but what is in a list is there. */
export function isAllowed({ kind, change }: OddField): boolean {
  return ['left out', 'null'].includes(change) && !kind.endsWith('*');
}

/** Lines that show what no screen shows: a value that the program lacks. */
export function brokenLines(texts: readonly string[]): string[] {
  return texts.flatMap((text) => /.*\b(?:undefined|NaN|\[object|Invalid Date)\b.*/.exec(text)?.[0] ?? []);
}

/** Every field of an answer by the path to it, however deep; the items of a list are its fields. */
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
