import { fromNano } from '@ton/core';
import { readSignedBody } from '../opcodes/readSignedBody';
import type { DestinationState } from './destinationState';
import type { ExternalMessage } from './externalMessage';
import { readWalletState } from './walletState';
import type { WalletState } from './walletState';

/** Why a message is rejected or does not do what it says. Compare codes; `text` is for people. */
export interface RefusalReason {
  code:
    | 'no-account'
    | 'not-deployed'
    | 'frozen'
    | 'init-for-another-address'
    | 'expired'
    | 'wrong-wallet-id'
    | 'wrong-seqno'
    | 'wrong-key'
    | 'signature-disabled'
    | 'balance-too-small'
    | 'not-accepted'
    | 'not-executed'
    | 'compute-failed'
    | 'action-failed'
    | 'later-failed'
    | 'emulator-failed';
  /** Part of a sentence without a period: "seqno 5, the wallet expects 7". */
  text: string;
  /** Of `later-failed`: the account, and the text without it, for readers who know its name. */
  later?: { account: string; text: string } | undefined;
  /** The exit code in `text`, and how it is written there, so that the contract's own name can replace it. */
  exit?: RehearsedExit | undefined;
}

/** An exit code of a rehearsal's compute phase. */
export interface RehearsedExit {
  /** Raw address. */
  account: string;
  /** Hash of the account's code cell, lowercase hex. */
  codeHash?: string | undefined;
  /** The standards that the code follows. */
  standards: readonly string[];
  code: number;
  /** The text's words for the code. */
  words: string;
}

/** Checks a signature: `signVerify` of @ton/crypto. */
export type VerifySignature = (hash: Buffer, signature: Buffer, publicKey: Buffer) => boolean;

/**
 * Why the destination will reject the message before accepting it, from the message and the account, in the order of
 * the wallets' own checks; undefined if every check passes. For a contract that is not a known wallet, only its
 * existence is checked: the emulator does the rest.
 *
 * @param now Unix time in seconds
 */
export function refusalReason(
  message: ExternalMessage,
  state: DestinationState,
  now: number,
  verify: VerifySignature,
): RefusalReason | undefined {
  return (
    accountReason(message, state) ?? walletReason(message, walletAfterDeploy(message, state), now, verify)
  );
}

/** Of an account deleted by its last transaction. */
export const deletedReason: RefusalReason = {
  code: 'no-account',
  text: 'no such account: it was deleted by its last transaction',
};

function accountReason(message: ExternalMessage, state: DestinationState): RefusalReason | undefined {
  switch (state.status) {
    case 'active':
      return undefined;
    case 'frozen':
      return { code: 'frozen', text: 'the account is frozen: its storage debt must be paid first' };
    case 'nonexist':
      return { code: 'no-account', text: 'no such account: it has never received coins, or it was deleted' };
    case 'uninit':
      if (message.init === undefined) {
        return {
          code: 'not-deployed',
          text: 'the account has no code yet, and the message brings none (no state init)',
        };
      }
      return message.initMatches === false
        ? { code: 'init-for-another-address', text: 'the state init in the message is for another address' }
        : undefined;
  }
}

/** The wallet that will check the message: the deployed one, or the one deployed by the message. */
function walletAfterDeploy(message: ExternalMessage, state: DestinationState): WalletState | undefined {
  const { code, data } = state.status === 'active' ? state : (message.init ?? {});
  return code == null || data == null ? undefined : readWalletState(code, data);
}

function walletReason(
  { body }: ExternalMessage,
  state: WalletState | undefined,
  now: number,
  verify: VerifySignature,
): RefusalReason | undefined {
  if (state === undefined) {
    return undefined;
  }
  const signed = readSignedBody(body, state.wallet.family);
  if (signed === undefined) {
    // A body in another wallet's layout fails on its signature or length; the emulator shows how.
    return body.bits.length < 512
      ? {
          code: 'wrong-key',
          text: `the message is not signed, and a ${state.wallet.name} requires a signature`,
        }
      : undefined;
  }
  if (signed.validUntil !== undefined && signed.validUntil <= now) {
    return { code: 'expired', text: `expired ${duration(now - signed.validUntil)} ago` };
  }
  if (!state.signatureAllowed) {
    return {
      code: 'signature-disabled',
      text: 'the wallet does not accept signed messages; only its extensions can act',
    };
  }
  if (signed.seqno !== undefined && state.seqno !== undefined && signed.seqno !== state.seqno) {
    return { code: 'wrong-seqno', text: `seqno ${signed.seqno}, the wallet expects ${state.seqno}` };
  }
  if (signed.walletId !== undefined && state.walletId !== undefined && signed.walletId !== state.walletId) {
    return {
      code: 'wrong-wallet-id',
      text: `made for wallet id ${signed.walletId}, this wallet has ${state.walletId}`,
    };
  }
  return verify(signed.signedHash, signed.signature, state.publicKey)
    ? undefined
    : { code: 'wrong-key', text: "signed with a key that is not the wallet's" };
}

/** The balance does not cover the message's spending. Both in nanocoins. */
export function balanceReason(balance: bigint, needed: bigint): RefusalReason {
  const [has, needs, short] = [balance, needed, needed - balance].map((value) => `${fromNano(value)} TON`);
  return {
    code: 'balance-too-small',
    text: `balance too small by ${short}: the account has ${has}, the message needs ${needs}`,
  };
}

/** Seconds in the largest fitting unit: 40 s, 5 min, 3 h, 2 days. */
function duration(seconds: number): string {
  if (seconds < 120) {
    return `${seconds} s`;
  }
  if (seconds < 7200) {
    return `${Math.floor(seconds / 60)} min`;
  }
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`;
}
