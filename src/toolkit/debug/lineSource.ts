import path from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';

/** What a line is in: a file on this machine, or the listing of the instructions that an execution ran. */
export type LineSource = { file: string } | { thread: number };

/** Listings are numbered from here: other references are those of a client's own documents. */
const firstListing = 1_000;

/** A source as a client names it. */
export function lineSource({ path: file = '', sourceReference = 0 }: DebugProtocol.Source): LineSource {
  return sourceReference >= firstListing
    ? { thread: sourceReference - firstListing }
    : { file: path.normalize(file) };
}

/** How a client names the listing of an execution. */
export function listingReference(thread: number): number {
  return firstListing + thread;
}
