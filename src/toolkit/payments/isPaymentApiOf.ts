import { sendHttpRequest } from '../webhook/send/sendHttpRequest';

/** Tells which local network settles the payments: `{network}`, the URL of its v3 API. */
export const networkPath = '/control/network';

/** Milliseconds; it is on this machine. */
const patienceMs = 2_000;

/**
 * Whether a port of this machine is that of a payment API of ours, for this local network: started by another window.
 * @param network URL of the network's v3 API
 */
export async function isPaymentApiOf(port: number, network: string): Promise<boolean> {
  if (port === 0) {
    return false;
  }
  try {
    const { status, text } = await sendHttpRequest({
      url: new URL(networkPath, `http://127.0.0.1:${port}`),
      method: 'GET',
      headers: [],
      body: Buffer.alloc(0),
      timeoutMs: patienceMs,
    });
    const told: unknown = status === 200 ? JSON.parse(text) : null;
    return typeof told === 'object' && told !== null && 'network' in told && told.network === network;
  } catch {
    // Nobody listens, or somebody else.
    return false;
  }
}
