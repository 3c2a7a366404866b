import { TransportFailure, transportFailure } from './transport';
import type { Transport } from './transport';

/** The part of the global fetch this transport uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * A transport over fetch. The editor uses it, because VS Code patches the global fetch with its proxy settings and the
 * system's certificates; it is looked up at each request for that reason.
 */
export function createFetchTransport(fetchFunction?: Fetch): Transport {
  return async ({ method, url, headers, body, signal, maximumBytes }) => {
    try {
      const response = await (fetchFunction ?? globalThis.fetch)(url, {
        method,
        headers,
        body: body ?? null,
        signal,
        redirect: 'manual',
      });
      return {
        status: response.type === 'opaqueredirect' ? 302 : response.status,
        header: (name) => response.headers.get(name) ?? undefined,
        body: await readBody(response, maximumBytes),
      };
    } catch (error) {
      if (signal.aborted) {
        throw signal.reason;
      }
      throw transportFailure(error);
    }
  };
}

async function readBody(response: Response, maximumBytes: number): Promise<Buffer> {
  const length = Number(response.headers.get('content-length') ?? NaN);
  if (length > maximumBytes) {
    await response.body?.cancel();
    throw new TransportFailure('too-large', `${length} bytes announced`);
  }
  // An announced length bounds the body, unless it is that of a compressed one.
  if (!Number.isNaN(length) && response.headers.get('content-encoding') === null) {
    return Buffer.from(await response.arrayBuffer());
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > maximumBytes) {
      await reader?.cancel();
      throw new TransportFailure('too-large', `${size} bytes read`);
    }
    chunks.push(part.value);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? Buffer.from(chunks[0]) : Buffer.concat(chunks);
}
