/** The meaning of a code. */
export interface ExitCode {
  /** A few words that can follow "exit code 9". */
  name: string;
  /** One sentence: the usual cause, if there is one. */
  cause?: string;
}

/** The exit codes thrown by the published contracts of one standard. */
interface StandardCodes {
  /** The standard's names: lower case, letters and digits only. */
  standard: RegExp;
  /** Standards that extend this one and have codes of their own; their contracts are excluded. */
  except?: RegExp;
  codes: Readonly<Record<number, readonly [name: string, cause: string]>>;
}

const wrongSeqno = [
  'wrong seqno',
  'The message was made for another sequence number of the wallet.',
] as const;
const wrongWalletId = ['wrong wallet id', 'The message was made for another wallet id.'] as const;
const wrongSignature = [
  'wrong signature',
  "The signature does not match the wallet's key and the message.",
] as const;
const expired = ['expired', 'The time in valid_until is over.'] as const;
const noSuchMethod = ['no such method', 'Older wallets have only few get-methods.'] as const;
const unknownOperation = ['unknown operation', 'The contract does not know this opcode.'] as const;
const wrongWorkchain = ['wrong workchain', 'The contract only works in the basechain.'] as const;

const tables: readonly StandardCodes[] = [
  { standard: /^walletv1/, codes: { 32: noSuchMethod, 33: wrongSeqno, 34: wrongSignature } },
  { standard: /^walletv2/, codes: { 32: noSuchMethod, 33: wrongSeqno, 34: wrongSignature, 35: expired } },
  {
    standard: /^walletv3/,
    codes: {
      32: noSuchMethod,
      33: wrongSeqno,
      34: wrongWalletId,
      35: ['wrong signature or expired', 'The signature is wrong, or the time in valid_until is over.'],
    },
  },
  {
    standard: /^walletv4/,
    codes: { 33: wrongSeqno, 34: wrongWalletId, 35: wrongSignature, 36: expired },
  },
  {
    standard: /^walletv5(?!beta)/,
    codes: {
      132: ['signatures are switched off', 'The wallet takes orders only from its extensions.'],
      133: wrongSeqno,
      134: wrongWalletId,
      135: wrongSignature,
      136: expired,
      137: ['wrong send mode', 'An external message must send with mode +2 (ignore errors).'],
      138: ['invalid operation', 'The message does not begin with an operation of the wallet.'],
      139: ['extension not added', 'The wallet has this extension already.'],
      140: ['extension not removed', 'The wallet has no such extension.'],
      141: ['unsupported action', 'The wallet does not know this action.'],
      147: ['invalid actions', 'The list of actions is malformed.'],
    },
  },
  {
    standard: /^highloadwalletv3/,
    codes: {
      33: wrongSignature,
      34: wrongWalletId,
      35: ['wrong creation time', 'The message is from the future, or older than the timeout of the wallet.'],
      36: ['already executed', 'The wallet has executed this query id.'],
      37: ['invalid message to send', 'The message in the order is malformed.'],
      38: ['wrong timeout', 'The message was made for another timeout than that of the wallet.'],
    },
  },
  {
    standard: /^jettonwallet/,
    codes: {
      45: ['locked', 'The administrator of the jetton has locked this wallet.'],
      47: ['not enough jettons', 'The balance is below the amount.'],
      48: ['not enough gas', 'Send more coins with the message.'],
      49: ['invalid message', 'The forward payload is malformed.'],
      72: unknownOperation,
      73: ['not the owner', 'The sender is not the owner of this wallet.'],
      74: ['not a valid wallet', 'The sender is neither the minter nor a wallet of the same jetton.'],
      333: wrongWorkchain,
      705: ['not the owner', 'The sender is not the owner of this wallet.'],
      706: ['not enough jettons', 'The balance is below the amount.'],
      707: [
        'invalid sender, or too few coins for a burn',
        'The sender is neither the minter nor a wallet of the same jetton; for a burn, send more coins.',
      ],
      708: ['malformed forward payload', 'The bit before the payload is missing.'],
      709: ['not enough coins', 'Send more coins with the transfer.'],
      65535: unknownOperation,
    },
  },
  {
    standard: /^jetton(minter|master)/,
    codes: {
      48: ['not enough gas', 'Send more coins with the message.'],
      49: ['invalid message', 'The message is malformed.'],
      72: unknownOperation,
      73: ['not the owner', 'The sender is not the administrator of the jetton.'],
      74: ['not a valid wallet', 'The sender is not a wallet of this jetton.'],
      333: wrongWorkchain,
      65535: unknownOperation,
    },
  },
  {
    standard: /^nftitem/,
    except: /^sbtitem|^dns/,
    codes: {
      333: wrongWorkchain,
      401: ['not authorized', 'The sender is not the owner of the item.'],
      402: ['not enough coins for the transfer', 'Send more coins with the transfer.'],
      708: ['malformed forward payload', 'The bit before the payload is missing.'],
      65535: unknownOperation,
    },
  },
  {
    standard: /^nftcollection/,
    except: /^dns/,
    codes: {
      333: wrongWorkchain,
      399: ['too many items', 'A batch deploys at most 249 items.'],
      401: ['not authorized', 'The sender is not the owner of the collection.'],
      402: ['wrong index', 'The items before this one are not deployed.'],
      65535: unknownOperation,
    },
  },
  {
    standard: /^tact$/,
    codes: {
      128: ['null reference', 'An empty optional value was used.'],
      129: ['invalid serialization prefix', 'A message or struct had an unexpected prefix.'],
      130: ['invalid incoming message', 'The contract has no receiver for this message.'],
      131: ['constraints error', 'A value violated a constraint.'],
      132: ['access denied', 'The sender is not the owner.'],
      133: ['contract stopped', 'The contract has been stopped by its owner.'],
      134: ['invalid argument', 'An argument was outside its range.'],
      135: ['code of a contract was not found', 'The code of a contract that it deploys is missing.'],
      136: ['invalid address', 'The address is not a standard one.'],
      137: ['masterchain not enabled', 'The contract does not support addresses of the masterchain.'],
      138: ['not an address of the basechain', 'The contract only works with addresses of the basechain.'],
      24161: ['Invalid DNS name', 'The domain is not well-formed.'],
      53296: ['Contract not stopped', 'Only a stopped contract can be resumed.'],
    },
  },
  {
    standard: /^tolk$/,
    codes: {
      63: [
        'unknown opcode or prefix',
        'What the contract read does not begin with the prefix of any struct that it expects there.',
      ],
      65535: [
        'unknown message, by convention',
        'Contracts throw 0xFFFF for a message that they do not know.',
      ],
    },
  },
];

/**
 * The meaning of a code in the contracts of these standards, if it is not one of the TVM's.
 *
 * @param standards by any service's or table's names, the most specific first: `wallet v4 r2`,
 * `jetton_wallet`; a language, `Tact`, for the codes of its compiler
 */
export function standardExitCode(code: number, standards: readonly string[]): ExitCode | undefined {
  const plain = standards.map((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
  for (const name of plain) {
    const [text, cause] =
      tables.find(
        ({ standard, except }) => standard.test(name) && !plain.some((other) => except?.test(other)),
      )?.codes[code] ?? [];
    if (text !== undefined) {
      return { name: text, ...(cause === undefined ? {} : { cause }) };
    }
  }
  return undefined;
}

/** Whether code that ended with this exit code has succeeded: the TVM counts 1 as success, like 0. */
export function isSuccessCode(exitCode: number): boolean {
  return exitCode === 0 || exitCode === 1;
}
