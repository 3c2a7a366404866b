import { groupBy } from '../../groupBy';
import type { ScenarioName } from '../send/scenarios';
import type { CheckRow, ShopRule } from './checkRow';
import type { ReceiverFramework } from './receiverFrameworks';
import { receiverPart } from './receiverPart';
import type { ReceiverPart } from './receiverPart';

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
  rows: readonly CheckRow[];
  code: string;
}

/** The code that follows each broken rule, once for all rules that it keeps. */
export function fixesOf(rows: readonly CheckRow[], framework: ReceiverFramework): ReceiverFix[] {
  const broken = rows.filter(({ ok }) => !ok);
  return [...groupBy(broken, partFor)].map(([part, kept]) => ({
    rows: kept,
    code: receiverPart(part, framework),
  }));
}

/** The fixes as text: the rules as comments, each above its code. */
export function describeFixes(rows: readonly CheckRow[], framework: ReceiverFramework): string {
  return fixesOf(rows, framework)
    .map((fix) => `${fix.rows.map(({ rule }) => `// ${rule}\n`).join('')}${fix.code}`)
    .join('\n');
}

function partFor({ scenario, header, shop }: CheckRow): ReceiverPart {
  if (shop !== undefined) {
    return partOfShop[shop];
  }
  return header === undefined ? partOf[scenario] : 'rawBody';
}
