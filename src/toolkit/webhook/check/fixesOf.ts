import { groupBy } from '../../groupBy';
import type { ScenarioName } from '../send/scenarios';
import type { CheckRow, ShopRule } from './checkRow';
import { isHttpSuccess } from '../values/isHttpSuccess';
import type { ReceiverCode } from '../receiver/receiverCode';
import type { ReceiverFramework } from '../receiver/receiverFrameworks';
import { receiverPart } from '../receiver/receiverPart';

type Part = Parameters<typeof receiverPart>[0];

const partOf: Readonly<Record<ScenarioName, Part>> = {
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

const partOfShop: Readonly<Record<ShopRule, Part>> = {
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

/** The code of a service's receiver that follows each broken rule, once for all rules that it keeps. */
export function fixesOf(
  rows: readonly CheckRow[],
  framework: ReceiverFramework,
  code: ReceiverCode,
): ReceiverFix[] {
  const broken = rows.filter(({ ok }) => !ok);
  return [...groupBy(broken, (row) => receiverPart(partFor(row), framework, code))].map(([fix, kept]) => ({
    rows: kept,
    code: fix,
  }));
}

/** The fixes as text: the rules as comments, each above its code. */
export function describeFixes(
  rows: readonly CheckRow[],
  framework: ReceiverFramework,
  code: ReceiverCode,
): string {
  return fixesOf(rows, framework, code)
    .map((fix) => `${fix.rows.map(({ rule }) => `// ${rule}\n`).join('')}${fix.code}`)
    .join('\n');
}

function partFor({ scenario, header, shop, expected, statuses }: CheckRow): Part {
  if (shop !== undefined) {
    return partOfShop[shop];
  }
  if (expected === '200' && statuses.every((status) => status !== null && isHttpSuccess(status))) {
    // It does the right thing, and says it with another status.
    return 'receive';
  }
  return header === undefined ? partOf[scenario] : 'rawBody';
}
