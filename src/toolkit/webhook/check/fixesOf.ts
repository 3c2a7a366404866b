import { groupBy } from '../../groupBy';
import type { ScenarioName } from '../send/scenarios';
import type { CheckRow, ShopRule } from './checkRow';
import { isHttpSuccess } from '../values/isHttpSuccess';
import type { ReceiverCode } from '../receiver/receiverCode';
import type { ReceiverFramework } from '../receiver/receiverFrameworks';
import { receiverPart } from '../receiver/receiverPart';
import type { FixPart } from '../receiver/receiverPart';

const partOf: Readonly<Record<ScenarioName, FixPart>> = {
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

const partOfShop: Readonly<Record<ShopRule, FixPart>> = {
  paid: 'order',
  once: 'once',
  status: 'order',
  amount: 'order',
  chain: 'chain',
  account: 'order',
};

/** Code that keeps some of the broken rules. */
export interface ReceiverFix {
  rows: readonly CheckRow[];
  code: string;
}

/**
 * The code of a service's receiver that follows each broken rule, once for all rules that it keeps. What only follows from
 * another rule needs no code of its own.
 */
export function fixesOf(
  rows: readonly CheckRow[],
  framework: ReceiverFramework,
  code: ReceiverCode,
): ReceiverFix[] {
  const broken = rows.filter(({ ok, follows }) => !ok && follows !== true);
  const parts = broken.flatMap((row) => partsFor(row).map((part) => ({ row, part })));
  const byCode = groupBy(parts, ({ part }) => receiverPart(part, framework, code));
  return [...byCode].map(([fix, kept]) => ({
    rows: kept.map(({ row }) => row),
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

/** Several, where the mistake may be in either. */
function partsFor({ scenario, header, shop, expected, statuses }: CheckRow): FixPart[] {
  if (shop !== undefined) {
    return [partOfShop[shop]];
  }
  if (expected === '200' && statuses.every((status) => status !== null && isHttpSuccess(status))) {
    // It does the right thing, and says it with another status.
    return ['status'];
  }
  if (scenario === 'success' && statuses.includes(404)) {
    return ['order'];
  }
  return header === undefined && scenario !== 'reserialized' ? [partOf[scenario]] : ['signature', 'rawBody'];
}
