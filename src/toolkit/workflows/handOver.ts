import type { Access } from '../access/createAccess';
import { sendAsContract } from '../compose/sendAsContract';
import { controlOf } from '../localnet/controlOf';
import type { Log } from '../log';
import { sendOnce } from '../send/sendOnce';
import type { SendOutcome } from '../send/sendOnce';
import type { SendableMessage } from '../send/sendableMessage';

/** What became of the one attempt to hand a message over. */
export type HandOverOutcome =
  /** It was rejected, or its outcome is unknown. */
  | { type: 'failed'; outcome: Exclude<SendOutcome, { state: 'sent' }> }
  /** It is on the network, with this hash (lowercase hex). */
  | {
      type: 'sent';
      hash: string;
      /** The answer was lost, but the message was found on the network. */
      resolved: boolean;
      /** It waits for its local network to make a block. */
      waitsForBlock: boolean;
    };

/**
 * Hands a message over to its network, at most once; a message in a contract's name goes to the local
 * network.
 * @throws WorkbenchError `localnet-refused` (input), `localnet-unreachable` (network), `aborted`
 */
export async function handOver(
  access: Access,
  message: SendableMessage,
  signal: AbortSignal,
  log?: Log,
): Promise<HandOverOutcome> {
  if (message.kind === 'internal') {
    // Only a local network accepts unsigned messages.
    const { hash, trace } = await sendAsContract(controlOf(access.network) ?? '', message, signal);
    return { type: 'sent', hash, resolved: false, waitsForBlock: trace === undefined };
  }
  const outcome = await sendOnce(access, message, { signal, log });
  return outcome.state === 'sent'
    ? { type: 'sent', hash: message.hashNorm, resolved: outcome.resolved, waitsForBlock: false }
    : { type: 'failed', outcome };
}
