import { readBoc } from '../cell/readBoc';

/** Hashes (lowercase hex) of the libraries that a BoC (base64) refers to by library cells. */
export function libraryHashes(base64: string): string[] {
  const boc = readBoc(Buffer.from(base64, 'base64'));
  const hashes: string[] = [];
  for (let cell = 0; cell < boc.cellCount; cell++) {
    if (boc.kind(cell) === 'library') {
      hashes.push(Buffer.from(boc.data(cell).subarray(1, 33)).toString('hex'));
    }
  }
  return hashes;
}
