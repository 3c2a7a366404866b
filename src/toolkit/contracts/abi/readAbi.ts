import type * as z from 'zod';
import { checkShape } from '../../base/checkShape';
import { WorkbenchError } from '../../base/errors';
import { WorkBudget, limits } from '../../base/limits';

/** The text is not the kind of ABI that its file name says: `abi-unreadable` (input). */
export function abiUnreadableError(what: string, reason: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'abi-unreadable',
    kind: 'input',
    message: `This is not a ${what}: ${reason}.`,
    hint: 'Build the contract again, or choose another file.',
    cause,
  });
}

/** No file in the project contains the code of the contract to deploy. */
export function contractNotBuilt(contract: string): WorkbenchError {
  return new WorkbenchError({
    code: 'contract-not-built',
    kind: 'input',
    message: `This workspace has no compiled code for ${contract}.`,
    hint: `Build it first (for example \`npx blueprint build ${contract}\`), so that there is a ${contract}.compiled.json or Tact's ${contract}.pkg; or choose "Another address…" for one that is already deployed.`,
  });
}

/**
 * The ABI that a compiler wrote as JSON: an .abi or .json file, or the `abi` text inside Tact's .pkg.
 *
 * @param what the format's name in messages
 * @throws WorkbenchError `abi-unreadable` (input), `over-limit` (input)
 */
export function readAbi<T>(what: 'Tact ABI' | 'Tolk ABI', schema: z.ZodType<T>, text: string): T {
  let json: unknown;
  try {
    json = readJson(text);
    const packed = (json as { abi?: unknown } | null)?.abi;
    json = typeof packed === 'string' ? readJson(packed) : json;
  } catch (cause) {
    throw cause instanceof WorkbenchError ? cause : abiUnreadableError(what, 'it is not JSON', cause);
  }
  const { data, problem } = checkShape(schema, json);
  if (problem !== undefined) {
    throw abiUnreadableError(what, `${problem.path || 'it'} ${problem.words}`);
  }
  return data;
}

/** Limits JSON to as many values as an ABI can have: validating them takes far longer than parsing. */
function readJson(text: string): unknown {
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
