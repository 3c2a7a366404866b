import { isUtf8 } from 'node:buffer';
import type { FullDelivery } from '../delivery/delivery';
import { withoutForwardMark } from '../delivery/forwardMark';
import { shellWord } from '../../base/text';

/** Headers that curl adds itself. */
const ownHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'expect',
  'keep-alive',
]);

/**
 * The delivery as a curl command for a POSIX shell: the same bytes, the same headers. Credentials were redacted when
 * it was stored, so they are missing here too.
 *
 * @param url the target; default: the original receiver
 */
export function toCurl(delivery: FullDelivery, url?: string): string {
  const host = delivery.headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? '127.0.0.1';
  const headers = withoutForwardMark(delivery.headers).filter(
    ([name, value]) => !ownHeaders.has(name.toLowerCase()) && value !== '[redacted]',
  );
  const { body } = delivery;
  const isText = isUtf8(body) && !body.includes(0);
  const lines = [
    `curl -X ${shellWord(delivery.method)} ${shellWord(url ?? `http://${host}${delivery.target}`)}`,
    "-H 'Expect:'",
    ...headers.map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    isText ? `--data-raw ${shellWord(body.toString('utf8'))}` : '--data-binary @-',
  ];
  const command = lines.join(' \\\n  ');
  return isText ? command : `printf %s ${shellWord(body.toString('base64'))} | base64 -d | ${command}`;
}
