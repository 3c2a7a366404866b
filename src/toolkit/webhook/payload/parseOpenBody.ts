import { completedEvent, parsePayload } from './payload';
import type { ParsedPayload } from './payload';
import { readJsonObject } from './readJsonObject';

/** Reads a body whose fields are up to its sender: those of the payment service are recognized. */
export function parseOpenBody(body: Buffer): ParsedPayload {
  const parsed = parsePayload(body);
  if (parsed.kind === 'transfer' || parsed.event === completedEvent) {
    return parsed;
  }
  const read = readJsonObject(body);
  if ('reason' in read) {
    return { kind: 'malformed', reason: read.reason, path: null, event: null };
  }
  const { type, event, id } = read.object;
  const name = [type, event].find((one) => typeof one === 'string');
  return {
    kind: 'notification',
    event: name === undefined ? null : name.slice(0, 100),
    id: typeof id === 'string' && id !== '' ? id.slice(0, 200) : null,
    warnings: [],
  };
}
