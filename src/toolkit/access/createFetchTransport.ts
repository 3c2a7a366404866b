import { TransportFailure, transportFailure } from './transport';
import type { Transport } from './transport';

/**
 * A transport over fetch, for the editor: VS Code patches the global fetch with its proxy settings and the system's
 * certificates, so fetch is looked up for each request.
 */
export function createFetchTransport(): Transport {
  return async ({ method, url, headers, body, signal, maximumBytes }) => {
    try {
      const response = await globalThis.fetch(url, {
        method,
        ...(body === undefined ? { headers } : sentOnce(headers, body)),
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

/**
 * fetch resends a replayable body after status 421. A message must be sent at most once, so the body is a stream. The
 * length avoids chunked encoding.
 */
function sentOnce(
  headers: Readonly<Record<string, string>>,
  body: string,
): Pick<RequestInit, 'headers' | 'body'> & { duplex: 'half' } {
  const bytes = Buffer.from(body, 'utf8');
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return { headers: { ...headers, 'content-length': String(bytes.length) }, body: stream, duplex: 'half' };
}

async function readBody(response: Response, maximumBytes: number): Promise<Buffer> {
  const length = Number(response.headers.get('content-length') ?? NaN);
  if (length > maximumBytes) {
    await response.body?.cancel();
    throw new TransportFailure('too-large', `${length} bytes announced`);
  }
  // An announced length bounds the body, unless the body is compressed.
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
