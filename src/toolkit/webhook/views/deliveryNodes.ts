import { isUtf8 } from 'node:buffer';
import { groupDigits, milliseconds, visibleText } from '../../text';
import type { FullDelivery, ForwardResult, RuleResult } from '../delivery/delivery';
import type { Standing, WebhookNode } from './webhookNode';
import { withAccountName } from './withAccountName';
import type { AccountNaming } from './withAccountName';
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
