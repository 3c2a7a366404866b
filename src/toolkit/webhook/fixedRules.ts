import type { RuleName, RuleResult } from './delivery';

/** Rules whose words never change, with their JSON: most rules of most deliveries are one of these. */
const texts = new Map<RuleResult, string>();

/** A rule result that is the same object, and the same JSON, every time. */
export function fixedRule(rule: RuleName, verdict: 'pass' | 'skip' | 'fail', text: string): RuleResult {
  const result = Object.freeze({ rule, verdict, text });
  texts.set(result, JSON.stringify(result));
  return result;
}

/** Rule results as a JSON array. */
export function rulesJson(rules: readonly RuleResult[]): string {
  let json = '';
  for (const rule of rules) {
    json += `${json === '' ? '' : ','}${texts.get(rule) ?? JSON.stringify(rule)}`;
  }
  return `[${json}]`;
}
