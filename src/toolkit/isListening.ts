import { connect } from 'node:net';
import { isLoopbackHost } from './isLoopbackHost';

/**
 * Whether something listens at a URL of this machine. Nothing is sent, and no other machine is asked.
 * @param timeoutMs after which nothing counts as listening
 * @returns undefined for another machine's URL
 */
export function isListening(
  { protocol, hostname, port }: URL,
  timeoutMs = 250,
): Promise<boolean> | undefined {
  if (!isLoopbackHost(hostname)) {
    return undefined;
  }
  const usual = protocol === 'https:' ? 443 : 80;
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? usual : Number(port),
      timeout: timeoutMs,
    });
    const end = (listens: boolean) => (): void => {
      socket.destroy();
      resolve(listens);
    };
    socket.once('connect', end(true)).once('timeout', end(false)).once('error', end(false));
  });
}
