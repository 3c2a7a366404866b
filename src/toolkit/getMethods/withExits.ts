import { getMethodId } from '@ton/core';
import { changedSourceText } from '../contracts/abi/sourceLanguage';
import { closestWord } from '../base/text';
import { explainExitCode, unexplainedExit } from '../contracts/exitCodes';
import type { ExitSource } from '../contracts/exitCodes';
import { readAddressText } from '../stack/scalarText';
import type { StackValue } from '../stack/stackValue';
import { cellToString } from '../stack/stackValue';
import type { GetMethodResult } from './getMethodResult';

/**
 * A get-method's exit code as a few words.
 *
 * @param method the called method, by name or decimal id
 */
export function exitMeaning(code: number | null, source?: ExitSource, method?: string): string {
  if (code === null) {
    return 'not reported by the service';
  }
  const known = explainExitCode(code, 'get-method', source);
  if (known?.by === 'machine' && code === 11) {
    // Nearly every contract's dispatcher throws the TVM's "unknown error" for an unknown method id.
    return { no: 'no such method', yes: known.name, unknown: 'no such method (usually)' }[
      hasMethod(source, method)
    ];
  }
  return known?.name ?? unexplainedExit(source);
}

/** The method whose name is most like the given one, if the contract has no method of that name. */
function similarMethod(source: ExitSource | undefined, method: string): string | undefined {
  return hasMethod(source, method) === 'yes'
    ? undefined
    : closestWord(method, source?.methods?.map(({ name }) => name).filter((name) => !isId(name)) ?? []);
}

/** Whether the contract has the method, as far as its methods are known. */
function hasMethod(source: ExitSource | undefined, method: string | undefined): 'yes' | 'no' | 'unknown' {
  if (source?.methods === undefined || method === undefined) {
    return 'unknown';
  }
  const id = methodId(method);
  const isKnown = source.methods.some(
    ({ name, signature }) => name === method || (signature?.methodId ?? methodId(name)) === id,
  );
  return isKnown ? 'yes' : source.hasOnlyMethods === true ? 'no' : 'unknown';
}

const isId = (method: string): boolean => /^-?\d+$/.test(method);

function methodId(method: string): number {
  return isId(method) ? Number(method) : getMethodId(method);
}

/** The result with its exit code explained by the contract's source, or by the standard it follows. */
export function withExits(result: GetMethodResult, source: ExitSource | undefined): GetMethodResult {
  if (source === undefined) {
    return result;
  }
  const { exitCode, method } = result;
  const similar = exitCode === 11 ? similarMethod(source, method) : undefined;
  return {
    ...result,
    exitMeaning: exitMeaning(exitCode, source, method),
    ...(similar === undefined ? {} : { similar }),
  };
}

/** Bits of an address in a slice. */
const addressBits = 267;

/** Why the method failed, as far as the code and the call show: whole sentences, the next step last. */
export function exitExplanation(
  result: Pick<GetMethodResult, 'exitCode' | 'method' | 'arguments' | 'network'>,
  source?: ExitSource,
): string[] {
  const { exitCode, method, network } = result;
  const given = result.arguments;
  const known = exitCode === null ? undefined : explainExitCode(exitCode, 'get-method', source);
  if (known?.by === 'contract') {
    return source?.changedSource === undefined ? [] : [changedSourceText(source.changedSource)];
  }
  switch (exitCode) {
    case -13:
    case -256:
      return [
        `There is no contract at this address on ${network}: it was never deployed there, or has no code.`,
        'Check the address, and that the right network is chosen.',
      ];
    case 2:
      return [
        `The method expects more arguments than the ${count(given.length)} given, or its code has a bug.`,
      ];
    case 7:
      return [`A value had the wrong type. Given: ${given.map(({ type }) => type).join(', ') || 'none'}.`];
    case 9:
      return [...cellUnderflow(given)];
    case 11:
      return unknownMethod(method, source);
    default:
      return [known?.cause ?? "See the contract's source for what this code means."];
  }
}

function* cellUnderflow(given: readonly StackValue[]): Iterable<string> {
  yield 'The method read more from a slice than it holds.';
  for (const [index, value] of given.entries()) {
    if (value.type !== 'slice' && value.type !== 'cell') {
      continue;
    }
    const text = cellToString(value.cell)?.trim();
    if (text !== undefined && 'address' in readAddressText(text)) {
      yield `Argument ${index} is the text of an address, not an address. Write  addr ${text}`;
    } else if (
      value.type === 'slice' &&
      value.cell.refs.length === 0 &&
      value.cell.bits.length < addressBits
    ) {
      const { length } = value.cell.bits;
      yield `Argument ${index} is a slice of ${length} ${length === 1 ? 'bit' : 'bits'}; an address needs ${addressBits}.`;
      yield 'Did you mean addr EQ…?';
    }
  }
}

function count(amount: number): string {
  return amount === 0 ? 'none' : amount.toString();
}

function unknownMethod(method: string, source: ExitSource | undefined): string[] {
  const has = hasMethod(source, method);
  if (has === 'yes') {
    return ['The contract has this method; its own code, or code that it calls, failed.'];
  }
  const similar = similarMethod(source, method);
  const id = isId(method) ? '' : ` (method id ${getMethodId(method)})`;
  return [
    `The contract ${has === 'no' ? 'has' : 'probably has'} no method ${method}${id}.`,
    similar === undefined
      ? 'Check the spelling; names are case-sensitive.'
      : `Did you mean ${similar}? Names are case-sensitive.`,
  ];
}
