import { formatTable, padRight, widestOf } from '../base/formatTable';
import { ownValue } from '../base/collections';
import { visibleText } from '../base/text';
import { formatCoins, formatInteger, formatTime } from './figures';
import type { FieldLine } from './report';
import type { TraceContext } from './traceContext';
import { accountIn, amountIn, hashIn } from './traceKeys';

/** Maximum length of a value with its meaning on the same line: an account with a name. */
const longest = 110;

/** One value inside an object, by path. */
interface Leaf {
  path: string;
  value: unknown;
}

/**
 * Every field of one object of the service as aligned lines: name and value, with the meaning. Unknown fields are shown as
 * received, so nothing in an answer is lost. `without` lists fields shown elsewhere.
 */
export function fieldLines(
  object: unknown,
  section: Section,
  context: TraceContext,
  without: readonly string[] = [],
): FieldLine[] {
  const meanings = fieldMeanings[section];
  const rows = leavesOf(object, without)
    .filter(({ value }) => value !== null && value !== undefined)
    .map(({ path, value }) => {
      const known = ownValue(meanings, path) ?? amountsOf(meanings, path);
      return [
        visibleText(path, 80),
        formatField(value, known?.form ?? guess(value), context),
        known?.meaning ?? '',
      ];
    });
  // A BoC would push the meanings off the page: long values do not count for the table's width.
  const table = formatTable(
    rows.map(([name = '', value = '', meaning = '']) =>
      value.length > longest ? [name] : [name, value, meaning],
    ),
    ['left', 'left', 'left'],
  );
  const width = widestOf(rows.map(([name = '']) => name));
  return rows.map(([name = '', value = '', meaning = ''], index) => {
    const text = `${padRight(name, width)}  ${value}`;
    return { text, meaning, wide: value.length > longest ? text : (table[index] ?? '') };
  });
}

/** Keys inside a map of amounts (extra currencies) share the map's meaning. */
function amountsOf(
  meanings: (typeof fieldMeanings)[Section],
  path: string,
): { form: FieldForm; meaning: string } | undefined {
  const parent = ownValue(meanings, path.slice(0, path.lastIndexOf('.')));
  return parent?.form === 'amounts' ? { form: 'count', meaning: parent.meaning } : undefined;
}

/** The values of a nested object in order, without recursion: a damaged file may nest to any depth. */
function leavesOf(object: unknown, without: readonly string[] = []): Leaf[] {
  const skipped = new Set(without);
  const leaves: Leaf[] = [];
  const stack: Leaf[] = [{ path: '', value: object }];
  for (let leaf = stack.pop(); leaf !== undefined; leaf = stack.pop()) {
    const { path, value } = leaf;
    if (path !== '' && skipped.has(path)) {
      continue;
    }
    if (typeof value !== 'object' || value === null) {
      if (path !== '') {
        leaves.push(leaf);
      }
      continue;
    }
    const entries = Object.entries(value as Record<string, unknown>);
    for (let i = entries.length - 1; i >= 0; i--) {
      const [key, inner] = entries[i] as [string, unknown];
      stack.push({ path: path === '' ? key : `${path}.${key}`, value: inner });
    }
  }
  return leaves;
}

/** One value formatted by its meaning; a misfit is shown as received. */
function formatField(value: unknown, form: FieldForm, context: TraceContext): string {
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') {
    return visibleText(String(JSON.stringify(value)));
  }
  const text = String(value);
  const amount = amountIn(value);
  switch (form) {
    case 'coins':
      return amount === undefined ? visibleText(text) : `${formatCoins(amount)} ${context.coin}`;
    case 'count':
      return amount === undefined ? visibleText(text) : formatInteger(amount);
    case 'time':
      return amount === undefined ? visibleText(text) : `${formatTime(Number(amount))} (${text})`;
    case 'hash':
      return visibleText(hashIn(text));
    case 'account': {
      const account = accountIn(text);
      return `${context.title(account)}  ${visibleText(account)}`;
    }
    case 'flag':
    case 'name':
    case 'plain':
    case 'amounts':
      return visibleText(text);
  }
}

function guess(value: unknown): FieldForm {
  return typeof value === 'string' && /^-?\d+:[0-9A-Fa-f]{64}$/.test(value) ? 'account' : 'plain';
}

/** How a value of the service is displayed. `count` groups digits; `name` is an enumeration word. */
type FieldForm = 'coins' | 'count' | 'hash' | 'time' | 'account' | 'flag' | 'name' | 'plain' | 'amounts';

interface FieldMeaning {
  form: FieldForm;
  /** Its meaning, in a few words. */
  meaning: string;
}

const m = (form: FieldForm, meaning: string): FieldMeaning => ({ form, meaning });

/**
 * The meanings of a v3 transaction's fields, by path inside the section's object (block description,
 * TransactionDescr). Other fields are shown as received.
 */
const fieldMeanings: Readonly<Record<Section, Readonly<Record<string, FieldMeaning>>>> = {
  transaction: {
    account: m('account', 'the account it changed'),
    hash: m('hash', 'hash of the transaction cell'),
    lt: m('count', 'logical time'),
    now: m('time', 'time of the block'),
    mc_block_seqno: m('count', 'masterchain block that refers to its block'),
    trace_id: m('hash', 'hash of the first transaction of the trace'),
    trace_external_hash: m('hash', 'external message that began the trace'),
    prev_trans_hash: m('hash', 'previous transaction of the account'),
    prev_trans_lt: m('count', 'its logical time'),
    orig_status: m('name', 'account status before'),
    end_status: m('name', 'account status after'),
    total_fees: m('coins', 'collected by validators in this transaction'),
    total_fees_extra_currencies: m('amounts', 'fees in extra currencies'),
    'block_ref.workchain': m('plain', 'workchain of its block'),
    'block_ref.shard': m('plain', 'shard of its block'),
    'block_ref.seqno': m('count', 'number of its block'),
    emulated: m('flag', 'whether it is emulated and not in a block yet'),
    finality: m('name', 'how final the service considers it'),
  },
  description: {
    type: m('name', 'kind of transaction'),
    aborted: m('flag', 'whether it was rolled back, except for the fees'),
    destroyed: m('flag', 'whether the account was deleted'),
    credit_first: m(
      'flag',
      'whether the value was credited before storage fees, as for non-bounceable messages',
    ),
    is_tock: m('flag', 'whether it is a tock (end of a block) rather than a tick (start)'),
    installed: m('flag', 'whether the state was installed after a split or merge'),
  },
  storage_ph: {
    storage_fees_collected: m('coins', 'storage fees since the last transaction'),
    storage_fees_due: m('coins', 'storage fees that the account could not pay'),
    status_change: m('name', 'what the debt did to the account'),
  },
  credit_ph: {
    credit: m('coins', 'credited from the message'),
    due_fees_collected: m('coins', 'storage debt taken from the message'),
    credit_extra_currencies: m('amounts', 'extra currencies credited'),
  },
  compute_ph: {
    skipped: m('flag', 'whether the code was skipped'),
    reason: m('name', 'why it was skipped'),
    success: m('flag', 'whether the code ended without an error'),
    msg_state_used: m('flag', 'whether code and data came with the message'),
    account_activated: m('flag', 'whether this activated the account'),
    gas_fees: m('coins', 'paid for gas'),
    gas_used: m('count', 'gas used'),
    gas_limit: m('count', 'gas that the value pays for'),
    gas_credit: m('count', 'gas credit until the message is accepted'),
    mode: m('plain', 'mode of the TVM'),
    exit_code: m('plain', 'exit code'),
    exit_arg: m('plain', 'argument of the exception'),
    vm_steps: m('count', 'instructions run (0 for precompiled contracts)'),
    vm_init_state_hash: m('hash', 'state of the TVM before'),
    vm_final_state_hash: m('hash', 'state of the TVM after'),
  },
  action: {
    success: m('flag', 'whether all required actions succeeded'),
    valid: m('flag', 'whether the action list could be read'),
    no_funds: m('flag', 'whether there were too few coins'),
    status_change: m('name', 'what the actions did to the account'),
    total_fwd_fees: m('coins', 'charged for sending, both halves'),
    total_action_fees: m('coins', "the sending validators' share, with fines"),
    result_code: m('plain', 'result code'),
    result_arg: m('plain', 'number of the action that failed, from 0'),
    tot_actions: m('count', 'actions requested'),
    spec_actions: m('count', 'of these, reserving coins or changing code or libraries'),
    skipped_actions: m('count', 'skipped, because their errors are ignored'),
    msgs_created: m('count', 'messages sent'),
    action_list_hash: m('hash', 'hash of the action list'),
    'tot_msg_size.cells': m('count', 'cells in the messages sent'),
    'tot_msg_size.bits': m('count', 'bits in the messages sent'),
  },
  bounce: {
    type: m('name', 'ok: a message was returned; nofunds, negfunds: too few coins left to send it'),
    'msg_size.cells': m('count', 'cells of the bounce message'),
    'msg_size.bits': m('count', 'bits of the bounce message'),
    req_fwd_fees: m('coins', 'needed for sending it'),
    msg_fees: m('coins', "the sending validators' share of its fee"),
    fwd_fees: m('coins', "the receiving validators' share, sent along with it"),
  },
  split_info: {
    cur_shard_pfx_len: m('plain', 'length of the shard prefix'),
    acc_split_depth: m('plain', 'depth of the split'),
    this_addr: m('plain', 'this account'),
    sibling_addr: m('plain', 'the other half'),
  },
  message: {
    hash: m('hash', 'hash of the message cell'),
    hash_norm: m('hash', 'normalized hash (TEP-467): independent of how the message was imported'),
    source: m('account', 'sender'),
    destination: m('account', 'receiver'),
    value: m('coins', 'coins attached'),
    value_extra_currencies: m('amounts', 'extra currencies attached'),
    fwd_fee: m('coins', "the receiving validators' share of the forwarding fee"),
    ihr_fee: m('coins', 'fee for instant routing'),
    extra_flags: m('plain', 'flags: 1 requests the new bounce format, 2 the full body in it'),
    created_lt: m('count', 'logical time'),
    created_at: m('time', 'time'),
    opcode: m('plain', 'first 32 bits of the body'),
    decoded_opcode: m('name', 'name given by the service'),
    ihr_disabled: m('flag', 'whether instant routing is disabled'),
    bounce: m('flag', 'whether it bounces if it fails'),
    bounced: m('flag', 'whether it is a bounced message'),
    import_fee: m('coins', 'fee for importing'),
    in_msg_tx_hash: m('hash', 'transaction that received it'),
    out_msg_tx_hash: m('hash', 'transaction that sent it'),
    'message_content.hash': m('hash', 'hash of the body'),
    'message_content.body': m('plain', 'body'),
    'init_state.hash': m('hash', 'hash of the state init'),
    'init_state.body': m('plain', 'state init (code and data sent with it)'),
  },
  state: {
    hash: m('hash', 'hash of the account state'),
    balance: m('coins', 'balance'),
    extra_currencies: m('amounts', 'extra currencies'),
    account_status: m('name', 'status'),
    frozen_hash: m('hash', 'hash of the frozen state'),
    data_hash: m('hash', 'hash of the data cell'),
    code_hash: m('hash', 'hash of the code cell'),
    data_boc: m('plain', 'data cell'),
    code_boc: m('plain', 'code cell'),
  },
  trace: {
    trace_id: m('hash', 'hash of the first transaction'),
    external_hash: m('hash', 'external message that began it'),
    mc_seqno_start: m('count', 'masterchain block of its first transaction'),
    mc_seqno_end: m('count', 'masterchain block of its last'),
    start_lt: m('count', 'logical time of its first transaction'),
    start_utime: m('time', 'time of its first transaction'),
    end_lt: m('count', 'logical time of its last'),
    end_utime: m('time', 'time of its last'),
    'trace_info.trace_state': m('name', 'state'),
    'trace_info.messages': m('count', 'messages'),
    'trace_info.transactions': m('count', 'transactions'),
    'trace_info.pending_messages': m('count', 'messages not yet received'),
    'trace_info.classification_state': m('name', 'whether the service has named its actions'),
    is_incomplete: m('flag', 'whether the answer lacks transactions'),
    warning: m('plain', 'warning from the service'),
    'failed_messages.msg_hash': m('hash', 'message that the local emulator failed on'),
    'failed_messages.destination': m('account', 'its destination'),
    'failed_messages.error': m('plain', 'why'),
  },
  actionRow: {
    trace_id: m('hash', 'trace'),
    action_id: m('plain', 'id of the action'),
    start_lt: m('count', 'logical time of its first transaction'),
    end_lt: m('count', 'logical time of its last'),
    start_utime: m('time', 'time of its first transaction'),
    end_utime: m('time', 'time of its last'),
    trace_end_lt: m('count', 'logical time of the end of the trace'),
    trace_end_utime: m('time', 'time of the end of the trace'),
    trace_mc_seqno_end: m('count', 'masterchain block of the end of the trace'),
    success: m('flag', 'whether it worked'),
    type: m('name', 'kind'),
    trace_external_hash: m('hash', 'external message'),
    trace_external_hash_norm: m('hash', 'external message, normalized'),
    finality: m('name', 'how final the service considers it'),
  },
  token: {},
};

/** The objects of an answer that have their own section. */
type Section =
  | 'transaction'
  | 'description'
  | 'storage_ph'
  | 'credit_ph'
  | 'compute_ph'
  | 'action'
  | 'bounce'
  | 'split_info'
  | 'message'
  | 'state'
  | 'trace'
  | 'actionRow'
  | 'token';
