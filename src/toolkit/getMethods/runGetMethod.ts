import { askIfPresent } from '../access/askIfPresent';
import type { Access, CallOptions } from '../access/createAccess';
import { wrongShapeError } from '../access/errors';
import type { Network } from '../access/network';
import { v3Endpoints } from '../access/v3/v3Endpoints';
import { parseAddressInput } from '../address/parseAddressInput';
import type { StackValue } from '../stack/stackValue';
import { decodeV2Stack, decodeV2StdStack, encodeV2Stack, encodeV2StdStack } from '../stack/v2StdStack';
import { decodeV3Stack, encodeV3Stack, v3CanCarry } from '../stack/encodeV3Stack';
import { systemClock } from '../base/time';
import type { GetMethodSource } from '../trace/jettonBook';
import { exitMeaning } from './withExits';
import { networkLacksApiError } from './getMethodErrors';
import type { GetMethodResult, ResultEntry } from './getMethodResult';
import { isSuccess } from './getMethodResult';
import { readEntry } from './readEntry';

/** A network as a source of answers. Its requests have lower priority than any a user waits for. */
export function getMethodSourceOf(access: GetMethodAccess): GetMethodSource {
  return {
    async run(address, method, stack, signal) {
      const options = { signal, priority: 'background' } as const;
      const result = await runGetMethod(access, { address, method, stack }, options);
      return isSuccess(result) ? result.stack.map(({ value }) => value) : undefined;
    },
  };
}

/** What to run. */
export interface GetMethodCall {
  /** In any usual form. */
  address: string;
  /** A name, or a method id in decimal. */
  method: string;
  /** Its id, if that is not the one of its name. */
  methodId?: number | undefined;
  stack: readonly StackValue[];
}

/** What a request calls the method: its name, if its id can be derived from it. */
export function requestedMethod({ method, methodId }: Pick<GetMethodCall, 'method' | 'methodId'>): string {
  return methodId === undefined ? method : String(methodId);
}

export interface RunGetMethodOptions extends CallOptions {
  /** The preferred API if it can carry the arguments; default v3. */
  preferredApi?: 'v2' | 'v3' | undefined;
}

/** The part of Access that is needed here. */
export interface GetMethodAccess {
  readonly network: Network;
  readonly v2: Pick<Access['v2'], 'runGetMethod' | 'runGetMethodStd'>;
  readonly v3: Pick<Access['v3'], 'runGetMethod'>;
}

interface Answer {
  gas_used?: number | null | undefined;
  exit_code?: number | null | undefined;
  stack?: readonly unknown[] | null | undefined;
  block_id?: { seqno?: number | null | undefined } | null | undefined;
  debug_output?: unknown;
}

/** The request and the server's answer, with its stack parsed. */
interface Outcome {
  api: 'v2' | 'v3';
  answer: Answer;
  stack: ResultEntry[];
}

/**
 * Runs a get-method over v3 if that can carry the arguments (numbers, cells, slices), else over v2. A failed method
 * is an ordinary result, with its exit code.
 *
 * @throws WorkbenchError `address-invalid`, `stack-value-not-carried`, `network-lacks-api` (input), and the errors of
 *   access
 */
export async function runGetMethod(
  access: GetMethodAccess,
  call: GetMethodCall,
  options: RunGetMethodOptions = {},
): Promise<GetMethodResult> {
  const { signal, priority } = options;
  const address = parseAddressInput(call.address).toRawString();
  // Rejects values that no API can carry before anything is sent.
  encodeV2Stack(call.stack);
  const api = chooseApi(access.network, call.stack, options.preferredApi ?? 'v3');
  const started = systemClock.monotonic();
  const target = { address, method: requestedMethod(call) };
  const callOptions: CallOptions = { signal, priority };
  const { answer, stack } =
    api === 'v3'
      ? await runV3(access, target, call.stack, callOptions)
      : await runV2(access, target, call.stack, callOptions);
  return {
    ...{ address, method: call.method },
    ...(call.methodId === undefined ? {} : { methodId: call.methodId }),
    network: access.network.name,
    api,
    exitCode: answer.exit_code ?? null,
    exitMeaning: exitMeaning(answer.exit_code ?? null),
    gasUsed: answer.gas_used ?? null,
    arguments: call.stack,
    stack,
    raw: answer.stack ?? [],
    elapsedMs: systemClock.monotonic() - started,
    ...(answer.block_id?.seqno == null ? {} : { block: answer.block_id.seqno }),
    ...printedIn(answer.debug_output),
  };
}

/** An undocumented field: if it has another type, nothing was printed. */
function printedIn(output: unknown): Pick<GetMethodResult, 'printed'> {
  const printed = Array.isArray(output) ? output.filter((text) => typeof text === 'string') : [];
  return printed.length === 0 ? {} : { printed };
}

function chooseApi(network: Network, stack: readonly StackValue[], preferred: 'v2' | 'v3'): 'v2' | 'v3' {
  const { name, v2, v3 } = network;
  if (v2 === undefined && v3 === undefined) {
    throw networkLacksApiError(name, 'both');
  }
  if (v3 === undefined || (preferred === 'v2' && v2 !== undefined)) {
    return 'v2';
  }
  if (v3CanCarry(stack)) {
    return 'v3';
  }
  if (v2 === undefined) {
    const types = [
      ...new Set(stack.map(({ type }) => type).filter((type) => !['int', 'cell', 'slice'].includes(type))),
    ];
    throw networkLacksApiError(name, 'v2', `v3 does not accept ${types.join(' or ')} as an argument`);
  }
  return 'v2';
}

/** `method` as the request has it. */
type Target = Pick<GetMethodCall, 'address' | 'method'>;

async function runV3(
  access: GetMethodAccess,
  target: Target,
  stack: readonly StackValue[],
  options: CallOptions,
): Promise<Outcome> {
  const answer = await access.v3.runGetMethod({ ...target, stack: encodeV3Stack(stack) }, options);
  if (answer.stack == null && answer.exit_code == null) {
    throw wrongShapeError(v3Endpoints.runGetMethod, { path: ['stack'], expected: 'a value' });
  }
  return {
    api: 'v3',
    answer,
    stack: decodeV3Stack(answer.stack ?? []).map((value) => readEntry(value, true)),
  };
}

/** Typed entries distinguish slices from cells; on servers without them, the older pairs do so less exactly. */
async function runV2(
  access: GetMethodAccess,
  target: Target,
  stack: readonly StackValue[],
  options: CallOptions,
): Promise<Outcome> {
  const typed = await askIfPresent({ method: 'runGetMethodStd', keeper: access.network }, () =>
    access.v2.runGetMethodStd({ ...target, stack: encodeV2StdStack(stack) }, options),
  );
  if (typed !== undefined) {
    return {
      api: 'v2',
      answer: typed,
      stack: decodeV2StdStack(typed.stack ?? []).map((value) => readEntry(value)),
    };
  }
  const answer = await access.v2.runGetMethod({ ...target, stack: encodeV2Stack(stack) }, options);
  return {
    api: 'v2',
    answer,
    stack: decodeV2Stack(answer.stack ?? []).map((value) => readEntry(value, true)),
  };
}
