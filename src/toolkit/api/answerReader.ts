import type * as z from 'zod';
import { leafOf } from './wire';
import type { Leaf } from './wire';

/**
 * Reads an answer by its zod schema, several times faster than zod does: the schema is walked once into plain functions
 * that check and convert the freshly parsed JSON in place, and keep every field the schema does not name. What zod would
 * answer stays the rule; a test holds the two against each other.
 */
export interface AnswerReader<Value> {
  /** Checks and converts; `json` becomes the value and must not be used otherwise. */
  decode(json: unknown): { value: Value } | { failure: ShapeFailure };
  /** Checks only, leaving `json` as it is. */
  check(json: unknown): ShapeFailure | undefined;
}

/** Where an answer is not what its schema says. */
export interface ShapeFailure {
  /** From the top of the answer to the field. */
  path: (string | number)[];
  expected: string;
}

const readersOf = new WeakMap<z.ZodType, AnswerReader<unknown>>();

/** The reader of a result schema, made at its first use. */
export function answerReader<Value>(schema: z.ZodType<Value>): AnswerReader<Value> {
  const existing = readersOf.get(schema) as AnswerReader<Value> | undefined;
  if (existing !== undefined) {
    return existing;
  }
  const convert = compileAll(schema, true);
  const check = compileAll(schema, false);
  const reader: AnswerReader<Value> = {
    decode: (json) => {
      const result = convert(json);
      return result.failure === undefined ? { value: result.value as Value } : { failure: result.failure };
    },
    check: (json) => check(json).failure,
  };
  readersOf.set(schema, reader);
  return reader;
}

/** The value as it belongs into the parent, or INVALID with `run.failure` filled from the inside out. */
type Step = (value: unknown, run: Run) => unknown;

const INVALID = Symbol('invalid');

interface Run {
  failure: ShapeFailure;
  /** Recursive parts (children of trace nodes) wait here instead of on the call stack: chains are thousands deep. */
  waiting: { value: unknown; step: Step }[];
}

function compileAll(
  schema: z.core.$ZodType,
  converts: boolean,
): (json: unknown) => { value: unknown; failure?: ShapeFailure } {
  const step = new Compiler(converts).step(schema);
  return (json) => {
    const run: Run = { failure: { path: [], expected: '' }, waiting: [] };
    const value = step(json, run);
    if (value === INVALID) {
      return { value: undefined, failure: { ...run.failure, path: run.failure.path.reverse() } };
    }
    for (let next = run.waiting.pop(); next !== undefined; next = run.waiting.pop()) {
      if (next.step(next.value, run) === INVALID) {
        const path = [...pathTo(value, next.value), ...run.failure.path.reverse()];
        return { value: undefined, failure: { ...run.failure, path } };
      }
    }
    return { value };
  };
}

interface Field {
  key: string;
  step: Step;
  isOptional: boolean;
  isNullable: boolean;
}

class Compiler {
  readonly #converts: boolean;
  readonly #done = new Map<z.core.$ZodType, Step>();
  readonly #open = new Set<z.core.$ZodType>();

  constructor(converts: boolean) {
    this.#converts = converts;
  }

  step(schema: z.core.$ZodType): Step {
    const done = this.#done.get(schema);
    if (done !== undefined) {
      return done;
    }
    if (this.#open.has(schema)) {
      return this.#later(schema);
    }
    this.#open.add(schema);
    const step = this.#make(schema);
    this.#open.delete(schema);
    this.#done.set(schema, step);
    return step;
  }

  /** A schema inside itself: its objects are checked after everything around them. */
  #later(schema: z.core.$ZodType): Step {
    return (value, run) => {
      const step = this.#done.get(schema);
      if (step === undefined) {
        throw new Error('a recursive schema was used before it was compiled');
      }
      if (typeof value !== 'object' || value === null) {
        return fail(run, 'an object');
      }
      run.waiting.push({ value, step });
      return value;
    };
  }

  #make(schema: z.core.$ZodType): Step {
    const leaf = leafOf(schema);
    if (leaf !== undefined) {
      return this.#leaf(leaf);
    }
    const { def } = (schema as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case 'string':
      case 'number':
      case 'boolean':
        return primitive(def.type);
      case 'unknown':
        return (value) => value;
      case 'literal':
        return literal(def.values);
      case 'object':
        return this.#object(def);
      case 'array':
        return this.#array(def.element);
      case 'record':
        return this.#record(def.keyType, def.valueType);
      case 'optional':
        return this.step(def.innerType);
      case 'nullable':
        return this.#nullable(def.innerType);
      case 'union':
        return this.#union(def as z.core.$ZodDiscriminatedUnionDef);
      default:
        throw new Error(`no reader for zod ${def.type}`);
    }
  }

  #leaf({ read, check, expected }: Leaf): Step {
    if (!this.#converts) {
      return (value, run) => (check(value) ? value : fail(run, expected));
    }
    return (value, run) => read(value) ?? fail(run, expected);
  }

  #object(def: z.core.$ZodObjectDef): Step {
    const fields = Object.entries(def.shape).map(([key, schema]) => this.#field(key, schema));
    return (value, run) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return fail(run, 'an object');
      }
      const object = value as Record<string, unknown>;
      for (const { key, step, isOptional, isNullable } of fields) {
        const given = object[key];
        if ((given === undefined && isOptional) || (given === null && isNullable)) {
          continue;
        }
        const result = given === undefined ? fail(run, 'a value') : step(given, run);
        if (result !== given) {
          if (result === INVALID) {
            run.failure.path.push(key);
            return INVALID;
          }
          object[key] = result;
        }
      }
      return object;
    };
  }

  /** `optional` and `nullable` around a field are answered by the object itself. */
  #field(key: string, schema: z.core.$ZodType): Field {
    let inner = schema;
    let isOptional = false;
    let isNullable = false;
    for (;;) {
      const { def } = (inner as z.core.$ZodTypes)._zod;
      if (def.type === 'optional') {
        isOptional = true;
      } else if (def.type === 'nullable') {
        isNullable = true;
      } else {
        return { key, step: this.step(inner), isOptional, isNullable };
      }
      inner = def.innerType;
    }
  }

  #array(element: z.core.$ZodType): Step {
    const step = this.step(element);
    return (value, run) => {
      if (!Array.isArray(value)) {
        return fail(run, 'a list');
      }
      const items = value as unknown[];
      for (let index = 0; index < items.length; index++) {
        const result = step(items[index], run);
        if (result === INVALID) {
          run.failure.path.push(index);
          return INVALID;
        }
        items[index] = result;
      }
      return items;
    };
  }

  #record(keyType: z.core.$ZodType, valueType: z.core.$ZodType): Step {
    const step = this.step(valueType);
    const readKey = this.#converts ? leafOf(keyType) : undefined;
    const checkKey = leafOf(keyType);
    return (value, run) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return fail(run, 'an object');
      }
      const from = value as Record<string, unknown>;
      const to: Record<string, unknown> = readKey === undefined ? from : {};
      for (const key of Object.keys(from)) {
        const newKey = checkKey === undefined ? key : checkKey.read(key);
        const result =
          newKey === undefined ? fail(run, `${checkKey?.expected} as key`) : step(from[key], run);
        if (result === INVALID) {
          run.failure.path.push(key);
          return INVALID;
        }
        to[readKey === undefined ? key : (newKey as string)] = result;
      }
      return to;
    };
  }

  #nullable(inner: z.core.$ZodType): Step {
    const step = this.step(inner);
    return (value, run) => (value === null ? null : step(value, run));
  }

  /** Either objects told apart by one word, or leaves of which the first that fits is taken. */
  #union(def: z.core.$ZodDiscriminatedUnionDef): Step {
    const options = def.options.map((option) => this.step(option));
    const { discriminator } = def;
    if (discriminator === undefined) {
      return firstThatFits(options);
    }
    const byWord = new Map<unknown, Step>();
    def.options.forEach((option, index) => {
      for (const word of option._zod.propValues?.[discriminator] ?? []) {
        byWord.set(word, options[index] as Step);
      }
    });
    return (value, run) => {
      if (typeof value !== 'object' || value === null) {
        return fail(run, 'an object');
      }
      const step = byWord.get((value as Record<string, unknown>)[discriminator]);
      if (step === undefined) {
        run.failure.path.push(discriminator);
        return fail(run, [...byWord.keys()].map((word) => JSON.stringify(word)).join(' or '));
      }
      return step(value, run);
    };
  }
}

function primitive(type: 'string' | 'number' | 'boolean'): Step {
  const expected = `a ${type}`;
  // typeof against a constant is faster than against a variable.
  switch (type) {
    case 'string':
      return (value, run) => (typeof value === 'string' ? value : fail(run, expected));
    case 'number':
      return (value, run) => (Number.isFinite(value) ? value : fail(run, expected));
    case 'boolean':
      return (value, run) => (typeof value === 'boolean' ? value : fail(run, expected));
  }
}

function literal(values: readonly unknown[]): Step {
  const expected = values.map((value) => JSON.stringify(value)).join(' or ');
  return (value, run) => (values.includes(value) ? value : fail(run, expected));
}

function firstThatFits(options: readonly Step[]): Step {
  return (value, run) => {
    const expectations: string[] = [];
    for (const step of options) {
      const result = step(value, run);
      if (result !== INVALID) {
        return result;
      }
      expectations.push(run.failure.expected);
      run.failure.path.length = 0;
    }
    return fail(run, expectations.join(' or '));
  };
}

/** Where `part` is inside `whole`; only asked for after a failure. */
function pathTo(whole: unknown, part: unknown): (string | number)[] {
  const seen: { value: unknown; path: (string | number)[] }[] = [{ value: whole, path: [] }];
  for (let next = seen.pop(); next !== undefined; next = seen.pop()) {
    const { value, path } = next;
    if (value === part) {
      return path;
    }
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      for (const [key, inner] of Object.entries(value)) {
        seen.push({ value: inner as unknown, path: [...path, isList ? Number(key) : key] });
      }
    }
  }
  return [];
}

function fail(run: Run, expected: string): typeof INVALID {
  run.failure.expected = expected;
  return INVALID;
}
