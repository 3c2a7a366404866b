import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { referenceFolder } from '../../../support/referenceFolder';

const packages = ['@ton/ton', '@ton/sandbox', '@ton/core', '@ton-community/assets-sdk', '@ton-pay/api'];

/** Every BoC that stands as text in the installed TON packages and in the recorded answers: code, data, bodies. */
export function knownBocs(): Buffer[] {
  const files = [
    ...packages.flatMap((name) => filesBelow(path.join('node_modules', name, 'dist'))),
    ...filesBelow(referenceFolder),
  ].filter((file) => /\.(js|json|txt)$/.test(file) && !/emulator-emscripten/.test(file));
  const texts = new Set<string>();
  for (const file of files) {
    const content = readFileSync(file, 'utf8');
    for (const [text] of content.matchAll(/te6cc[A-Za-z0-9+/]{8,}={0,2}|b5ee9c72[0-9a-fA-F]{8,}/g)) {
      texts.add(text);
    }
  }
  return [...texts].map((text) => Buffer.from(text, text.startsWith('te6') ? 'base64' : 'hex'));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
