import { readFileSync } from 'node:fs';
import path from 'node:path';
import { referenceFolder } from './referenceFolder';

/** The facts of the published OpenAPI description of one API, a new copy each time. */
export function readDescription(layer: 'v2' | 'v3'): unknown {
  return JSON.parse(readFileSync(path.join(referenceFolder, `${layer}-openapi.json`), 'utf8'));
}
