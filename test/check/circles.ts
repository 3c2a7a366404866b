/** Groups of nodes that lead to one another, each as its sorted names. */
export function circles(steps: Iterable<{ from: string; to: string }>): string[][] {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of steps) {
    edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (at: string): void => {
    order.set(at, order.size);
    lowest.set(at, order.get(at)!);
    stack.push(at);
    for (const to of edges.get(at) ?? []) {
      if (!order.has(to)) {
        visit(to);
      }
      if (stack.includes(to)) {
        lowest.set(at, Math.min(lowest.get(at)!, lowest.get(to)!));
      }
    }
    if (lowest.get(at) === order.get(at)) {
      const group = stack.splice(stack.indexOf(at));
      if (group.length > 1) {
        found.push(group.sort());
      }
    }
  };
  [...edges.keys()].forEach((place) => order.has(place) || visit(place));
  return found;
}
