import type { Delivery } from '../delivery/delivery';
import type { OrderStatus } from '../orders/orderBook';

/** What a row says at a glance: its icon and color, always beside a word. */
export type Standing = 'good' | 'bad' | 'warning' | 'pending' | 'skipped' | 'plain';

/** A row of the view "Webhooks". */
export interface WebhookNode {
  /** Stable: the same thing keeps it from one reading to the next. */
  id: string;
  label: string;
  description: string;
  standing: Standing;
  /** Codicon, where the standing does not decide it. */
  icon?: string;
  tooltip?: string;
  /** Read out instead of label and description. */
  spoken?: string;
  /** What menus test. */
  contextValue?: string;
  /** The delivery that the row is, or belongs to. */
  delivery?: Delivery;
  order?: OrderStatus;
  /** What copying the row copies. */
  value?: string;
  /** Run by a click. */
  action?: 'openDelivery' | 'openOrdersFile' | 'showOlder' | 'addSecret' | 'manageTrust' | 'showLog';
  /** Undefined: a leaf. */
  children?: 'delivery' | 'orders' | readonly WebhookNode[];
  expanded?: boolean;
}
