import { describeMisbehavior } from '../delivery/onPurpose';
import type { RefuseNext } from '../delivery/onPurpose';
import type { WebhookProvider } from '../provider/provider';
import type { WebhookNode } from './webhookNode';

type SecretRule = Pick<WebhookProvider, 'isSecretOptional' | 'secretForm'>;

/** What is wrong with the orders file. */
export interface OrdersFileState {
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
