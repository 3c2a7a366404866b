// Runs test/check for npm run check: tests of the sources' own rules. They read src and nothing else, so they are built
// alone and beside dist.
import { buildProject } from './build.mjs';

await buildProject('--only=test/check', '--outdir=.cache/check');
await import('./runSuites.mjs');
