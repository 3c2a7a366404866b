/** Up to this length a list takes exactly the space of its items. */
const short = 8;

/**
 * The list with one more item: the same list if it is long, else a new one. A growing empty array reserves 17 slots,
 * and there are hundreds of thousands of accounts and traces with one or two items.
 */
export function append<T extends object>(list: T[], item: T): T[] {
  if (list.length < short) {
    return list.concat(item);
  }
  list.push(item);
  return list;
}
