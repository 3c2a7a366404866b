/** The meaning of a code of the TVM, of a transaction phase, or of a well-known contract. */
export interface ExitCode {
  /** A few words that can follow "exit code 9". */
  name: string;
  /** One sentence: the usual cause, if there is one. */
  cause?: string;
}

/** The origin of a code: the same number means different things in different phases. */
export type ExitPhase = 'compute' | 'action' | 'get-method';

const outOfGas: ExitCode = {
  name: 'out of gas',
  cause: 'The message did not pay for enough gas; send more coins with it.',
};

/** Codes of the TVM itself (TVM description, exit codes). 1 counts as success, like 0. */
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
      cause: 'For a get-method this usually means that the contract has no such method.',
    },
  ],
  [12, { name: 'fatal error', cause: 'The TVM reached a state that it says cannot happen.' }],
  [13, outOfGas],
  [-14, outOfGas],
  [14, { name: 'virtualization error', cause: 'A pruned branch of a proof was read.' }],
]);

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

/** Codes shared by many contracts; a contract may use them differently. */
const contractCodes: ReadonlyMap<number, ExitCode> = new Map<number, ExitCode>([
  [33, { name: 'wrong seqno', cause: 'Wallets v1 to v4: the message was made for another sequence number.' }],
  [34, { name: 'wrong wallet id', cause: 'Wallets v3 and v4: the message was made for another subwallet.' }],
  [
    35,
    {
      name: 'wrong signature or expired',
      cause: 'Wallets: the signature is wrong, or valid_until is in the past.',
    },
  ],
  [36, { name: 'expired', cause: 'Highload wallets and others: the message came too late.' }],
  [
    47,
    {
      name: 'not enough jettons',
      cause: 'Reference jetton wallet: the balance is below the amount.',
    },
  ],
  [
    48,
    {
      name: 'not enough gas',
      cause: 'Reference jetton wallet: send more coins with the transfer.',
    },
  ],
  [
    49,
    {
      name: 'invalid message',
      cause: 'Reference jetton wallet: malformed forward payload.',
    },
  ],
  [72, { name: 'invalid operation', cause: 'Jetton contracts: unknown operation.' }],
  [73, { name: 'not the owner', cause: 'The sender is not the owner or admin that this operation is for.' }],
  [74, { name: 'not a valid wallet', cause: 'Jetton contracts: the sender is not a wallet of this jetton.' }],
  [75, { name: 'not the next admin', cause: 'Jetton minter: only the named next admin may claim.' }],
  [128, { name: 'null reference', cause: 'Tact: an empty optional value was used.' }],
  [
    129,
    { name: 'invalid serialization prefix', cause: 'Tact: a message or struct had an unexpected prefix.' },
  ],
  [130, { name: 'invalid incoming message', cause: 'Tact: the contract has no receiver for this message.' }],
  [131, { name: 'constraints error', cause: 'Tact: a value violated a constraint.' }],
  [
    132,
    {
      name: 'access denied',
      cause: 'Tact: the sender is not the owner. Wallet v5: signatures are switched off.',
    },
  ],
  [
    133,
    {
      name: 'contract stopped, or wrong seqno',
      cause: 'Tact: the contract is stopped. Wallet v5: wrong seqno.',
    },
  ],
  [
    134,
    {
      name: 'invalid argument, or wrong wallet id',
      cause: 'Tact: an argument was outside its range. Wallet v5: made for another wallet id.',
    },
  ],
  [
    135,
    {
      name: 'code not found, or wrong signature',
      cause: 'Tact: the code of a contract is missing. Wallet v5: the signature does not match the key.',
    },
  ],
  [
    136,
    {
      name: 'invalid address, or expired',
      cause: 'Tact: not a standard address. Wallet v5: valid_until is in the past.',
    },
  ],
  [
    137,
    {
      name: 'masterchain not enabled, or wrong send mode',
      cause: 'Tact: an address of the masterchain. Wallet v5: an external message must send with mode +2.',
    },
  ],
  [333, { name: 'wrong workchain', cause: 'Jetton and NFT contracts only work in the basechain.' }],
  [
    401,
    { name: 'not authorized', cause: 'NFT item: the sender is not its owner. Collections: not their owner.' },
  ],
  [402, { name: 'not enough coins for the transfer', cause: 'NFT items and collections: send more coins.' }],
  [403, { name: 'not authorized', cause: 'The sender may not do this.' }],
  [705, { name: 'not the owner', cause: 'Older jetton wallet: the sender is not its owner.' }],
  [706, { name: 'not enough jettons', cause: 'Older jetton wallet: the balance is below the amount.' }],
  [
    707,
    {
      name: 'invalid sender',
      cause: 'Older jetton wallet: the sender is neither its minter nor a wallet of the same jetton.',
    },
  ],
  [708, { name: 'malformed forward payload', cause: 'Older jetton wallet: the Either bit is missing.' }],
  [709, { name: 'not enough coins', cause: 'Older jetton wallet: send more coins with it.' }],
  [65535, { name: 'unknown operation', cause: 'The contract does not know this opcode.' }],
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

/**
 * Explains a code without the contract's own table: the TVM's and the phase's codes are certain, those of well-known
 * contracts (`certain` false) are a convention.
 *
 * @returns undefined for a code private to the contract
 */
export function explainExitCode(
  code: number,
  phase: ExitPhase,
): (ExitCode & { certain: boolean }) | undefined {
  const certain =
    phase === 'action'
      ? actionCodes.get(code)
      : (tvmCodes.get(code) ?? (phase === 'get-method' ? getMethodCodes.get(code) : undefined));
  if (certain !== undefined) {
    return { ...certain, certain: true };
  }
  const usual = phase === 'action' ? undefined : contractCodes.get(code);
  return usual === undefined ? undefined : { ...usual, certain: false };
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
