import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { referenceFolder } from './referenceFolder';

/** A recorded /traces answer. */
export interface TraceFixture {
  file: string;
  text: string;
}

/** The recorded /traces answers. */
export function traceFixtures(): TraceFixture[] {
  const folder = path.join(referenceFolder, 'traces');
  return readdirSync(folder)
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));
}
