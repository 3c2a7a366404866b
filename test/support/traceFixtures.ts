import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** A recorded /traces answer. */
export interface TraceFixture {
  file: string;
  text: string;
}

/** The recorded /traces answers of the reference folder. */
export function traceFixtures(reference: string): TraceFixture[] {
  const folder = path.join(reference, 'fixtures/v3-traces');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));
}
