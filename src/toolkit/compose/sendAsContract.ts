import { callControl } from '../localnet/callControl';
import type { InternalMessage } from '../send/sendableMessage';

/** The result of sending a message in a contract's name. Hashes are lower-case hex. */
export interface SentAsContract {
  /** Hash of the message as sent, with the network's time in it. */
  hash: string;
  /** The trace it started; undefined until it is in a block. */
  trace: string | undefined;
}

/**
 * Makes a local network send the message in its source's name, without a signature.
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
