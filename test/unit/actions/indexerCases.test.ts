import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import type { NamedAction } from '../../../src/toolkit/actions/actionNode';
import { allActions } from '../../../src/toolkit/actions/namedActions';
import { readTraces } from '../../../src/toolkit/trace/readTraces';
import { traceActionNodes, traceFacts, unsentNodes } from '../../../src/toolkit/trace/traceActionNodes';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';

interface Expected {
  type: string;
  success?: boolean;
  details: Record<string, unknown>;
}
interface Case {
  name: string;
  trace: string;
  actions: Expected[];
}

const folder = path.join(root, 'test/reference/indexer');
const read = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
const cases = read('cases.json') as Record<string, Case[]>;
const traces = read('traces.json') as Record<string, { answer: unknown }>;

/** Counters that the service reads at a wrong place of the message; the accounts and amounts beside them are compared. */
const misread = new Set(['new_tokens', 'new_tokens_used', 'expected_address']);

/** The actions that are not equal, and why. */
const misses = new Map<string, string>([
  // Only a get-method of the sale tells them.
  ['nft | Getgems purchase | nft_transfer', 'price, marketplace, and owner are in the data of the sale'],
  ['nft | Getgems purchase | nft_purchase', 'price, marketplace, and owner are in the data of the sale'],
  ['nft | Getgems auction purchase | nft_transfer', 'the same of an auction'],
  ['nft | Getgems auction purchase 2 | nft_transfer', 'the same of an auction'],
  // What the service says is not what the messages say.
  ['coffee | Coffee withdraw liquidity (jetton - jetton) | dex_withdraw_liquidity', 'it swaps the assets'],
  ['coffee | Coffee create pool (full and simple) | coffee_create_pool_creator', 'it knows no other asset'],
  ['coffee | Coffee staking withdraw | coffee_staking_withdraw', 'its pool is the burned item'],
  ['layerzero | LayerZero commit packet | layerzero_commit_packet', 'its uln is the connection'],
  ['layerzero | LayerZero commit packet from eth to ton | layerzero_commit_packet', 'the same'],
  ['tgbtc | tgBTC burn (with strange burn notification) | tgbtc_burn', 'an address in workchain 15'],
  ['tonstakers | TS Withdrawal request | nft_mint', 'its owner is the collection'],
]);

/**
 * What is compared of an action: all but the user's wallet of a side that got nothing. No message names it, and the service
 * takes the owner for it.
 */
function comparedFields(details: Record<string, unknown>): Record<string, unknown> {
  const isLeftOut = (name: string): boolean => {
    const side = /^user_jetton_wallet_([12])$/.exec(name)?.[1];
    return side !== undefined && details[`amount_${side}`] === 0;
  };
  return Object.fromEntries(Object.entries(details).filter(([name]) => !isLeftOut(name)));
}

/** Whether all that is expected is so; lists in any order. */
function isAsExpected(actual: unknown, expected: unknown): boolean {
  if (expected === null) {
    return actual === null || actual === undefined;
  }
  if (Array.isArray(expected)) {
    const list = Array.isArray(actual) ? actual : [];
    return (
      list.length === expected.length && expected.every((one) => list.some((own) => isAsExpected(own, one)))
    );
  }
  if (typeof expected === 'object') {
    return Object.entries(expected).every(
      ([name, value]) =>
        misread.has(name) || isAsExpected((actual as Record<string, unknown> | undefined)?.[name], value),
    );
  }
  if (typeof actual === 'boolean') {
    return actual === expected;
  }
  const isText = typeof actual === 'string' || typeof actual === 'number' || typeof actual === 'bigint';
  const wanted = typeof expected === 'string' || typeof expected === 'number' ? String(expected) : undefined;
  return isText && String(actual) === wanted;
}

function actionsOf(trace: string): NamedAction[] {
  const [model] = readTraces(structuredClone(traces[trace]?.answer));
  assert.ok(model);
  const context = new TraceContext(model);
  return allActions([...traceActionNodes(context), ...unsentNodes(context)], traceFacts(context));
}

describe("the indexer's public cases", () => {
  for (const [group, list] of Object.entries(cases)) {
    for (const { name, trace, actions } of list) {
      it(`${group}: ${name}`, () => {
        const found = actionsOf(trace);
        for (const { type, success, details } of actions) {
          const isFound = found.some(
            (one) =>
              one.type === type &&
              (success === undefined || one.success === success) &&
              isAsExpected(one.details, comparedFields(details)),
          );
          // A miss that is none any more is to be taken off the list.
          assert.equal(isFound, !misses.has(`${group} | ${name} | ${type}`), `${type} ${trace}`);
        }
        const ofMessages = found.flatMap(({ nodes }) => nodes);
        assert.equal(new Set(ofMessages).size, ofMessages.length, 'a message belongs to one action');
      });
    }
  }

  it('are 151 actions in all, of which 140 are equal', () => {
    const all = Object.values(cases).flatMap((list) => list.flatMap(({ actions }) => actions));
    assert.deepEqual([all.length, all.length - misses.size], [151, 140]);
  });
});
