/** Where an order stands in its file. */
export interface OrderPlace {
  reference: string;
  /** Of its opening brace. */
  offset: number;
}

/**
 * The places of the orders in an orders file: objects with a reference, in their order. Reads the tokens only, so that
 * it also works while the file is being edited.
 */
export function orderPlaces(text: string): OrderPlace[] {
  const places: OrderPlace[] = [];
  const open: OrderPlace[] = [];
  let last = '';
  let key = '';
  for (const { token, index } of tokensIn(text)) {
    const inner = open.at(-1);
    if (token === '{') {
      const place = { reference: '', offset: index };
      open.push(place);
      places.push(place);
    } else if (token === '}') {
      open.pop();
    } else if (token === ':') {
      key = last;
      last = '';
      continue;
    } else if (key === '"reference"' && inner?.reference === '') {
      inner.reference = readString(token);
    }
    key = '';
    last = token;
  }
  return places.filter(({ reference }) => reference !== '');
}

/** Strings with their quotes, braces, and colons. A string that does not end is none. */
function* tokensIn(text: string): Generator<{ token: string; index: number }> {
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if ('{}:'.includes(character)) {
      yield { token: character, index };
    } else if (character === '"') {
      let end = index + 1;
      while (end < text.length && text[end] !== '"') {
        end += text[end] === '\\' ? 2 : 1;
      }
      if (end < text.length) {
        yield { token: text.slice(index, end + 1), index };
      }
      index = end;
    }
  }
}

function readString(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return '';
  }
}
