import { isTurnOver, nextTurn } from '../../base/turns';

/** A list or object with more entries is written piece by piece. */
const large = 64;

/** Like JSON.stringify, yielding to other work while a large answer is written. */
export async function stringifyInTurns(value: unknown): Promise<string> {
  let text = '';
  for (const piece of piecesOf(value)) {
    text += piece;
    if (isTurnOver()) {
      await nextTurn();
    }
  }
  return text;
}

function* piecesOf(value: unknown): Generator<string> {
  if (!isContainer(value) || !holdsMuch(value)) {
    yield hasJson(value) ? JSON.stringify(value) : 'null';
  } else if (Array.isArray(value)) {
    yield* listed(value.values(), '[', ']', piecesOf);
  } else {
    const entries = Object.entries(value).filter(([, one]) => hasJson(one));
    yield* listed(entries, '{', '}', function* ([key, one]) {
      yield `${JSON.stringify(key)}:`;
      yield* piecesOf(one);
    });
  }
}

function* listed<T>(
  items: Iterable<T>,
  open: string,
  close: string,
  write: (item: T) => Iterable<string>,
): Generator<string> {
  let before = open;
  for (const item of items) {
    yield before;
    yield* write(item);
    before = ',';
  }
  yield before === open ? open + close : close;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

/** Values without a JSON form are null in a list and omitted from an object. */
function hasJson(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

/** Deep enough for the transactions of each trace in a list. */
function holdsMuch(value: object, depth = 3): boolean {
  const inner = Object.values(value) as unknown[];
  return (
    inner.length > large || (depth > 0 && inner.some((one) => isContainer(one) && holdsMuch(one, depth - 1)))
  );
}

/** A JSON object from a request's body; empty without a body, null if it is something else. */
export function parseBody(body: unknown): Record<string, unknown> | null {
  if (body === undefined || body === null || body === '') {
    return {};
  }
  try {
    const value: unknown = typeof body === 'string' ? JSON.parse(body) : body;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
