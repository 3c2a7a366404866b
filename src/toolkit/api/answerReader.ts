import * as z from 'zod';
import type { AnswerStep, Run, ShapeFailure } from './answerSteps';
import {
  INVALID,
  anyNumber,
  anyText,
  fail,
  firstThatFits,
  flagStep,
  literal,
  numberStep,
  textStep,
} from './answerSteps';
import type { Leaf } from './wire';
import { leafOf, setOwn } from './wire';

/**
 * Decodes an answer by its schema, several times faster than zod: the schema is compiled once, through zod's public
 * API, to plain functions that check and convert freshly parsed JSON in place and keep every unknown field. zod's
 * result is the reference; a test compares the two.
 */
export interface AnswerReader<Value> {
  /** Checks and converts; `json` becomes the value and must not be used otherwise. */
  decode(json: unknown): { value: Value } | { failure: ShapeFailure };
  /**
   * Like `decode`, for untrusted data: misfits are moved to a field whose name says so (see {@link misfitName}),
   * invalid hashes and addresses stay as they are, and only data of the wrong outermost type fails. Idempotent.
   */
  salvage(json: unknown): Value | undefined;
  /** Checks without changing `json`. */
  check(json: unknown): ShapeFailure | undefined;
}

/** The name under which `salvage` keeps a misfit. */
export function misfitName(field: string): string {
  return `${field}${misfitSuffix}`;
}

export const misfitSuffix = ' (not as expected)';

const readersOf = new WeakMap<z.ZodType, AnswerReader<unknown>>();

/** The reader of a result schema, created on first use. */
export function answerReader<Value>(schema: z.ZodType<Value>): AnswerReader<Value> {
  const existing = readersOf.get(schema) as AnswerReader<Value> | undefined;
  if (existing !== undefined) {
    return existing;
  }
  const convert = compileAll(schema, 'convert');
  const salvage = compileAll(schema, 'salvage');
  const check = compileAll(schema, 'check');
  const reader: AnswerReader<Value> = {
    decode: (json) => {
      const result = convert(json);
      return result.failure === undefined ? { value: result.value as Value } : { failure: result.failure };
    },
    salvage: (json) => salvage(json).value as Value | undefined,
    check: (json) => check(json).failure,
  };
  readersOf.set(schema, reader);
  return reader;
}

type Mode = 'convert' | 'check' | 'salvage';

/** Created on first use: most schemas are only used one way. */
function compileAll(
  schema: z.ZodType,
  mode: Mode,
): (json: unknown) => { value: unknown; failure?: ShapeFailure } {
  let compiled: AnswerStep | undefined;
  return (json) => {
    const step = (compiled ??= new Compiler(mode).step(schema));
    const run: Run = { failure: { path: [], expected: '' }, waiting: [], seen: new Set(), misfits: [] };
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
  step: AnswerStep;
  isOptional: boolean;
  isNullable: boolean;
}

class Compiler {
  readonly #mode: Mode;
  readonly #done = new Map<unknown, AnswerStep>();
  readonly #open = new Set<unknown>();

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  step(schema: unknown): AnswerStep {
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

  /** A recursive schema: its objects are checked after everything around them. */
  #later(schema: unknown): AnswerStep {
    return (value, run) => {
      const step = this.#done.get(schema);
      if (step === undefined) {
        throw new Error('a recursive schema was used before it was compiled');
      }
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return fail(run, 'an object');
      }
      if (!run.seen.has(value)) {
        run.seen.add(value);
        run.waiting.push({ value, step });
      }
      return value;
    };
  }

  #make(schema: unknown): AnswerStep {
    const leaf = leafOf(schema);
    if (leaf !== undefined) {
      return this.#leaf(leaf);
    }
    if (schema instanceof z.ZodString) {
      return this.#mode === 'salvage' ? anyText : textStep;
    }
    if (schema instanceof z.ZodNumber) {
      return this.#mode === 'salvage' ? anyNumber : numberStep;
    }
    if (schema instanceof z.ZodBoolean) {
      return flagStep;
    }
    if (schema instanceof z.ZodUnknown) {
      return (value) => value;
    }
    if (schema instanceof z.ZodLiteral) {
      return literal([...schema.values]);
    }
    if (schema instanceof z.ZodObject) {
      return this.#object(schema);
    }
    if (schema instanceof z.ZodArray) {
      return this.#mode === 'salvage' ? this.#someOf(schema.element) : this.#array(schema.element);
    }
    if (schema instanceof z.ZodRecord) {
      return this.#record(schema.keyType, schema.valueType);
    }
    if (schema instanceof z.ZodOptional) {
      return this.step(schema.unwrap());
    }
    if (schema instanceof z.ZodNullable) {
      return this.#nullable(schema.unwrap());
    }
    if (schema instanceof z.ZodDiscriminatedUnion) {
      return this.#variants(schema);
    }
    if (schema instanceof z.ZodUnion) {
      return firstThatFits(schema.options.map((option) => this.step(option)));
    }
    throw new Error(`no reader for zod ${(schema as z.ZodType).type}`);
  }

  #leaf({ read, check, expected, keepsText }: Leaf): AnswerStep {
    switch (this.#mode) {
      case 'check':
        return (value, run) => (check(value) ? value : fail(run, expected));
      case 'convert':
        return (value, run) => read(value) ?? fail(run, expected);
      case 'salvage':
        return (value, run) =>
          read(value) ?? (keepsText && typeof value === 'string' ? value : fail(run, expected));
    }
  }

  #object(schema: z.ZodObject): AnswerStep {
    const fields = Object.entries(schema.shape).map(([key, field]) => this.#field(key, field));
    const isSalvage = this.#mode === 'salvage';
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
          if (result !== INVALID) {
            object[key] = result;
          } else if (isSalvage) {
            putAside(object, key, given);
            object[key] = null;
          } else {
            run.failure.path.push(key);
            return INVALID;
          }
        }
        if (run.misfits.length > 0) {
          putAside(object, key, run.misfits);
          run.misfits = [];
        }
      }
      return object;
    };
  }

  /** The object itself handles `optional` and `nullable` around a field. */
  #field(key: string, schema: unknown): Field {
    let inner = schema;
    let isOptional = false;
    let isNullable = false;
    for (;;) {
      if (inner instanceof z.ZodOptional) {
        isOptional = true;
      } else if (inner instanceof z.ZodNullable) {
        isNullable = true;
      } else {
        return { key, step: this.step(inner), isOptional, isNullable };
      }
      inner = inner.unwrap();
    }
  }

  #array(element: unknown): AnswerStep {
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

  /** The list's items that fit. */
  #someOf(element: unknown): AnswerStep {
    const step = this.step(element);
    return (value, run) => {
      if (!Array.isArray(value)) {
        return fail(run, 'a list');
      }
      const items = value as unknown[];
      const misfits: unknown[] = [];
      let kept = 0;
      for (const item of items) {
        const result = step(item, run);
        if (result !== INVALID) {
          items[kept++] = result;
        } else if (item !== null) {
          misfits.push(item);
        }
      }
      items.length = kept;
      run.misfits = misfits;
      return items;
    };
  }

  #record(keyType: unknown, valueType: unknown): AnswerStep {
    const step = this.step(valueType);
    const key = leafOf(keyType);
    const isSalvage = this.#mode === 'salvage';
    return (value, run) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return fail(run, 'an object');
      }
      const from = value as Record<string, unknown>;
      const to: Record<string, unknown> = key === undefined || this.#mode === 'check' ? from : {};
      const misfits: unknown[] = [];
      for (const name of Object.keys(from)) {
        const read = key === undefined ? name : (key.read(name) ?? (isSalvage ? name : undefined));
        const result = read === undefined ? fail(run, `${key?.expected} as key`) : step(from[name], run);
        if (result !== INVALID) {
          setOwn(to, this.#mode === 'check' ? name : (read as string), result);
        } else if (isSalvage) {
          misfits.push({ [name]: from[name] });
          if (to === from) {
            Reflect.deleteProperty(from, name);
          }
        } else {
          run.failure.path.push(name);
          return INVALID;
        }
      }
      run.misfits = misfits;
      return to;
    };
  }

  #nullable(inner: unknown): AnswerStep {
    const step = this.step(inner);
    return (value, run) => (value === null ? null : step(value, run));
  }

  /** Objects distinguished by one word. */
  #variants({ def, options }: z.ZodDiscriminatedUnion): AnswerStep {
    const { discriminator } = def;
    const byWord = new Map<unknown, AnswerStep>();
    for (const option of options) {
      const word = option instanceof z.ZodObject ? (option.shape[discriminator] as unknown) : undefined;
      if (!(word instanceof z.ZodLiteral)) {
        throw new Error(`a variant has no literal ${discriminator}`);
      }
      for (const value of word.values) {
        byWord.set(value, this.step(option));
      }
    }
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

/** Keeps misfits under a name that says so; results of an earlier pass are kept. */
function putAside(object: Record<string, unknown>, field: string, given: unknown): void {
  const name = misfitName(field);
  object[name] =
    Array.isArray(object[name]) && Array.isArray(given)
      ? [...(object[name] as unknown[]), ...(given as unknown[])]
      : given;
}

/** The path of `part` inside `whole`; only needed after a failure. */
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
