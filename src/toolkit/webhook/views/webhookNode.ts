import type { Delivery } from '../delivery/delivery';
import type { OrderStatus } from '../orders/orderBook';

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
