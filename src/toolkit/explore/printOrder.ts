import { WorkbenchError } from '../base/errors';

/**
 * An order of deliveries as text: `2.1.3`. Messages are numbered as they were sent, from 1: first those of the flows,
 * then those that transactions send.
 */
export function printOrder(order: readonly number[]): string {
  return order.join('.');
}

/**
 * Reads the text of an order.
 * @throws WorkbenchError `order-invalid` (input)
 */
export function parseOrder(text: string): number[] {
  const order = text.split('.').map(Number);
  const isWhole = /^\d{1,6}(?:\.\d{1,6})*$/.test(text) && new Set(order).size === order.length;
  if (!isWhole || order.includes(0)) {
    throw orderError(`${JSON.stringify(text)} is not an order of deliveries.`);
  }
  return order;
}

/** `order-invalid` (input). */
export function orderError(message: string): WorkbenchError {
  return new WorkbenchError({
    code: 'order-invalid',
    kind: 'input',
    message,
    hint: 'An order has the numbers of messages as they are delivered, such as 2.1.3, each once. explore prints them.',
  });
}
