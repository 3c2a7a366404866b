import { isUtf8 } from 'node:buffer';
import { canonicalAddress } from '../../address/canonicalAddress';
import { wholeAddress } from '../../address/shortAddress';
import { groupDigits, milliseconds, visibleText } from '../../base/text';
import type { Delivery, ForwardResult, FullDelivery, RuleResult } from '../delivery/delivery';
import type { RefuseNext } from '../delivery/onPurpose';
import { describeMisbehavior } from '../delivery/onPurpose';
import type { OrderStatus } from '../orders/orderBook';
import type { WebhookProvider } from '../provider/webhookProvider';
import { isHttpSuccess } from '../values/isHttpSuccess';

const ruleStandings: Readonly<Record<RuleResult['verdict'], Standing>> = {
  pass: 'good',
  fail: 'bad',
  warn: 'warning',
  skip: 'skipped',
};

/** Maximum rows: more would not be read. */
const maximumRows = 200;
const maximumText = 500;

/**
 * The children of a delivery: signature, each rule, payload, headers, bytes, timing, and the forward target's answer.
 *
 * @param nameOf the names of accounts in the payload
 */
export function deliveryNodes(delivery: FullDelivery, nameOf?: AccountNaming): WebhookNode[] {
  const row = (key: string, node: Omit<WebhookNode, 'id'>): WebhookNode => ({
    id: `${delivery.id}/${key}`,
    delivery,
    ...node,
  });
  const group = (key: string, label: string, description: string, children: WebhookNode[]): WebhookNode[] =>
    children.length === 0
      ? []
      : [row(key, { label, description, standing: 'plain', icon: 'list-unordered', children })];
  const fields = payloadFields(delivery);
  return [
    row('signature', { label: 'signature', ...signature(delivery) }),
    ...delivery.rules.map(({ rule, verdict, text }) =>
      row(`rule/${rule}`, {
        label: rule,
        description: visibleText(text, maximumText),
        standing: ruleStandings[verdict],
      }),
    ),
    ...delivery.warnings.map((warning, index) =>
      row(`warning/${index}`, {
        label: 'warning',
        description: visibleText(warning, maximumText),
        standing: 'warning',
      }),
    ),
    ...group(
      'payload',
      'payload',
      visibleText(delivery.event ?? '', 60),
      fields.map(({ name, value, isUnknown }) =>
        row(`payload/${name}`, {
          label: visibleText(name, 100),
          description:
            visibleText(withAccountName(value, nameOf), maximumText) + (isUnknown ? '  (unknown field)' : ''),
          standing: 'plain',
          icon: isUnknown ? 'question' : 'symbol-field',
          contextValue: 'value',
          value,
        }),
      ),
    ),
    ...group(
      'headers',
      'headers',
      String(delivery.headers.length),
      delivery.headers.slice(0, maximumRows).map(([name, value], index) =>
        row(`header/${index}`, {
          label: visibleText(name, 100),
          description: visibleText(value, maximumText),
          standing: 'plain',
          icon: 'symbol-key',
          contextValue: 'value',
          value,
        }),
      ),
    ),
    row('bytes', {
      label: 'raw bytes',
      description: count(delivery.bodyBytes),
      standing: 'plain',
      icon: 'file-binary',
      action: 'openDelivery',
    }),
    row('timing', {
      label: 'timing',
      description: `received ${delivery.receivedAt}, checked in ${milliseconds(delivery.elapsedMs)}`,
      standing: 'plain',
      icon: 'watch',
    }),
    ...forwarded(delivery).map((node) => row('forwarded', { label: 'forwarded', ...node })),
  ];
}

function signature({ signature }: FullDelivery): Pick<WebhookNode, 'description' | 'standing'> {
  if (signature === null) {
    return { standing: 'skipped', description: 'not checked: refused before the body was read' };
  }
  return signature.ok
    ? {
        standing: 'good',
        description: `matches the secret ${visibleText(signature.secret, 100)} (${visibleText(signature.header, 100)})`,
      }
    : { standing: 'bad', description: visibleText(signature.text, maximumText) };
}

function forwarded({
  forwarding,
  forwarded: result,
}: FullDelivery): Pick<WebhookNode, 'description' | 'standing'>[] {
  if (forwarding) {
    return [{ standing: 'pending', description: 'waiting for the answer' }];
  }
  return result === null ? [] : [describeForward(result)];
}

function describeForward({
  url,
  status,
  ms,
  error,
  answer,
}: ForwardResult): Pick<WebhookNode, 'description' | 'standing'> {
  const said = answer === '' ? '' : `: ${visibleText(answer, 200)}`;
  const result = status === null ? visibleText(error ?? 'no answer', 200) : `${status}${said}`;
  return {
    standing: status !== null && isHttpSuccess(status) ? 'good' : 'bad',
    description: `${result} in ${milliseconds(ms)}, from ${visibleText(url, 200)}`,
  };
}

interface Field {
  name: string;
  value: string;
  isUnknown: boolean;
}

/** The payload's fields, those of `data` without that prefix. Empty if it is not a JSON object. */
function payloadFields({ body, unknownFields }: FullDelivery): Field[] {
  let json: unknown;
  try {
    json = isUtf8(body) ? JSON.parse(body.toString('utf8')) : undefined;
  } catch {
    return [];
  }
  const top = Object.entries(asObject(json)).filter(([name]) => name !== 'data');
  const data = Object.entries(asObject(asObject(json)['data']));
  const field = (path: string, name: string, value: unknown): Field => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
    isUnknown: unknownFields.includes(path),
  });
  return [
    ...data.map(([name, value]) => field(`data.${name}`, name, value)),
    ...top.map(([name, value]) => field(name, name, value)),
  ].slice(0, maximumRows);
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function count(bytes: number): string {
  return `${groupDigits(bytes)} bytes`;
}

/** The name of an account by its raw address, if it has one. */
export type AccountNaming = (raw: string) => string | undefined;

/** A value of a payload; an address in its user-friendly form, with the account's name if it has one: `UQ…  alice`. */
export function withAccountName(value: string, nameOf: AccountNaming | undefined): string {
  const raw = canonicalAddress(value);
  const name = raw === undefined ? undefined : nameOf?.(raw);
  const shown = wholeAddress(value);
  return name === undefined ? shown : `${shown}  ${name}`;
}

type SecretRule = Pick<WebhookProvider, 'isSecretOptional' | 'secretForm'>;

/** What is wrong with the orders file. */
interface OrdersFileState {
  /** Why it cannot be used. */
  problem?: string | undefined;
  /** There is one, but the workspace is not trusted. */
  untrusted?: boolean | undefined;
}

/** What a listener without a secret does. */
export function withoutSecret({ isSecretOptional, secretForm }: SecretRule): string {
  return `every delivery is ${isSecretOptional ? 'accepted' : 'refused'}: there is no ${secretForm.word}`;
}

/** Above the deliveries while the listener has no secret. */
export function noSecretNode(provider: SecretRule): WebhookNode {
  return {
    id: 'no-secret',
    label: withoutSecret(provider),
    description: 'add one',
    standing: 'warning',
    action: 'addSecret',
  };
}

/** Below the deliveries of a workspace without an orders file. */
export const noOrdersNode: WebhookNode = {
  id: 'orders',
  label: 'no orders file',
  description: 'every reference is accepted; add one to follow each order',
  standing: 'plain',
  icon: 'package',
  tooltip:
    'With the payments you expect in a file, each order has a row with its states. Click to create the file.',
  contextValue: 'orders',
  action: 'openOrdersFile',
};

const untrustedOrdersNode: WebhookNode = {
  id: 'orders',
  label: 'orders file is not read',
  description: 'Restricted Mode: all references are accepted',
  standing: 'warning',
  tooltip:
    'Signatures are verified, and deliveries are checked and kept. The orders file is read once you trust this workspace.',
  action: 'manageTrust',
};

/** Why there are no rows of orders, above the deliveries; undefined if all is well, or there is no file. */
export function ordersProblemNode({ problem, untrusted }: OrdersFileState): WebhookNode | undefined {
  if (untrusted === true) {
    return untrustedOrdersNode;
  }
  return problem === undefined
    ? undefined
    : {
        id: 'orders',
        label: 'orders file cannot be used',
        description: problem,
        standing: 'bad',
        tooltip: `${problem}\nUntil you fix it, its orders are those of its last valid version; after a reload, there are none.`,
        contextValue: 'orders',
        action: 'openOrdersFile',
      };
}

/** Above all rows while the listener misbehaves on purpose; a click ends it. */
export function refusingNode({ behavior, count, done }: RefuseNext & { done: number }): WebhookNode {
  return {
    id: 'refusing',
    label: `on purpose: ${describeMisbehavior(behavior)}`,
    description: `${done} of ${count} so far, click to end`,
    tooltip: `The next genuine deliveries are ${describeMisbehavior(behavior)} on purpose: ${done} of ${count} so far. Click to end it.`,
    standing: 'warning',
    contextValue: 'refusing',
    action: 'endRefusing',
  };
}

/** The row that shows one more page. */
export function olderNode(left: number, pageSize: number): WebhookNode {
  return {
    id: 'older',
    label: `${left} older`,
    description: `show ${Math.min(left, pageSize)} more`,
    standing: 'plain',
    icon: 'ellipsis',
    action: 'showOlder',
  };
}

/** A row's status at a glance: its icon and color, always next to a word. */
export type Standing = 'good' | 'bad' | 'warning' | 'pending' | 'skipped' | 'plain';

/** A row of the view "Webhooks". */
export interface WebhookNode {
  /** Stable across readings. */
  id: string;
  label: string;
  description: string;
  standing: Standing;
  /** Codicon, if not determined by the status. */
  icon?: string;
  tooltip?: string;
  /** For screen readers, instead of label and description. */
  spoken?: string;
  /** For menu conditions. */
  contextValue?: string;
  /** The delivery that the row is, or belongs to. */
  delivery?: Delivery;
  order?: OrderStatus;
  /** The text that copying the row copies. */
  value?: string;
  /** Run on click. */
  action?:
    | 'openDelivery'
    | 'openOrdersFile'
    | 'openPayment'
    | 'checkOnChain'
    | 'forward'
    | 'endRefusing'
    | 'showOlder'
    | 'addSecret'
    | 'manageTrust'
    | 'showLog';
  /** Undefined: a leaf. */
  children?: 'delivery' | readonly WebhookNode[];
  expanded?: boolean;
}

/** Problems of the journal found when the listener started; a click opens the log. */
export function journalProblemNodes(problems: readonly string[]): WebhookNode[] {
  return problems.map((problem, index) => ({
    id: `journal problem ${index}`,
    label: 'Problem with the saved deliveries',
    description: problem,
    standing: 'warning',
    tooltip: problem,
    value: problem,
    action: 'showLog',
  }));
}
