import { callControl } from '../localnet/callControl';
import type { InternalMessage } from '../send/internalMessage';

/** What became of a message that was sent in the name of a contract. Hashes are lower-case hex. */
export interface SentAsContract {
  /** Of the message that was sent: it carries the network's time. */
  hash: string;
  /** The trace it began; undefined while no block was made. */
  trace: string | undefined;
}

/**
 * Has a local network send the message in the name of its source, without a signature.
 *
 * @param control base URL of the network's control API
 * @throws WorkbenchError `localnet-refused` (input), `localnet-unreachable` (network)
 */
export async function sendAsContract(
  control: string,
  message: InternalMessage,
  signal?: AbortSignal,
): Promise<SentAsContract> {
  const { source, destination, value, bounce, body, init } = message;
  const boc = (cell: InternalMessage['body']): string => cell.toBoc().toString('base64');
  const answer = await callControl(
    control,
    'sendAs',
    {
      from: source.toRawString(),
      to: destination.toRawString(),
      value: value.toString(),
      bounce,
      body: boc(body),
      ...(init?.code == null ? {} : { code: boc(init.code) }),
      ...(init?.data == null ? {} : { data: boc(init.data) }),
    },
    signal,
  );
  return { hash: answer.message, trace: answer.trace ?? undefined };
}
