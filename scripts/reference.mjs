// npm run reference -- FILE…: renews test/reference/v2-openapi.json and v3-openapi.json from the published descriptions.
import path from 'node:path';
import { renewReference } from './lib/renewReference.mjs';
import { root } from './lib/root.mjs';
import { say } from './lib/say.mjs';

const files = process.argv.slice(2);
if (files.length === 0) {
  say('Name the OpenAPI descriptions to read: npm run reference -- v2.json v3.json');
  process.exit(2);
}
try {
  for (const { file, paths, schemas } of await renewReference(files, path.join(root, 'test/reference'))) {
    say(`${path.relative(root, file)}: ${paths} paths, ${schemas} schemas`);
  }
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
