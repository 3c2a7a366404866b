/** Where an order stands in its file. */
export interface OrderPlace {
  reference: string;
  /** Of its opening brace. */
  offset: number;
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}:]/g;

/**
 * The places of the orders in an orders file: objects with a reference, in their order. Reads the tokens only, so that
 * it also works while the file is being edited.
 */
export function orderPlaces(text: string): OrderPlace[] {
  const places: OrderPlace[] = [];
  const open: OrderPlace[] = [];
  let last = '';
  let key = '';
  for (const { 0: token, index } of text.matchAll(tokens)) {
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

function readString(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return '';
  }
}
