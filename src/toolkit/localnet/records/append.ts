/** Up to this length a list takes exactly the room of its items. */
const short = 8;

/**
 * The list with one more item: itself once it is long, a new one before. An empty array that grows makes room for 17
 * items, and of most accounts and traces there are hundreds of thousands with one or two.
 */
export function append<T extends object>(list: T[], item: T): T[] {
  if (list.length < short) {
    return list.concat(item);
  }
  list.push(item);
  return list;
}
