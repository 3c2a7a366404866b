import assert from 'node:assert/strict';
import { moneyOf } from '../../src/toolkit/trace/money';
import type { TraceContext } from '../../src/toolkit/trace/traceContext';
import { moneyFlows } from '../../src/toolkit/trace/page/moneyFlows';
import type { AssetFlows, MoneyParty } from '../../src/toolkit/trace/page/tracePage';

/**
 * Who paid whom must say what the books of the trace say: each party's change is its row's, all changes add up to zero,
 * they are the sums of the flows, and no money goes in circles.
 */
export function checkFlows(context: TraceContext): AssetFlows[] {
  const money = moneyOf(context);
  const assets = moneyFlows(context);
  for (const { title, parties, flows } of assets) {
    const changes = parties.map(() => 0n);
    for (const { from, to, amount } of flows) {
      assert.ok(BigInt(amount) > 0n && from !== to, title);
      changes[from] = (changes[from] ?? 0n) - BigInt(amount);
      changes[to] = (changes[to] ?? 0n) + BigInt(amount);
    }
    assert.deepEqual(
      parties.map(({ change }) => BigInt(change)),
      changes,
      title,
    );
    assert.equal(sum(changes), 0n, title);
    assert.ok(!hasCycle(parties.length, flows), title);
  }
  const [coins] = assets;
  if (money.isWhole) {
    assert.equal(
      sum((coins?.parties ?? []).filter(({ kind }) => kind === 'fees').map(({ change }) => BigInt(change))),
      money.fees.total,
    );
  }
  const coinChange = changesIn(context, coins?.parties ?? []);
  for (const { account, coins: change, outside } of money.rows) {
    assert.equal(coinChange(account, outside), change, account);
  }
  for (const master of new Set(money.rows.flatMap(({ jettons }) => [...jettons.keys()]))) {
    const asset = assets.find(({ title }) => title === context.jetton(master).symbol);
    const change = changesIn(context, asset?.parties ?? []);
    for (const { account, jettons } of money.rows) {
      assert.equal(change(account, false), jettons.get(master) ?? 0n, account);
    }
    const made = (asset?.parties ?? []).filter(({ kind }) => kind === 'minted' || kind === 'burned');
    assert.equal(-sum(made.map(({ change }) => BigInt(change))), money.supply.get(master) ?? 0n);
  }
  return assets;
}

/** The change of an account's party, or of the same account before the trace. */
function changesIn(
  { model }: TraceContext,
  parties: readonly MoneyParty[],
): (account: string, isOutside: boolean) => bigint {
  const changes = new Map(
    parties.map(({ kind, account, change }) => [`${kind} ${model.accounts[account]}`, BigInt(change)]),
  );
  return (account, isOutside) => changes.get(`${isOutside ? 'outside' : 'account'} ${account}`) ?? 0n;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** Whether something is left when those are removed, again and again, to whom nobody pays. */
function hasCycle(count: number, flows: AssetFlows['flows']): boolean {
  const incoming = Array<number>(count).fill(0);
  const outgoing: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of flows) {
    incoming[to] = (incoming[to] ?? 0) + 1;
    outgoing[from]?.push(to);
  }
  const free = [...incoming.keys()].filter((party) => incoming[party] === 0);
  let left = count;
  for (let party = free.pop(); party !== undefined; party = free.pop()) {
    left--;
    for (const to of outgoing[party] ?? []) {
      incoming[to] = (incoming[to] ?? 0) - 1;
      if (incoming[to] === 0) {
        free.push(to);
      }
    }
  }
  return left > 0;
}
