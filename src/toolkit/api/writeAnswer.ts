import * as z from 'zod';
import { isTurnOver, nextTurn } from '../base/turns';
import { misfitSuffix } from './answerReader';
import { leafOf, setOwn } from './wire';

/**
 * Encodes a value of `schema` as JSON the way a service sends it: a copy with base64 hashes, uppercase addresses, and
 * numbers as strings; unknown fields unchanged, and misfits back in place. Not recursive: a trace may be thousands of
 * transactions deep.
 */
export function writeAnswer<Value>(schema: z.ZodType<Value>, value: Value): unknown {
  const left: Task[] = [];
  const whole = written(planOf(schema), value, left);
  for (let task = left.pop(); task !== undefined; task = left.pop()) {
    fill(task, left);
  }
  return whole;
}

/** Like {@link writeAnswer}, yielding to other work while a large answer is converted. */
export async function writeAnswerInTurns<Value>(schema: z.ZodType<Value>, value: Value): Promise<unknown> {
  const left: Task[] = [];
  const whole = written(planOf(schema), value, left);
  for (let task = left.pop(); task !== undefined; task = left.pop()) {
    fill(task, left);
    if (isTurnOver()) {
      await nextTurn();
    }
  }
  return whole;
}

type Fields = Record<string, unknown>;
type Words = ReadonlyMap<unknown, ObjectPlan>;

/** How a value is encoded; created once per schema. */
type Plan =
  | { kind: 'as-is' }
  | { kind: 'leaf'; write: (value: unknown) => unknown }
  | { kind: 'list'; item: Lazy<Plan> }
  | { kind: 'map'; key: ((name: unknown) => unknown) | undefined; item: Lazy<Plan> }
  | { kind: 'variants'; discriminator: string; byWord: Lazy<Words> }
  | ObjectPlan;

interface ObjectPlan {
  kind: 'object';
  fields: Lazy<ReadonlyMap<string, Plan>>;
}

/** A list or object still to be filled: it already has its place in the answer. */
type Task =
  | { kind: 'list'; item: Plan; from: readonly unknown[]; to: unknown[] }
  | { kind: 'map'; key: ((name: unknown) => unknown) | undefined; item: Plan; from: Fields; to: Fields }
  | { kind: 'object'; fields: ReadonlyMap<string, Plan>; from: Fields; to: Fields };

function written(plan: Plan, value: unknown, left: Task[]): unknown {
  if (value === null || value === undefined || plan.kind === 'as-is') {
    return value;
  }
  if (plan.kind === 'leaf') {
    return plan.write(value);
  }
  if (plan.kind === 'list') {
    if (!Array.isArray(value)) {
      return value;
    }
    const to: unknown[] = [];
    left.push({ kind: 'list', item: plan.item(), from: value as unknown[], to });
    return to;
  }
  if (typeof value !== 'object' || Array.isArray(value)) {
    return value;
  }
  const from = value as Fields;
  const to: Fields = {};
  if (plan.kind === 'map') {
    left.push({ kind: 'map', key: plan.key, item: plan.item(), from, to });
    return to;
  }
  const object = plan.kind === 'variants' ? plan.byWord().get(from[plan.discriminator]) : plan;
  if (object === undefined) {
    return value;
  }
  left.push({ kind: 'object', fields: object.fields(), from, to });
  return to;
}

function fill(task: Task, left: Task[]): void {
  if (task.kind === 'list') {
    for (const item of task.from) {
      task.to.push(written(task.item, item, left));
    }
    return;
  }
  const { from, to } = task;
  const names = Object.keys(from);
  const hasMisfits = names.some((name) => name.endsWith(misfitSuffix));
  for (const name of names) {
    const value = from[name];
    if (hasMisfits) {
      const misfitOf = name.endsWith(misfitSuffix) ? name.slice(0, -misfitSuffix.length) : undefined;
      if (misfitOf !== undefined && from[misfitOf] === null) {
        setOwn(to, misfitOf, value);
        continue;
      }
      if (value === null && Object.hasOwn(from, `${name}${misfitSuffix}`)) {
        continue;
      }
    }
    if (task.kind === 'map') {
      setOwn(to, task.key === undefined ? name : String(task.key(name)), written(task.item, value, left));
    } else {
      const plan = task.fields.get(name);
      setOwn(to, name, plan === undefined ? value : written(plan, value, left));
    }
  }
}

const plans = new WeakMap<object, Plan>();
const asIs: Plan = { kind: 'as-is' };

function planOf(schema: unknown): Plan {
  if (typeof schema !== 'object' || schema === null) {
    return asIs;
  }
  const known = plans.get(schema);
  if (known !== undefined) {
    return known;
  }
  const plan = makePlan(schema);
  plans.set(schema, plan);
  return plan;
}

function makePlan(schema: object): Plan {
  const leaf = leafOf(schema);
  if (leaf !== undefined) {
    return { kind: 'leaf', write: (value) => leaf.write(value) };
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return planOf(schema.unwrap());
  }
  if (schema instanceof z.ZodArray) {
    return { kind: 'list', item: lazily(() => planOf(schema.element)) };
  }
  if (schema instanceof z.ZodRecord) {
    const key = leafOf(schema.keyType)?.write;
    return { kind: 'map', key, item: lazily(() => planOf(schema.valueType)) };
  }
  if (schema instanceof z.ZodObject) {
    return objectPlan(schema);
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def;
    return { kind: 'variants', discriminator, byWord: lazily(() => variantsOf(schema, discriminator)) };
  }
  return asIs;
}

function objectPlan({ shape }: z.ZodObject): ObjectPlan {
  const fields = (): ReadonlyMap<string, Plan> =>
    new Map(Object.entries(shape).map(([name, field]) => [name, planOf(field)]));
  return { kind: 'object', fields: lazily(fields) };
}

function variantsOf({ options }: z.ZodDiscriminatedUnion, discriminator: string): Words {
  const byWord = new Map<unknown, ObjectPlan>();
  for (const option of options) {
    const word = option instanceof z.ZodObject ? (option.shape[discriminator] as unknown) : undefined;
    if (option instanceof z.ZodObject && word instanceof z.ZodLiteral) {
      const plan = objectPlan(option);
      word.values.forEach((value) => byWord.set(value, plan));
    }
  }
  return byWord;
}

type Lazy<Value> = () => Value;

/** Created on first use: schemas may be recursive. */
function lazily<Value extends object>(make: () => Value): Lazy<Value> {
  let made: Value | undefined;
  return () => (made ??= make());
}
