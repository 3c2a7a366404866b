import type { ScenarioName } from '../send/scenarios';
import type { CheckRow, ShopRule } from './checkRow';
import { receiverPart } from './receiverSource';
import type { ReceiverFramework, ReceiverPart } from './receiverSource';

const partOf: Readonly<Record<ScenarioName, ReceiverPart>> = {
  success: 'signature',
  failed: 'order',
  duplicate: 'once',
  concurrent: 'once',
  retry: 'once',
  'wrong-secret': 'signature',
  altered: 'signature',
  reserialized: 'rawBody',
  'no-signature': 'signature',
  'unknown-reference': 'order',
  'amount-off-by-one': 'order',
  'wrong-asset': 'order',
  refunded: 'event',
  'not-json': 'event',
  huge: 'rawBody',
  slow: 'rawBody',
  stale: 'signature',
  'other-account': 'order',
};

const partOfShop: Readonly<Record<ShopRule, ReceiverPart>> = {
  paid: 'order',
  once: 'once',
  status: 'order',
  amount: 'order',
  chain: 'chain',
};

/** Code that keeps some of the broken rules. */
export interface ReceiverFix {
  rules: readonly string[];
  code: string;
}

/** The code that follows each broken rule, once for all rules that it keeps. */
export function fixesOf(rows: readonly CheckRow[], framework: ReceiverFramework): ReceiverFix[] {
  const rules = new Map<ReceiverPart, string[]>();
  for (const { ok, scenario, rule, header, shop } of rows) {
    if (!ok) {
      const part =
        shop !== undefined ? partOfShop[shop] : header === undefined ? partOf[scenario] : 'rawBody';
      rules.set(part, [...(rules.get(part) ?? []), rule]);
    }
  }
  return [...rules].map(([part, kept]) => ({ rules: kept, code: receiverPart(part, framework) }));
}

/** The fixes as text: the rules as comments, each above its code. */
export function describeFixes(rows: readonly CheckRow[], framework: ReceiverFramework): string {
  return fixesOf(rows, framework)
    .map(({ rules, code }) => `${rules.map((rule) => `// ${rule}\n`).join('')}${code}`)
    .join('\n');
}
