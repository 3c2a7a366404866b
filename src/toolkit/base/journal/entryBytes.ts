/** A journal entry: a JSON part, and raw byte strings. */
export interface EntryParts {
  head: unknown;
  blobs: readonly Buffer[];
}

/** The length of the JSON, the JSON, the byte strings. Their lengths must be in the JSON part. */
export function joinEntry({ head, blobs }: EntryParts): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.allocUnsafe(4);
  prefix.writeUInt32BE(json.length);
  return Buffer.concat([prefix, json, ...blobs]);
}

/** The inverse of {@link joinEntry}; the byte strings come as one view. Throws if the bytes are not an entry. */
export function splitEntry(bytes: Buffer): { head: unknown; rest: Buffer } {
  const end = 4 + bytes.readUInt32BE(0);
  if (end > bytes.length) {
    throw new RangeError('the entry is cut off in its header');
  }
  const head: unknown = JSON.parse(bytes.toString('utf8', 4, end));
  return { head, rest: bytes.subarray(end) };
}
