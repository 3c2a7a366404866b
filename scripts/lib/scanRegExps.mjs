// Scans every regular expression of src for npm run check. Patterns that recheck rates as exponential or polynomial
// fail, unless scripts/lib/knownRegExps.json says why long input cannot reach them. A scan always has the same verdict,
// and all of them take a minute, so those that were found safe are listed in scripts/lib/safeRegExps.txt: a run scans
// what is new, and keeps the list. With TONWB_LONG=1 everything is scanned.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import ts from 'typescript';
import { root } from './root.mjs';
import { say } from './say.mjs';

/** @typedef {{ source: string, flags: string, places: string[] }} Found */
/** @typedef {{ status: 'safe' | 'vulnerable' | 'unknown', summary: string }} Verdict */

/** @type {Verdict} */
const listed = { status: 'safe', summary: 'listed' };

// The scanner in JavaScript: no Java, no binary.
const require = createRequire(import.meta.url);
const { checkSync } = /** @type {typeof import('recheck')} */ (require('recheck/lib/browser.js'));
/**
 * Attacks are judged by steps, with a fixed random seed, so verdicts do not depend on the machine's load. The time
 * limit per pattern (the hardest of src takes six seconds) only stops endless scans.
 */
const options = {
  attackLimit: 10_000_000,
  attackTimeout: null,
  incubationTimeout: null,
  randomSeed: 0,
  timeout: 120_000,
};
/** Verdicts of another scanner or with other options do not count. */
const scanner = JSON.stringify([require('recheck/package.json').version, options]);

/** @returns {Found[]} the regular expressions of src, each once */
function regExpsOf(folder = path.join(root, 'src')) {
  /** @type {Map<string, Found>} */
  const found = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) {
      continue;
    }
    const file = path.join(entry.parentPath, entry.name);
    const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    /** @param {ts.Node} node */
    const visit = (node) => {
      const pattern = patternOf(node);
      if (pattern !== undefined) {
        const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
        const key = `/${pattern.source}/${pattern.flags}`;
        const one = found.get(key) ?? { ...pattern, places: [] };
        one.places.push(`${path.relative(root, file).replaceAll(path.sep, '/')}:${line + 1}`);
        found.set(key, one);
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  return [...found.values()];
}

/**
 * @param {ts.Node} node
 * @returns {{ source: string, flags: string } | undefined}
 */
function patternOf(node) {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  const isMade =
    (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
  if (!isMade) {
    return undefined;
  }
  const [source, flags] = node.arguments ?? [];
  const isKnown = source !== undefined && ts.isStringLiteralLike(source);
  // A pattern built from parts cannot be scanned: it must be listed, with the reason why it is safe.
  return {
    source: isKnown ? source.text : `RegExp(${source?.getText() ?? ''})`,
    flags: flags !== undefined && ts.isStringLiteralLike(flags) ? flags.text : isKnown ? '' : 'made',
  };
}

/**
 * @param {Found} found
 * @returns {Verdict}
 */
function scan({ source, flags }) {
  if (flags === 'made') {
    return { status: 'unknown', summary: 'made of parts' };
  }
  const found = checkSync(source, flags, options);
  const summary = found.status === 'unknown' ? found.error.kind : found.complexity.summary;
  return { status: found.status, summary };
}

/**
 * The faults, one line each.
 *
 * @param {readonly Found[]} found
 * @param {readonly { pattern: string, reason: string }[]} known
 * @param {ReadonlySet<string>} scanned keys of patterns that are safe
 * @returns {{ faults: string[], safe: string[] }} `safe`: the keys of those found that are
 */
export function faultsOf(found, known, scanned) {
  const reasons = new Map(known.map(({ pattern, reason }) => [pattern, reason]));
  const faults = [];
  const safe = [];
  for (const one of found) {
    const pattern = `/${one.source}/${one.flags}`;
    if (reasons.delete(pattern)) {
      continue;
    }
    const key = createHash('sha256').update(scanner).update(pattern).digest('hex');
    const { status, summary } = scanned.has(key) ? listed : scan(one);
    if (status === 'safe') {
      safe.push(key);
    } else {
      faults.push(`${one.places.join(' ')}: ${pattern} is ${status} (${summary})`);
    }
  }
  faults.push(...[...reasons.keys()].map((pattern) => `${pattern} is not in src any more`));
  return { faults, safe };
}

if (process.argv[1] === import.meta.filename) {
  const listFile = path.join(root, 'scripts/lib/safeRegExps.txt');
  const list = readFileSync(listFile, 'utf8');
  const isLong = process.env['TONWB_LONG'] === '1';
  const known = /** @type {{ pattern: string, reason: string }[]} */ (
    JSON.parse(readFileSync(path.join(root, 'scripts/lib/knownRegExps.json'), 'utf8'))
  );
  const { faults, safe } = faultsOf(regExpsOf(), known, new Set(isLong ? [] : list.split('\n')));
  const newList = safe
    .sort()
    .map((key) => `${key}\n`)
    .join('');
  if (newList !== list) {
    writeFileSync(listFile, newList);
  }
  faults.forEach((fault) => say(fault));
  process.exit(faults.length === 0 ? 0 : 1);
}
