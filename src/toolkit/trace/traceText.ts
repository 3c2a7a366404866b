import { changedSourceText } from '../contracts/abi/sourceLanguage';
import { explainExitCode, skipReasons } from '../contracts/exitCodes';
import { formatTable } from '../base/formatTable';
import { groupBy } from '../base/collections';
import { visibleText } from '../base/text';
import type { TraceAction, TransferSum } from './actionWords';
import { sumTransfers } from './actionWords';
import { countEmulated, isEmulated, isEmulation, nodeStatus, statusSymbols, traceStatus } from './isEmulated';
import type { TraceModel, TraceNode } from './traceModel';
import { failureLines } from './failureHeadline';
import type { Fees } from './figures';
import {
  counted,
  feeKinds,
  feeText,
  feesOf,
  formatChange,
  formatCoins,
  formatTime,
  traceFees,
} from './figures';
import type { Money } from './money';
import { moneyOf } from './money';
import { stateChangeLines } from './stateChangeLines';
import { traceActions } from './traceActions';
import type { TraceContext } from './traceContext';

/** Deeper levels are not indented further; a number shows the depth. */
const deepestIndent = 16;
/** Maximum changed values shown; the transactions' documents show all. */
const mostChanges = 20;

/**
 * The trace at a glance: actions, the tree, the cause of failure, balance changes. For terminal and document.
 *
 * @param hashes whether rows end with the hash of their transaction, which commands take; documents link to it instead
 */
export function traceText(context: TraceContext, { hashes = true }: { hashes?: boolean } = {}): string {
  const told = traceActions(context);
  const actions = groupActions(told, context);
  const lines = [
    ...headLines(context, told),
    ...(actions.length > 1 ? ['', 'Actions', ...actions.map(actionLine)] : []),
    '',
    ...treeLines(context, hashes),
    ...notes(context),
    ...changes(context),
    '',
    ...moneyLines(moneyOf(context), context),
    ...askedLines(context),
  ];
  return `${lines.join('\n')}\n`;
}

/** The verdict first: why it failed, else what it did; then what stands under it. */
function headLines(context: TraceContext, told: TraceAction[]): string[] {
  const [title, ...lines] = failureLines(context);
  const symbol = traceSymbol(context.model);
  return title === undefined
    ? [`${symbol} ${headline(context, told)}`, `  ${factsLine(context)}`]
    : [`${symbol} ${title}`, ...lines, `  ${actionsLine(told, context)}`, `  ${factsLine(context)}`];
}

/** Changed data of contracts with known sources. */
function changes(context: TraceContext): string[] {
  const lines = stateChangeLines(context, mostChanges);
  return lines.length === 0 ? [] : ['', 'Changes', ...lines.map((line) => `  ${line}`)];
}

/** The sources of jetton facts that are not the service's. */
function askedLines(context: TraceContext): string[] {
  const rows = (context.knowledge.asked ?? []).map(({ account, text }) => [
    `  ${context.title(account)}`,
    text,
  ]);
  return rows.length === 0 ? [] : ['', 'Read from the contracts', ...formatTable(rows, ['left', 'left'])];
}

/** The symbol of a trace's {@link traceStatus}. */
export function traceSymbol(model: TraceModel): string {
  return statusSymbols[traceStatus(model)];
}

/** {@link actionsLine}, marked if predicted. */
export function headline(context: TraceContext, actions = traceActions(context)): string {
  return `${isEmulation(context.model) ? 'emulated: ' : ''}${actionsLine(actions, context)}`;
}

/** The first actions as text, the others counted; a payout to many as its sum. */
export function actionsLine(actions: readonly TraceAction[], context: TraceContext): string {
  const sum = sumTransfers(actions, context);
  const [first] = groupActions(actions, context);
  const words =
    sum === undefined
      ? (first?.words ?? 'nothing is known about this trace')
      : `${counted(sum.count, 'transfer')}, ${context.coins(sum.total)} in all, ${context.name(sum.from)} → ${receiversText(sum, context)}`;
  const more = actions.length - (sum?.count ?? first?.count ?? 0);
  return more === 0 ? words : `${words}, and ${counted(more, 'more action')}`;
}

/** The one account that got all, or how many there are. */
function receiversText({ to }: TransferSum, context: TraceContext): string {
  const [first = ''] = to;
  return to.size === 1 ? context.name(first) : counted(to.size, 'account');
}

function actionLine(action: ActionGroup): string {
  return `  ${action.symbol} ${action.words}`;
}

/**
 * `complete, 5 transactions, 2025-08-02 18:09:43 UTC, fees 0.006 TON`.
 *
 * @param isMarked whether something else says that an emulation has not happened
 */
export function factsLine(context: TraceContext, { isMarked = false } = {}): string {
  const { model } = context;
  const carried = model.nodes.filter((node) => node.transaction !== undefined).length;
  const expected = model.source.trace_info?.transactions ?? carried;
  const count =
    expected > carried && model.state !== 'pending'
      ? `${counted(carried, 'transaction')} of ${expected}`
      : counted(carried, 'transaction');
  const time = model.source.start_utime ?? model.nodes[0]?.transaction?.now;
  const emulated = countEmulated(model);
  const isWhole = isEmulation(model);
  return [
    // The service's "complete" refers to the trace, not to the answer; an emulation has no state.
    ...((model.state === 'complete' && (model.incomplete || isWhole)) ||
    (model.state === 'unknown' && isWhole)
      ? []
      : [stateText(model)]),
    ...(isWhole && !isMarked ? ['emulated, not in a block'] : []),
    ...(model.incomplete ? ['incomplete'] : []),
    emulated === 0 || isWhole ? count : `${count} (${emulated} emulated, not in a block yet)`,
    ...(time == null ? [] : [formatTime(time)]),
    feesFact(traceFees(model), context),
  ].join(', ');
}

/** The state as text. */
function stateText({ state }: TraceModel): string {
  return state === 'unknown' ? 'state unknown' : visibleText(state, 24);
}

/** `fees 0.006 TON`, `fees unknown`. */
function feesFact(fees: Fees, { coin }: TraceContext): string {
  return `fees ${feeText(fees)}${fees.isKnown || fees.total !== 0n ? ` ${coin}` : ''}`;
}

/** The tree as aligned rows. */
function treeLines(context: TraceContext, hashes: boolean): string[] {
  const head = ['', 'account', 'message', context.coin, 'result', `fee ${context.coin}`, 'transaction'];
  const rows = [head, ...context.model.nodes.map((node) => nodeCells(node, context))];
  return formatTable(hashes ? rows : rows.map((cells) => cells.slice(0, -1)), [
    'left',
    'left',
    'left',
    'decimal',
    'left',
    'decimal',
    'left',
  ]);
}

function nodeCells(node: TraceNode, context: TraceContext): string[] {
  const value = node.message?.value ?? undefined;
  const indent = '  '.repeat(Math.min(node.depth, deepestIndent));
  const deep = node.depth > deepestIndent ? `(level ${node.depth}) ` : '';
  const account = node.account === undefined ? '?' : context.title(node.account);
  return [
    nodeSymbol(node, context.model),
    `${indent}${deep}${account}`,
    nodeMessage(node, context),
    value === undefined ? '' : formatCoins(value),
    nodeResult(node, context),
    node.transaction === undefined ? '' : feeText(feesOf(node.transaction)),
    visibleText(node.transaction?.hash ?? '', 64),
  ];
}

/** The symbol of a transaction's {@link nodeStatus}. */
export function nodeSymbol(node: TraceNode, model: TraceModel): string {
  return statusSymbols[nodeStatus(node, model)];
}

/** The cause of the transaction. */
export function nodeMessage(node: TraceNode, context: TraceContext): string {
  if (node.message != null) {
    return context.messageName(node.message);
  }
  const description = node.transaction?.description;
  if (description?.type === 'tick_tock') {
    return description.is_tock === true ? 'tock' : 'tick';
  }
  return visibleText(description?.type?.replaceAll('_', ' ') ?? '', 24);
}

/** `exit 0`, `exit 501 ERR_CLOSED`, `not run: no gas, emulated`, `result 37 in the action phase`. */
export function nodeResult(node: TraceNode, context: TraceContext): string {
  return `${plainResult(node, context)}${isEmulated(node) ? ', emulated' : ''}`;
}

/** {@link nodeResult}, whether executed or predicted. */
export function plainResult(node: TraceNode, context: TraceContext): string {
  const description = node.transaction?.description;
  if (node.failure !== undefined) {
    return 'the emulator failed';
  }
  if (description == null) {
    if (node.transaction !== undefined) {
      return 'no description';
    }
    return context.model.state === 'pending' ? 'waiting for a block' : 'not in the answer';
  }
  const compute = description.compute_ph;
  if (compute?.skipped === true) {
    const reason = compute.reason ?? 'reason unknown';
    return `not run: ${skipReasons.get(reason)?.name ?? visibleText(reason, 30)}`;
  }
  const action = description.action;
  if (compute?.success !== false && action != null && action.success === false) {
    return `result ${action.result_code ?? '?'} in the action phase`;
  }
  const skipped = action?.skipped_actions ?? 0;
  const left = skipped > 0 ? `, ${counted(skipped, 'action')} left out` : '';
  return compute == null && node.outcome !== 'unknown'
    ? 'no code'
    : `exit ${compute?.exit_code ?? '?'}${ownExitName(node, context)}${left}`;
}

/** The name that the contract's own source gives to the code; other codes are explained in the verdict. */
function ownExitName({ account, transaction }: TraceNode, context: TraceContext): string {
  const code = transaction?.description?.compute_ph?.exit_code;
  const known = code == null ? undefined : explainExitCode(code, 'compute', context.exitSource(account));
  return known?.by === 'contract' ? ` ${known.name}` : '';
}

function notes(context: TraceContext): string[] {
  const { model } = context;
  const external = model.nodes.reduce(
    (count, node) =>
      count + (node.transaction?.out_msgs ?? []).filter((m) => m != null && m.destination == null).length,
    0,
  );
  const lines = model.problems.map((problem) => `! ${problem.text}`);
  if (external > 0) {
    lines.push(`${counted(external, 'external out-message')} (logs) are in the transactions.`);
  }
  lines.push(...changedSourceLines(context));
  return lines.length === 0 ? [] : ['', ...lines];
}

/** The accounts of a trace whose sources have changed since. */
function changedSourceLines(context: TraceContext): string[] {
  const accounts = new Set(context.model.nodes.flatMap(({ account }) => account ?? []));
  return [...accounts].flatMap((account) => {
    const file = context.knowledge.changedSource?.(account);
    return file === undefined ? [] : [`${context.title(account)}: ${changedSourceText(file)}`];
  });
}

/** Balance changes and fees; the sum is shown as proof. */
function moneyLines(money: Money, context: TraceContext): string[] {
  const masters = [...new Set(money.rows.flatMap((row) => [...row.jettons.keys()]))];
  const extras = [
    ...new Set(money.rows.flatMap((row) => [...row.extra].filter(([, n]) => n !== 0n).map(([id]) => id))),
  ];
  const jettons = masters.map((master) => context.jetton(master));
  const rows = money.rows
    .filter((row) => row.coins !== 0n || row.jettons.size > 0 || row.extra.size > 0)
    .map((row) => [
      context.title(row.account) + (row.outside ? ' (outside this trace)' : ''),
      formatChange(row.coins, 9),
      ...masters.map((master, i) => change(row.jettons.get(master), jettons[i]?.decimals ?? 0)),
      ...extras.map((id) => change(row.extra.get(id), 0)),
    ]);
  const head = [
    countEmulated(context.model) === 0
      ? 'money'
      : isEmulation(context.model)
        ? 'money, emulated'
        : 'money, partly emulated',
    context.coin,
    ...jettons.map((j) => j.symbol),
    ...extras.map((id) => `currency ${id}`),
  ];
  const { fees } = money;
  const sum = money.rows.reduce((total, row) => total + row.coins, fees.total);
  const supply = masters.map((m, i) => change(money.supply.get(m), jettons[i]?.decimals ?? 0));
  const minted = supply.some((text) => text !== '') ? [['minted or burned', '', ...supply]] : [];
  const table = formatTable(
    [
      head,
      ...rows,
      ['fees', fees.isKnown ? formatChange(fees.total, 9) : feeText(fees)],
      ...minted,
      ['sum', money.isWhole ? formatChange(sum, 9) : 'unknown'],
    ],
    ['left', ...head.slice(1).map(() => 'decimal' as const)],
  );
  return [...table, ...money.unknown.map((text) => `? ${text}`), '', ...feeLines(money, context)];
}

function feeLines({ fees }: Money, context: TraceContext): string[] {
  const kinds = feeKinds.filter((kind) => fees[kind] !== 0n);
  const rows = kinds.map((kind) => [kind, formatCoins(fees[kind])]);
  return formatTable([['fees by kind', context.coin], ...rows, ['all', feeText(fees)]], ['left', 'decimal']);
}

function change(amount: bigint | undefined, decimals: number): string {
  return amount === undefined || amount === 0n ? '' : formatChange(amount, decimals);
}

/** Actions with the same words and symbol. */
interface ActionGroup {
  symbol: string;
  /** `50 × transfer 0.1 TON, Vault → bob (5 TON)`; a single action as it is. */
  words: string;
  /** The number of actions. */
  count: number;
}

/** The actions of a trace, with identical ones combined at the place of the first. */
export function groupActions(actions: readonly TraceAction[], context: TraceContext): ActionGroup[] {
  const groups = groupBy(actions, ({ symbol, words }) => `${symbol} ${words}`);
  return [...groups.values()].map((group) => {
    const { symbol, words } = group[0]!;
    const total = group.length === 1 ? undefined : totalOf(group, context);
    const all = group.length === 1 ? words : `${group.length} × ${words}`;
    return {
      symbol,
      words: total === undefined ? all : `${all} (${context.coins(total)})`,
      count: group.length,
    };
  });
}

/** Total nanocoins of plain transfers; undefined if an action moves something else, or an unknown amount. */
function totalOf(group: readonly TraceAction[], { model }: TraceContext): bigint | undefined {
  let total = 0n;
  for (const { type, nodes } of group) {
    const value = nodes.length === 1 ? model.nodes[nodes[0]!]?.message?.value : undefined;
    if (type !== 'ton_transfer' || value == null) {
      return undefined;
    }
    total += value;
  }
  return total;
}
