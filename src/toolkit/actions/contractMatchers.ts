import type { Slice } from '@ton/core';
import { loadMessageRelaxed } from '@ton/core';
import { opcodeOf } from '../contracts/opcodes/opcodes';
import type { ActionMatcher, ActionNode, NamedAction } from './actionNode';
import { childOf, loadAccount, present, readFields, readLayout } from './actionNode';

/** Messages of the vesting wallet (ton-blockchain/vesting-contract). */
const vesting = {
  send: opcodeOf('vesting_send'),
  sent: opcodeOf('vesting_send_response'),
  addWhitelist: opcodeOf('vesting_add_whitelist'),
  whitelistAdded: opcodeOf('vesting_add_whitelist_response'),
} as const;

export const contractMatchers: readonly ActionMatcher[] = [
  { opcodes: [vesting.send], match: vestingSend },
  { opcodes: [vesting.addWhitelist], match: vestingWhitelist },
];

function vestingSend(node: ActionNode): NamedAction | undefined {
  const answer = childOf(node, vesting.sent);
  const told = readFields(node, (slice) => {
    const query_id = slice.loadUintBig(64);
    const cell = slice.skip(8).loadRef();
    const { info } = loadMessageRelaxed(cell.beginParse());
    return info.type !== 'internal'
      ? undefined
      : {
          query_id,
          message_boc: cell.toBoc({ crc32: false }).toString('base64'),
          destination: info.dest.toRawString(),
          amount: info.value.coins,
        };
  });
  return answer === undefined || told === undefined
    ? undefined
    : {
        type: 'vesting_send_message',
        details: { source: node.source, vesting: node.account, ...told },
        nodes: present(node, answer),
        success: node.isDone,
      };
}

function vestingWhitelist(node: ActionNode): NamedAction | undefined {
  const answer = childOf(node, vesting.whitelistAdded);
  const told = readFields(node, (slice) => ({
    query_id: slice.loadUintBig(64),
    accounts_added: loadList(slice),
  }));
  return answer === undefined || told === undefined
    ? undefined
    : {
        type: 'vesting_add_whitelist',
        details: { source: node.source, vesting: node.account, ...told },
        nodes: present(node, answer),
        success: node.isDone,
      };
}

/** An address, and the next one in a reference. */
function loadList(slice: Slice): string[] {
  const accounts: string[] = [];
  let at: Slice | undefined = slice;
  while (at !== undefined && accounts.length < 1000) {
    const account = loadAccount(at);
    accounts.push(...(account === null ? [] : [account]));
    at = at.remainingRefs === 0 ? undefined : readLayout(at.loadRef(), (next) => next);
  }
  return accounts;
}
