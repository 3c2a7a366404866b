import type { ExitCode } from './standardExitCode';
import { isSuccessCode, standardExitCode } from './standardExitCode';
import { visibleText } from '../base/text';

/** The origin of a code: the same number means different things in different phases. */
export type ExitPhase = 'compute' | 'action' | 'get-method';

/** Why gas ran out depends on who paid for it; a transaction tells more. */
const outOfGas: Record<Exclude<ExitPhase, 'action'>, ExitCode> = {
  compute: {
    name: 'out of gas',
    cause: 'The message did not pay for enough gas; send more coins with it.',
  },
  'get-method': {
    name: 'out of gas',
    cause:
      'A get-method may use only as much gas as the service allows, usually 1,000,000; no message pays for it. Look for a loop that does not end, or ask for less at once.',
  },
};

/** Codes of the TVM itself (TVM description, exit codes). */
const tvmCodes: ReadonlyMap<number, ExitCode> = new Map<number, ExitCode>([
  [0, { name: 'success' }],
  [1, { name: 'success' }],
  [
    2,
    {
      name: 'stack underflow',
      cause:
        'An instruction needed more values than the stack held; for a get-method, usually too few arguments.',
    },
  ],
  [3, { name: 'stack overflow', cause: 'More values were put on the stack than it can hold.' }],
  [
    4,
    {
      name: 'integer overflow',
      cause: 'A result did not fit into 257 bits, or there was a division by zero.',
    },
  ],
  [
    5,
    {
      name: 'value out of range',
      cause: 'An integer was outside the range that the instruction allows, for example when it was stored.',
    },
  ],
  [
    6,
    {
      name: 'unknown instruction',
      cause: 'The code holds an instruction that this version of the TVM does not have.',
    },
  ],
  [
    7,
    {
      name: 'wrong type on the stack',
      cause: 'An instruction got a value of the wrong type; for a get-method, usually a wrong argument type.',
    },
  ],
  [8, { name: 'cell overflow', cause: 'More was written to a cell than 1023 bits or 4 references.' }],
  [
    9,
    {
      name: 'cell underflow',
      cause: 'More was read from a slice than it holds, or a library cell could not be loaded.',
    },
  ],
  [10, { name: 'dictionary error', cause: 'A dictionary was malformed.' }],
  [
    11,
    {
      name: 'unknown error',
      cause: 'Contracts usually throw this code if they are called with an unknown get-method.',
    },
  ],
  [12, { name: 'fatal error', cause: 'The TVM reached a state that it says cannot happen.' }],
  [14, { name: 'virtualization error', cause: 'A pruned branch of a proof was read.' }],
]);

/** Whether code ended because its gas was used up: 13, or -14 if the code itself cannot have thrown it. */
export function isOutOfGas(code: number): boolean {
  return code === 13 || code === -14;
}

/** Result codes of the action phase (block description, TrActionPhase). */
const actionCodes: ReadonlyMap<number, ExitCode> = new Map<number, ExitCode>([
  [0, { name: 'success' }],
  [32, { name: 'action list invalid', cause: 'The list of actions is malformed.' }],
  [33, { name: 'too many actions', cause: 'A transaction can have at most 255 actions.' }],
  [34, { name: 'invalid action', cause: 'An action is unknown or malformed.' }],
  [35, { name: 'bad source address', cause: 'An outgoing message had a sender other than the contract.' }],
  [
    36,
    { name: 'bad destination address', cause: 'An outgoing message went to an address that cannot exist.' },
  ],
  [
    37,
    {
      name: 'not enough coins',
      cause: 'The contract tried to send more coins than it had after fees.',
    },
  ],
  [38, { name: 'not enough extra currencies', cause: 'The contract tried to send more than it had.' }],
  [39, { name: 'message does not fit into a cell', cause: 'An outgoing message could not be built.' }],
  [
    40,
    {
      name: 'message cannot be processed',
      cause: 'The coins do not cover forwarding, or the message is too large or too deep.',
    },
  ],
  [41, { name: 'library reference is null', cause: 'A library change did not name a library.' }],
  [42, { name: 'library change error', cause: 'A library could not be changed as requested.' }],
  [43, { name: 'library limits exceeded', cause: 'The libraries would have too many cells or be too deep.' }],
  [
    50,
    { name: 'account state too large', cause: 'Code and data of the account would exceed the size limit.' },
  ],
]);

/** Server statuses for a get-method call that never reached the TVM. */
const getMethodCodes: ReadonlyMap<number, ExitCode> = new Map<number, ExitCode>([
  [
    -13,
    { name: 'no contract', cause: 'The account has no code on this network; check address and network.' },
  ],
  [
    -256,
    { name: 'no contract', cause: 'The account has no code on this network; check address and network.' },
  ],
]);

/** What is known about a contract that threw a code. */
export interface ExitSource {
  /** Its own names of exit codes, from its source or ABI. */
  errors?: ReadonlyMap<number, string> | undefined;
  /**
   * The standards that its code follows, by any service's or table's name: `wallet v4 r2`, `jetton_wallet`; and its
   * language, if its source is known: `Tolk`.
   */
  standards?: readonly string[] | undefined;
  /** Its get-methods, for saying why one failed. */
  methods?: readonly { name: string; signature?: { methodId?: number } | undefined }[] | undefined;
  /** The methods are all that it has. */
  hasOnlyMethods?: boolean | undefined;
  /** Names of its own messages, by the keys of their prefixes. */
  messages?: ReadonlyMap<number, string> | undefined;
  /** The source, if it has changed since the code was compiled; its names may be others by now. */
  changedSource?: string | undefined;
}

/**
 * A meaning and its origin: the TVM or the network, the contract's own source, or the standard it follows.
 */
export interface ExplainedExit extends ExitCode {
  by: 'machine' | 'contract' | 'standard';
}

/**
 * Explains a code. The same number means different things in different contracts, so only three sources
 * count, in this order: the contract's own source, the TVM, and a standard that the contract is recognized to
 * follow.
 *
 * @returns undefined for a code that only the contract could explain
 */
export function explainExitCode(
  code: number,
  phase: ExitPhase,
  { errors, standards = [] }: ExitSource = {},
): ExplainedExit | undefined {
  if (phase === 'action') {
    const known = actionCodes.get(code);
    return known === undefined ? undefined : { ...known, by: 'machine' };
  }
  const own = isSuccessCode(code) ? undefined : errors?.get(code);
  if (own !== undefined) {
    return { name: visibleText(own, 80), by: 'contract' };
  }
  const known = isOutOfGas(code)
    ? outOfGas[phase]
    : (tvmCodes.get(code) ?? (phase === 'get-method' ? getMethodCodes.get(code) : undefined));
  if (known !== undefined) {
    return { ...known, by: 'machine' };
  }
  const usual = standardExitCode(code, standards);
  return usual === undefined ? undefined : { ...usual, by: 'standard' };
}

/** A few words that can follow "exit code 402": `cell underflow`, `ERR_OVER_LIMIT`, `defined by the contract`. */
export function exitWords(code: number, phase: ExitPhase, source?: ExitSource): string {
  return explainExitCode(code, phase, source)?.name ?? unexplainedExit(source);
}

/**
 * The words for a code without an explanation. Compilers add codes of their own; if the contract's language is known,
 * those are explained, and the code is the contract's.
 */
export function unexplainedExit({ standards = [] }: ExitSource = {}): string {
  return standards.some((name) => /^(tolk|tact|func)$/i.test(name))
    ? 'defined by the contract'
    : 'defined by the contract or its compiler';
}

/** Why a compute phase was skipped (block description, ComputeSkipReason; the service's words). */
export const skipReasons: ReadonlyMap<string, ExitCode> = new Map<string, ExitCode>([
  [
    'no_state',
    { name: 'no contract there', cause: 'The account has no code, and the message brought none.' },
  ],
  [
    'bad_state',
    {
      name: 'state init does not match',
      cause: 'The message brought code and data whose hash is not the address (or the frozen hash).',
    },
  ],
  ['no_gas', { name: 'no gas', cause: 'The coins do not cover a single unit of gas.' }],
  [
    'suspended',
    {
      name: 'account suspended',
      cause: 'The address is on the suspended list of the network configuration.',
    },
  ],
]);
