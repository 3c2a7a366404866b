import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/lib/root.mjs';

interface Rule {
  match?: string;
  begin?: string;
  end?: string;
  name?: string;
  include?: string;
  captures?: Record<string, { name?: string }>;
}

interface Grammar {
  scopeName: string;
  patterns: Rule[];
  repository?: Record<string, { patterns: Rule[] }>;
}

/** Reads a grammar from the folder `syntaxes`. */
export function readGrammar(name: string): Grammar {
  return JSON.parse(readFileSync(path.join(root, `syntaxes/${name}.tmLanguage.json`), 'utf8')) as Grammar;
}

/** The tokens of a line as an editor finds them: the earliest match, and of those the first pattern's. */
export function grammarTokens(name: string, line: string): [text: string, scope: string][] {
  const grammar = readGrammar(name);
  const rules = grammar.patterns.flatMap((rule) =>
    rule.include === undefined ? [rule] : (grammar.repository?.[rule.include.slice(1)]?.patterns ?? []),
  );
  const found: [string, string][] = [];
  for (let at = 0; at < line.length;) {
    const matches = rules.flatMap((rule) => {
      const pattern = new RegExp(rule.match ?? `${rule.begin ?? ''}.*?(?:${rule.end ?? ''})`, 'gu');
      pattern.lastIndex = at;
      const result = pattern.exec(line);
      return result === null || result[0] === '' ? [] : [{ rule, result }];
    });
    const first = matches.reduce<(typeof matches)[number] | undefined>(
      (best, one) => (best === undefined || one.result.index < best.result.index ? one : best),
      undefined,
    );
    if (first === undefined) {
      break;
    }
    const { rule, result } = first;
    const parts = Object.entries(rule.captures ?? {}).map(([number, { name }]): [string, string] => [
      result[Number(number)] ?? '',
      name ?? '',
    ]);
    const whole: [string, string][] = rule.name === undefined ? parts : [[result[0], rule.name]];
    found.push(...whole.filter(([text, scope]) => text !== '' && scope !== ''));
    at = result.index + result[0].length;
  }
  return found;
}
