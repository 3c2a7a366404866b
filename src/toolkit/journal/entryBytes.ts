/** What a journal's entry consists of: what can be said in JSON, and byte strings as they are. */
export interface EntryParts {
  head: unknown;
  blobs: readonly Buffer[];
}

/** The length of the JSON, the JSON, the byte strings. Their lengths are for the head to say. */
export function joinEntry({ head, blobs }: EntryParts): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.allocUnsafe(4);
  prefix.writeUInt32BE(json.length);
  return Buffer.concat([prefix, json, ...blobs]);
}

/** The opposite of {@link joinEntry}; the byte strings come as one view. Throws when these bytes are no entry. */
export function splitEntry(bytes: Buffer): { head: unknown; rest: Buffer } {
  const end = 4 + bytes.readUInt32BE(0);
  if (end > bytes.length) {
    throw new RangeError('the entry is cut off in its header');
  }
  const head: unknown = JSON.parse(bytes.toString('utf8', 4, end));
  return { head, rest: bytes.subarray(end) };
}
