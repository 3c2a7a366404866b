import { visibleText } from '../text';
import type { ChangePathPart, StateChange } from '../layouts/stateChanges';
import type { BodyValue } from '../opcodes/decodedBody';
import { intText } from '../opcodes/bodyLines';
import { inlineValue } from '../opcodes/inlineValue';
import { withTokenContent } from '../opcodes/tokenContentBody';
import { formatTable } from '../formatTable';
import { counted } from './figures';
import { jettonsText } from './messageFacts';
import type { TraceContext } from './traceContext';
import type { JettonFacts } from './traceKnowledge';
import { accountIn } from './traceKeys';

/** `count 0 → 1`, `guardians + bob: 5`, `guardians - bob: 5`, `limits.perTransfer 5 TON → 6 TON`. */
export function stateChangeText(
  change: StateChange,
  context: TraceContext,
  account: string | undefined,
): string {
  return stateChangeWords(change, context, account).join(' ');
}

/** What changed, and how: `count` and `0 → 1`, `guardians` and `+ bob: 5`. */
export function stateChangeWords(
  { path, before, after }: StateChange,
  context: TraceContext,
  account: string | undefined,
): [name: string, change: string] {
  const text = textIn(context, account);
  const last = path.at(-1);
  const isEntry = last !== undefined && 'key' in last;
  if (isEntry && (before === undefined || after === undefined)) {
    const value = before ?? after;
    const sign = before === undefined ? '+' : '-';
    const content = value === undefined || value.type === 'none' ? '' : `: ${text(value)}`;
    return [changePath(path.slice(0, -1), text), `${sign} ${text(last.key)}${content}`];
  }
  const [from, to] = [before, after].map((value) => (value === undefined ? 'none' : text(value)));
  return [changePath(path, text), `${from} → ${to}`];
}

/** What it is, and its value after the change: `guardians[bob]` and `5`; `removed` if there is none then. */
export function afterwardWords(
  { path, after }: StateChange,
  context: TraceContext,
  account: string | undefined,
): [name: string, value: string] {
  const text = textIn(context, account);
  return [changePath(path, text), after === undefined ? 'removed' : text(after)];
}

/** `limits.perTransfer`, `guardians[bob].weight`. */
export function changePath(path: readonly ChangePathPart[], text: (value: BodyValue) => string): string {
  return path
    .map((part, index) =>
      'key' in part ? `[${text(part.key)}]` : `${index === 0 ? '' : '.'}${visibleText(part.field, 60)}`,
    )
    .join('');
}

/** The text of a value of an account's data, whose jettons are those of the account. */
function textIn(context: TraceContext, account: string | undefined): (value: BodyValue) => string {
  const jetton = account === undefined ? undefined : context.jettonOf(account);
  return (value) => inlineValue(withTokenContent(value), (one) => plainText(one, context, jetton));
}

function plainText(
  value: Exclude<BodyValue, { type: 'map' | 'body' }>,
  context: TraceContext,
  jetton: JettonFacts | undefined,
): string {
  switch (value.type) {
    case 'int':
      return intText(value);
    case 'coins':
      return value.isJetton === true ? jettonsText(value.value, jetton) : context.coins(value.value);
    case 'bool':
      return value.value ? 'yes' : 'no';
    case 'address':
      return value.value === undefined ? 'no address' : context.name(accountIn(value.value));
    case 'text':
      return `"${visibleText(value.value, 80)}"`;
    case 'bytes':
      return value.value;
    case 'none':
      return 'none';
    case 'cell':
      return value.value.length > 60 ? `cell ${value.value.slice(0, 40)}…` : `cell ${value.value}`;
  }
}

/**
 * All decoded changes of a trace, with the account on the first of its lines. Beyond `most`, they are only
 * counted.
 */
export function stateChangeLines(context: TraceContext, most: number): string[] {
  const rows = context.model.nodes.flatMap((node) =>
    (context.stateChanges(node) ?? []).map((change, index) => [
      index === 0 && node.account !== undefined ? context.title(node.account) : '',
      stateChangeText(change, context, node.account),
    ]),
  );
  const more = rows.length - most;
  return [
    ...formatTable(rows.slice(0, most), ['left', 'left']),
    ...(more > 0 ? [`and ${counted(more, 'more change')}`] : []),
  ];
}
