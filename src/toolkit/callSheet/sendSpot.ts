/** What can be written at a position of a `send` line. */
export type SendSpot =
  /** An account: the destination, or the sender. */
  | { kind: 'account'; prefix: string; network: string | undefined }
  | { kind: 'message'; target: string; prefix: string; network: string | undefined }
  /** A field's name; `given` are those already present. */
  | {
      kind: 'field';
      target: string;
      message: string;
      given: string[];
      prefix: string;
      network: string | undefined;
    }
  | { kind: 'value'; prefix: string; network: string | undefined }
  /** `from`, `comment` and the like, or the amount. */
  | { kind: 'clause'; prefix: string; network: string | undefined }
  | { kind: 'none' };

/** What can be written at the end of `before`, if a `send` line is open there. Its braces may span lines. */
export function sendSpot(before: string, network: string | undefined): SendSpot | undefined {
  const line = [...before.matchAll(/^[ \t]*send[ \t]+/gm)].at(-1);
  if (line === undefined) {
    return undefined;
  }
  const rest = before.slice(line.index + line[0].length);
  const brackets: number[] = [];
  for (let index = 0; index < rest.length; index++) {
    const character = rest.charAt(index);
    if (character === '"') {
      const end = rest.indexOf('"', index + 1);
      if (end < 0) {
        return /[\r\n]/.test(rest.slice(index)) ? undefined : { kind: 'none' };
      }
      index = end;
    } else if ('([{'.includes(character)) {
      brackets.push(index);
    } else if (')]}'.includes(character)) {
      brackets.pop();
    } else if (brackets.length === 0 && /[\r\n]/.test(character)) {
      return undefined;
    } else if (/\s(?:#|\/\/)/.test(rest.slice(index, index + 3))) {
      return { kind: 'none' };
    }
  }
  return brackets[0] === undefined
    ? wordSpot(rest, network)
    : bracketSpot(rest, brackets[0], brackets.length, network);
}

function wordSpot(rest: string, network: string | undefined): SendSpot {
  const words = rest.split(/\s+/);
  const prefix = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const [target = ''] = before;
  if (before.length === 0 || ['from', 'as'].includes(before.at(-1) ?? '')) {
    return { kind: 'account', prefix, network };
  }
  return before.length === 1 && !/^[\d"]/.test(prefix)
    ? { kind: 'message', target, prefix, network }
    : { kind: 'clause', prefix, network };
}

function bracketSpot(rest: string, open: number, depth: number, network: string | undefined): SendSpot {
  const prefix = rest.split(/[\s,()[\]{}:]/).at(-1) ?? '';
  const [target, message] = rest.slice(0, open).trim().split(/\s+/).slice(-2);
  const inside = rest.slice(open + 1);
  const own = inside.slice(inside.lastIndexOf(',') + 1);
  if (depth > 1 || rest.charAt(open) !== '{' || own.includes(':') || message === undefined) {
    return { kind: 'value', prefix, network };
  }
  const given = [...inside.matchAll(/\b([A-Za-z_]\w*)\s*:/g)].map(([, name = '']) => name);
  return { kind: 'field', target: rest.split(/\s+/)[0] ?? target ?? '', message, given, prefix, network };
}
