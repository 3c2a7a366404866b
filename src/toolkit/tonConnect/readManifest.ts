import * as z from 'zod';
import { isLoopbackHost } from '../base/loopback';
import { protocolCodes, RefusedRequest } from './protocol';
import { limits } from '../base/limits';
import type { DApp } from './walletBook';

/** Milliseconds. */
const patience = 3_000;

const manifest = z.object({ name: z.string().max(500), url: z.url().max(2_000) }).loose();

/** Reads the text at a URL on this machine. */
export type FetchText = (url: string) => Promise<string>;

/**
 * The dApp behind a manifest. Only manifests on this machine are fetched, and nothing that they refer to.
 * @throws RefusedRequest with the protocol's own codes, as wallets do
 */
export async function readManifest(manifestUrl: string, fetchText: FetchText = fetchLoopback): Promise<DApp> {
  const { hostname, host } = new URL(manifestUrl);
  if (!isLoopbackHost(hostname)) {
    return { manifestUrl, domain: host, isFetched: false };
  }
  let text: string;
  try {
    text = await fetchText(manifestUrl);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RefusedRequest(protocolCodes.manifestNotFound, `${manifestUrl} cannot be read: ${reason}`);
  }
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new RefusedRequest(protocolCodes.manifestInvalid, `${manifestUrl} is not JSON`);
  }
  const parsed = manifest.safeParse(read);
  if (!parsed.success) {
    throw new RefusedRequest(protocolCodes.manifestInvalid, `${manifestUrl} lacks url or name`);
  }
  const { name, url } = parsed.data;
  return { manifestUrl, name, url, domain: new URL(url).host, isFetched: true };
}

async function fetchLoopback(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(patience) });
  if (!response.ok) {
    throw new Error(`status ${response.status}`);
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  for await (const part of body ?? []) {
    parts.push(part);
    length += part.length;
    if (length > limits.walletManifest.most) {
      throw new Error(`more than ${limits.walletManifest.most} bytes`);
    }
  }
  return Buffer.concat(parts).toString('utf8');
}
