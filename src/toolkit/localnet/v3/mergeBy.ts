/** The items of several sorted walks merged by key, lowest first; reads no further than needed. */
export function* mergeBy<T>(walks: readonly Iterable<T>[], key: (item: T) => number): Iterable<T> {
  const heads: { value: T; rest: Iterator<T> }[] = [];
  for (const walk of walks) {
    const rest = walk[Symbol.iterator]();
    const first = rest.next();
    if (first.done !== true) {
      heads.push({ value: first.value, rest });
    }
  }
  while (heads.length > 0) {
    const lowest = heads.reduce((low, head) => (key(head.value) < key(low.value) ? head : low));
    yield lowest.value;
    const following = lowest.rest.next();
    if (following.done === true) {
      heads.splice(heads.indexOf(lowest), 1);
    } else {
      lowest.value = following.value;
    }
  }
}
