import { createHash } from 'node:crypto';
import path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { SourceLibrary } from '../sourceMap/sourceMap';

/**
 * What a line is in: a file on this machine, the listing of the instructions that an execution ran, or a file of a
 * compiler's standard library.
 */
export type LineSource = { file: string } | { thread: number } | { library: number };

/** Listings are numbered from here: other references are those of a client's own documents. */
const firstListing = 1_000;
/** Files of standard libraries are numbered from here, by their contents: breakpoints in them outlive a session. */
const firstLibrary = 0x100_0000;
const mostLibraries = 0x4000_0000;

/** A source as a client names it. */
export function lineSource({ path: file = '', sourceReference = 0 }: DebugProtocol.Source): LineSource {
  if (sourceReference >= firstLibrary) {
    return { library: sourceReference };
  }
  return sourceReference >= firstListing
    ? { thread: sourceReference - firstListing }
    : { file: path.normalize(file) };
}

/** How a client names the listing of an execution. */
export function listingReference(thread: number): number {
  return firstListing + thread;
}

/** How a client names a file of a standard library. */
export function libraryReference({ file, text }: SourceLibrary): number {
  const hash = createHash('sha256').update(`${file}\n${text}`).digest();
  return firstLibrary + (hash.readUInt32BE() % mostLibraries);
}
