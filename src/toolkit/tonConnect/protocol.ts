import { toWorkbenchError } from '../base/errors';

/** Error codes of the protocol: TON Connect's specification of requests and its manifest checks. */
export const protocolCodes = {
  unknown: 0,
  badRequest: 1,
  manifestNotFound: 2,
  manifestInvalid: 3,
  unknownApp: 100,
  declined: 300,
  notSupported: 400,
} as const;

export type ProtocolCode = (typeof protocolCodes)[keyof typeof protocolCodes];

/** An error as the dApp gets it. */
export interface ProtocolError {
  code: ProtocolCode;
  message: string;
}

/** Why a request is refused before anybody is asked. */
export class RefusedRequest extends Error {
  constructor(
    readonly code: ProtocolCode,
    message: string,
  ) {
    super(message);
  }
}

/** @throws RefusedRequest always: the request is malformed or breaks a rule */
export function refuseRequest(message: string): never {
  throw new RefusedRequest(protocolCodes.badRequest, message);
}

/** An error in the protocol's terms. */
export function protocolError(error: unknown): ProtocolError {
  return error instanceof RefusedRequest
    ? { code: error.code, message: error.message }
    : { code: protocolCodes.unknown, message: toWorkbenchError(error).message };
}

/** What can be decided about a request. */
export const walletDecisions = [
  'approve',
  'reject',
  'approve-lose-answer',
  'answer-late',
  'answer-twice',
  'wrong-network',
  'connect-only',
] as const;

export type WalletDecision = (typeof walletDecisions)[number];

/** A decision and its details. */
export interface WalletVerdict {
  decision: WalletDecision;
  /** Of `answer-late`: seconds until the answer. */
  seconds?: number | undefined;
}

/** What happens to a dApp's requests that nobody has decided: `ask` leaves them pending. */
export const approvals = ['ask', 'all', 'none'] as const;

export type Approval = (typeof approvals)[number];

/** The decision of a rule; undefined if somebody is to be asked. */
export function ruledVerdict(approval: Approval): WalletVerdict | undefined {
  switch (approval) {
    case 'ask':
      return undefined;
    case 'all':
      return { decision: 'approve' };
    case 'none':
      return { decision: 'reject' };
  }
}

/** Seconds until a late answer, unless given. */
export const usualLateness = 10;

/** The names of the decisions on buttons, and wherever people read which one it was. */
export const decisionTitles: Readonly<Record<WalletDecision, string>> = {
  approve: 'Approve',
  reject: 'Reject',
  'approve-lose-answer': 'Approve Without Answering',
  'answer-late': 'Answer Late',
  'answer-twice': 'Answer Twice',
  'wrong-network': 'Wrong Network',
  'connect-only': 'Only Connect',
};

/** What the decisions are, for people. */
export const decisionWords: Readonly<Record<WalletDecision, string>> = {
  approve: 'carry it out and answer',
  reject: 'decline it',
  'approve-lose-answer': 'carry it out, and never answer',
  'answer-late': `carry it out, and answer after ${usualLateness} s, or those given`,
  'answer-twice': 'carry it out once, and answer two times',
  'wrong-network': 'behave as a wallet on another network',
  'connect-only': 'connect, and decline the request in the link',
};

/** What can be done with a signed message that was given to a dApp: what its relayer would do. */
export const relayWays = ['submit', 'submit-twice', 'let-expire'] as const;

export type RelayWay = (typeof relayWays)[number];

/** The names of the ways on buttons. */
export const relayTitles: Readonly<Record<RelayWay, string>> = {
  submit: 'Submit as a Relayer',
  'submit-twice': 'Submit Twice',
  'let-expire': 'Let It Expire',
};

/** A 32-bit number as in the protocol's signed bytes; negative ones as two's complement. */
export function uint32(value: number, order: 'big' | 'little'): Buffer {
  const bytes = Buffer.alloc(4);
  return order === 'big' ? (bytes.writeInt32BE(value | 0), bytes) : (bytes.writeUInt32LE(value), bytes);
}

/** A 64-bit number as in the protocol's signed bytes. */
export function uint64(value: number, order: 'big' | 'little'): Buffer {
  const bytes = Buffer.alloc(8);
  if (order === 'big') {
    bytes.writeBigUInt64BE(BigInt(value));
  } else {
    bytes.writeBigUInt64LE(BigInt(value));
  }
  return bytes;
}
