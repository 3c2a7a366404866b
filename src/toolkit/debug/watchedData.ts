/** A value that can be watched: a breakpoint stops at its changes. */
export type WatchedData =
  | { kind: 'c4' }
  | { kind: 'c5' }
  | { kind: 'c7' }
  /** A global by its number in c7, or one item of it if the compiler keeps a struct in a tuple there. */
  | { kind: 'global'; index: number; part?: number | undefined }
  /** A variable of a function; of a struct, all of its fields. */
  | { kind: 'name'; function: string; name: string };

/** A watched value as the client keeps it. */
export function dataIdOf(data: WatchedData): string {
  return JSON.stringify(data);
}

/** Undefined if the text is no id of a watched value. */
export function readDataId(text: string): WatchedData | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  const { kind, function: around, name, index, part } = value as Record<string, unknown>;
  switch (kind) {
    case 'c4':
    case 'c5':
    case 'c7':
      return { kind };
    case 'global':
      return isNumber(index) && (part === undefined || isNumber(part)) ? { kind, index, part } : undefined;
    case 'name':
      return typeof around === 'string' && typeof name === 'string'
        ? { kind, function: around, name }
        : undefined;
    default:
      return undefined;
  }
}

function isNumber(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
