import { getMethodId } from '@ton/core';
import { explainExitCode, unexplainedExit } from '../exitCodes';
import type { ExitSource } from '../exitCodes';
import { readAddressText } from '../stack/addressText';
import type { StackValue } from '../stack/stackValue';
import { cellToString } from '../stack/stringCell';
import type { GetMethodResult } from './getMethodResult';

/** An exit code as a few words. */
export function exitMeaning(code: number | null, source?: ExitSource): string {
  if (code === null) {
    return 'not reported by the service';
  }
  const known = explainExitCode(code, 'get-method', source);
  // Nearly every contract's dispatcher throws the TVM's "unknown error" for an unknown method id.
  return known?.by === 'machine' && code === 11
    ? 'no such method (usually)'
    : (known?.name ?? unexplainedExit);
}

/** The result with its exit code explained by the contract's source, or by the standard it follows. */
export function withExits(result: GetMethodResult, source: ExitSource | undefined): GetMethodResult {
  return source === undefined ? result : { ...result, exitMeaning: exitMeaning(result.exitCode, source) };
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
    return [];
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
      return [
        `The contract probably has no method ${method}${methodNumber(method)}.`,
        'Check the spelling; names are case-sensitive.',
      ];
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
      yield 'Did you mean  addr EQ… ?';
    }
  }
}

function count(amount: number): string {
  return amount === 0 ? 'none' : amount.toString();
}

function methodNumber(method: string): string {
  return /^-?\d+$/.test(method) ? '' : ` (method id ${getMethodId(method)})`;
}
