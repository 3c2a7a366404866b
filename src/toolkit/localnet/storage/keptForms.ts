import { lowerHex } from '../../address/lowerHex';
import type { ChainSettings } from '../records/chainSettings';
import type { FailedMessage } from '../records/failedMessage';

/**
 * Converts old journal formats: hashes in base64, addresses in uppercase. Both are still read, but written in the
 * internal form.
 */

export function keptHash(text: string): string {
  return text.length === 64 ? text : Buffer.from(text, 'base64').toString('hex');
}

export function keptAddress(text: string): string {
  return lowerHex(text);
}

export function keptFailure(message: FailedMessage): FailedMessage {
  return { ...message, hash: keptHash(message.hash), destination: keptAddress(message.destination) };
}

export function keptSettings(settings: ChainSettings): ChainSettings {
  const { names } = settings;
  if (names === undefined) {
    return settings;
  }
  const entries = Object.entries(names).map(([address, name]) => [keptAddress(address), name] as const);
  return { ...settings, names: Object.fromEntries(entries) };
}
