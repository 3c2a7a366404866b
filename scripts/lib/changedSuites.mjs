import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, root } from './root.mjs';

/** What `npm test -- --record` keeps: modules that ran in each suite, and what every module held then. */
export const reachFile = path.join(cacheFolder, 'reach.json');

/** @typedef {{ ran: Record<string, string[]>, hashes: Record<string, string> }} Reach */
/** @typedef {Record<string, { uses: string[], mayLoad: string[] }>} Graph static and dynamic imports by file */

/** A change to one of these can change everything. */
const everything =
  /^(package-lock\.json|tsconfig\.json|esbuild\.mjs|scripts\/(test|setup)\.mjs|scripts\/lib\/(buildPlugins|build|lane|runLanes|runTiers|countingReporter|cleanUp)\.mjs)$/;

/** What every window of the editor shows, beside the code. */
const inEveryWindow = /^(package(\.nls)?\.json|media\/|syntaxes\/|examples\/|src\/main\.cjs$)/;

/** What the editor's pages are shown by: the browser's code has no import from the extension. */
const showsPages = 'src/editor/ui/webviewHtml.ts';

/** @param {string[]} args */
const git = async (...args) => {
  const { stdout } = await promisify(execFile)('git', args, { cwd: root, maxBuffer: 2 ** 26 });
  return stdout.split('\n').filter((line) => line !== '');
};

/**
 * @param {string | undefined} base a revision; by default the last commit, or the one before it where nothing has
 *   changed since
 * @returns {Promise<string[]>} files that differ from it, new ones included
 */
export const changedFiles = async (base) => {
  const added = await git('ls-files', '--others', '--exclude-standard');
  const changed = [...(await git('diff', '--name-only', base ?? 'HEAD')), ...added];
  return changed.length > 0 || base !== undefined ? changed : git('diff', '--name-only', 'HEAD~1');
};

/** @returns {Graph} of the last build with tests, and of the scripts that tests use as they are */
export const readGraph = () => {
  const graph = /** @type {Graph} */ (
    JSON.parse(readFileSync(path.join(root, 'dist/test/graph.json'), 'utf8'))
  );
  const waiting = Object.values(graph).flatMap(({ uses, mayLoad }) => [...uses, ...mayLoad]);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (graph[file] === undefined && file.endsWith('.mjs') && existsSync(path.join(root, file))) {
      const text = readFileSync(path.join(root, file), 'utf8');
      const from = path.posix.dirname(file);
      const uses = [...text.matchAll(/(?:from|import\(|import) ?'(\.[^']+)'/g)].map(([, target = '']) =>
        path.posix.join(from, target),
      );
      graph[file] = { uses, mayLoad: [] };
      waiting.push(...uses);
    }
  }
  return graph;
};

/** @param {string} file */
const hashOf = (file) => {
  try {
    return createHash('sha256')
      .update(readFileSync(path.join(root, file)))
      .digest('base64url');
  } catch {
    return '';
  }
};

/**
 * @param {Graph} graph
 * @returns {Record<string, string>} what each module holds now
 */
export const hashesOf = (graph) => Object.fromEntries(Object.keys(graph).map((file) => [file, hashOf(file)]));

/** @returns {Reach | undefined} */
const readReach = () => {
  try {
    return /** @type {Reach} */ (JSON.parse(readFileSync(reachFile, 'utf8')));
  } catch {
    return undefined;
  }
};

/**
 * @param {Graph} graph
 * @param {Iterable<string>} start
 * @param {(file: string) => boolean} mayLoad whether what this one imports dynamically counts
 */
const closure = (graph, start, mayLoad) => {
  const found = new Set(start);
  for (const file of found) {
    const imports = graph[file];
    imports?.uses.forEach((one) => found.add(one));
    if (imports !== undefined && mayLoad(file)) {
      imports.mayLoad.forEach((one) => found.add(one));
    }
  }
  return found;
};

/**
 * Which suites a change can reach. Suites that start the product as a whole (its commands, the extension) would all
 * be reached by their imports: for these, what `--record` has seen running counts, with all that it imports today,
 * and with what may be loaded by files that have changed since. Without a record the imports alone count.
 * @param {string[]} suites suite files
 * @param {string[]} changed files that differ
 * @returns {string[]} some of the suites
 */
export const suitesReached = (suites, changed) => {
  if (changed.some((file) => everything.test(file))) {
    return suites;
  }
  const graph = readGraph();
  const reach = readReach();
  const isSource = (/** @type {string} */ file) =>
    graph[file] !== undefined || /^(src|test)\/.*\.tsx?$/.test(file);
  const others = changed.filter((file) => !isSource(file));
  const hasChanged = new Set(changed);
  /** @type {Map<string, boolean>} */
  const stale = new Map();
  const isStale = (/** @type {string} */ file) => {
    const known = stale.get(file) ?? reach?.hashes[file] !== hashOf(file);
    stale.set(file, known);
    return known;
  };
  const ofProduct = [
    'src/extension.ts',
    'src/cli.ts',
    ...Object.keys(graph).filter((file) => /Worker\.ts$|^src\/library\//.test(file)),
  ];
  return suites.filter((suite) => {
    const inWindow = /^test\/(ui|host)\//.test(suite);
    const ran = reach?.ran[suite];
    const own = closure(graph, [suite], (file) => ran === undefined || !file.startsWith('src/'));
    const texts = [...own].filter((file) => /^(test|scripts)\//.test(file));
    const startsProduct =
      inWindow ||
      /^test\/conformance\//.test(suite) ||
      texts.some((file) => file.startsWith('test/') && mentions(file, 'dist/'));
    const reached =
      ran !== undefined
        ? closure(graph, [...ran, ...own], isStale)
        : startsProduct
          ? closure(graph, [...own, ...ofProduct], () => true)
          : own;
    return (
      [...hasChanged].some((file) => reached.has(file)) ||
      (inWindow && changed.some((file) => inEveryWindow.test(file))) ||
      (reached.has(showsPages) && changed.some((file) => file.startsWith('src/webview/'))) ||
      others.some((file) =>
        texts.some(
          (text) => mentions(text, path.posix.basename(file)) || mentions(text, `${file.split('/')[0]}/`),
        ),
      )
    );
  });
};

/** @type {Map<string, string>} */
const textCache = new Map();

/**
 * @param {string} file of the tests or scripts
 * @param {string} name
 * @returns {boolean} whether its text names that file or folder, to read it
 */
const mentions = (file, name) => {
  const known = textCache.get(file);
  const text =
    known ?? (existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : '');
  textCache.set(file, text);
  return text.includes(name);
};
