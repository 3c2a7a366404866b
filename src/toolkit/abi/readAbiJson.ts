import { limits, WorkBudget } from '../limits';

/**
 * The JSON of an ABI, with no more values than an ABI has: checking them one by one takes far longer than reading them.
 * @throws SyntaxError, WorkbenchError `over-limit` (input)
 */
export function readAbiJson(text: string): unknown {
  const json: unknown = JSON.parse(text);
  const budget = new WorkBudget('abiValues');
  const waiting = [json];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const inner: unknown[] = typeof next === 'object' && next !== null ? Object.values(next) : [];
    budget.spend(inner.length);
    waiting.push(...inner.slice(0, limits.abiValues.most).filter((value) => typeof value === 'object'));
  }
  return json;
}
