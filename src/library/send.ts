import { parseBocInput, readBocInput } from '../toolkit/cell/parseBocInput';
import { parseComposeLine } from '../toolkit/send/parseComposeLine';
import { prepareComposed } from '../toolkit/send/prepareComposed';
import { WorkbenchError } from '../toolkit/base/errors';
import { accountNames } from '../toolkit/accounts/localAccount';
import { readExternalMessage } from '../toolkit/send/externalMessage';
import type { ExternalMessage } from '../toolkit/send/externalMessage';
import { sendOnce as sendToolkitOnce } from '../toolkit/send/sendOnce';
import { prepareSend } from '../toolkit/workflows/rehearseInTime';
import type { Access } from './access';
import type { LocalAccount } from './localnet';
import { toolkitAccess } from './toolkitAccess';
import type { Trace } from './traceTypes';
import { toPublicTrace } from './toPublicTrace';

/** A signed external message. */
export interface SignedMessage {
  /** The message as sent, in base64. */
  readonly boc: string;
  /** Raw, lowercase. */
  readonly destination: string;
  /** Hash of the message as sent, lowercase hex. */
  readonly hash: string;
  /** Normalized (TEP-467), lowercase hex: finds the message regardless of how it was imported. */
  readonly normalizedHash: string;
}

/** What a message will do, as far as it can be known before sending. None of it has happened. */
export interface Rehearsal {
  /** Whether the contract accepts the message; undefined if the emulator could not tell. */
  readonly accepted: boolean | undefined;
  /** Why it is refused, or why part of it fails; undefined if everything succeeds. */
  readonly reason: string | undefined;
  /** Exit code of the first transaction; undefined if its code did not run. */
  readonly exitCode: number | undefined;
  /** Fees of all transactions and the messages between them, in nanocoins. */
  readonly fees: bigint;
  /** The predicted trace; undefined if the message is refused. */
  readonly trace: Trace | undefined;
  /** How certain this is: `exact` with the network's own states and configuration, otherwise why not. */
  readonly confidence: 'exact' | 'same-compute' | 'emulated' | 'unknown';
  readonly doubts: readonly string[];
}

/** The outcome of the one attempt to send a message. */
export interface SendOutcome {
  /**
   * `sent`: the network has it. `refused`: the contract did not accept it. `not-sent`: it never left. `unknown`: it was
   * submitted, the answer was lost, and it may still be executed.
   */
  readonly state: 'sent' | 'refused' | 'not-sent' | 'unknown';
  /** Why its state is not `sent`. */
  readonly error: Error | undefined;
}

/**
 * Reads a signed message.
 * @param boc bytes, or text in base64, base64url or hex
 * @throws WorkbenchError `message-not-external` and codes that begin with `boc-` (input)
 */
export function readMessage(boc: string | Uint8Array): SignedMessage {
  return toPublicMessage(openMessage(boc));
}

/**
 * Composes a message from one line of text, signed by a wallet of the local network: `send bob 1.5ton comment
 * "order 7" from alice`, `send EQ… 0.1ton body b(u32 7) from alice`, `send new 1ton code cell te6cc… data
 * b(u32 0)`. docs/local-network.md has the grammar.
 *
 * @param accounts the network's own accounts; no other keys are accepted
 * @throws WorkbenchError `compose-line-invalid`, `compose-local-only`, `wallet-not-usable` (input)
 * @example
 * ```ts
 * import { composeMessage, sendOnce } from 'ton-workbench/send';
 *
 * const message = await composeMessage(access, 'send bob 1.5ton from alice', net.accounts);
 * await sendOnce(access, message);
 * ```
 */
export async function composeMessage(
  access: Access,
  line: string,
  accounts: readonly LocalAccount[],
): Promise<SignedMessage> {
  const wallets = accounts.map((account) => ({ ...account }));
  const composed = parseComposeLine(line, {
    accounts: accountNames(wallets),
    wallets: wallets.map(({ name }) => name),
  });
  const message = await prepareComposed(toolkitAccess(access), composed, wallets);
  if (message.kind !== 'external') {
    throw new WorkbenchError({
      code: 'compose-line-invalid',
      kind: 'input',
      message: "A message in a contract's name has no signature.",
      hint: "Send it with control('sendAs', …) of the local network, or sign with from.",
    });
  }
  return toPublicMessage(message);
}

/**
 * Runs a message, and every message it causes, on the network's current states. Nothing is sent.
 *
 * @throws WorkbenchError the errors of reading the network's states; a refused message is a result
 * @example
 * ```ts
 * import { rehearse } from 'ton-workbench/send';
 *
 * const { accepted, reason, fees } = await rehearse(access, message);
 * ```
 */
export async function rehearse(
  access: Access,
  message: Pick<SignedMessage, 'boc'>,
  options: { signal?: AbortSignal | undefined; names?: Readonly<Record<string, string>> | undefined } = {},
): Promise<Rehearsal> {
  // Seven megabytes, loaded only to rehearse.
  const { createSandboxEmulator } = await import('../toolkit/execution/emulator/createSandboxEmulator');
  const prepared = await prepareSend({
    access: toolkitAccess(access),
    message: openMessage(message.boc),
    emulator: await createSandboxEmulator(),
    signal: options.signal,
  });
  const { accepted, reason, exitCode, fees, confidence, doubts, trace } = prepared.rehearsal;
  return {
    accepted,
    reason: reason?.text,
    exitCode: exitCode ?? undefined,
    fees,
    trace: trace === undefined ? undefined : toPublicTrace(trace, options),
    confidence,
    doubts,
  };
}

/**
 * Sends a message at most once. Only a failed connection proves that it was not accepted; after any other
 * answer than success, this asks the network whether it has the message. Problems with the network are never
 * thrown; they are in the outcome.
 *
 * @example
 * ```ts
 * import { sendOnce } from 'ton-workbench/send';
 *
 * const { state, error } = await sendOnce(access, message);
 * if (state !== 'sent') throw error;
 * ```
 */
export async function sendOnce(
  access: Access,
  message: Pick<SignedMessage, 'boc'>,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<SendOutcome> {
  const outcome = await sendToolkitOnce(toolkitAccess(access), openMessage(message.boc), options);
  return { state: outcome.state, error: outcome.state === 'sent' ? undefined : outcome.error };
}

function openMessage(boc: string | Uint8Array): ExternalMessage {
  return readExternalMessage(typeof boc === 'string' ? parseBocInput(boc) : readBocInput(boc));
}

function toPublicMessage({ cell, destination, hash, hashNorm }: ExternalMessage): SignedMessage {
  return {
    boc: cell.toBoc().toString('base64'),
    destination: destination.toRawString(),
    hash,
    normalizedHash: hashNorm,
  };
}
