/**
 * The lines of the values in a JSON text that is known to be valid: of the value at a path, or of the nearest one around
 * it that is there.
 *
 * @example linesOfJson('{\n "a": [1,\n  2] }')(['a', '1']); // 3
 */
export function linesOfJson(text: string): (path: readonly string[]) => number {
  const starts = new Map<string, number>();
  let at = 0;
  let line = 1;
  const skipBlanks = (): void => {
    for (; /\s/.test(text.charAt(at)); at += 1) {
      line += text.charAt(at) === '\n' ? 1 : 0;
    }
  };
  const takeString = (): string => {
    const from = at;
    for (at += 1; text.charAt(at) !== '"'; at += text.charAt(at) === '\\' ? 2 : 1);
    at += 1;
    return JSON.parse(text.slice(from, at)) as string;
  };
  /** A stack instead of recursion: the depth is the file's. */
  const open: { path: string; index: number; isList: boolean }[] = [];
  const place = (path: string, key: string): string => `${path}/${JSON.stringify(key)}`;
  const value = (path: string): void => {
    starts.set(path, line);
    const first = text.charAt(at);
    if (first === '{' || first === '[') {
      at += 1;
      open.push({ path, index: 0, isList: first === '[' });
    } else if (first === '"') {
      takeString();
    } else {
      for (; /[^\s,\]}]/.test(text.charAt(at)); at += 1);
    }
  };
  skipBlanks();
  value('');
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    skipBlanks();
    const next = text.charAt(at);
    if (next === '}' || next === ']' || next === '') {
      at += 1;
      open.pop();
    } else if (next === ',') {
      at += 1;
    } else if (inner.isList) {
      inner.index += 1;
      value(place(inner.path, String(inner.index - 1)));
    } else {
      const keyLine = line;
      const key = takeString();
      skipBlanks();
      // The colon.
      at += 1;
      skipBlanks();
      value(place(inner.path, key));
      starts.set(place(inner.path, key), keyLine);
    }
  }
  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const found = starts.get(path.slice(0, length).reduce(place, ''));
      if (found !== undefined) {
        return found;
      }
    }
    return 1;
  };
}
