/** An element of an XML document. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** Its own text, without its children's. */
  text: string;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  if (/[<\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)) {
    throw new Error(`XML cannot hold ${JSON.stringify(text)}`);
  }
  return text.replace(/&(?:#(\d+);|(\w+);)?/g, (whole, code?: string, name?: string) => {
    const found = code === undefined ? entities[name ?? ''] : String.fromCodePoint(Number(code));
    if (found === undefined) {
      throw new Error(`${whole} is no entity`);
    }
    return found;
  });
}

/** Reads an XML document of elements, attributes, and text; throws if it is not well-formed. */
export function readXml(text: string): XmlElement {
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const token =
    /^<\?xml version="1\.0" encoding="UTF-8"\?>|<\/([\w-]+)>|<([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
  for (token.lastIndex = 0; token.lastIndex < text.length;) {
    const at = token.lastIndex;
    const found = token.exec(text);
    const parent = open.at(-1);
    if (found === null || parent === undefined) {
      throw new Error(`not well-formed at ${at}: ${text.slice(at, at + 60)}`);
    }
    const [, closed, name, given = '', isEmpty, words] = found;
    if (closed !== undefined && open.pop()?.name !== closed) {
      throw new Error(`</${closed}> closes nothing`);
    }
    if (name !== undefined) {
      const attributes = Object.fromEntries(
        [...given.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decode(value)]),
      );
      const element: XmlElement = { name, attributes, children: [], text: '' };
      parent.children.push(element);
      open.push(...(isEmpty === '/' ? [] : [element]));
    }
    parent.text += words === undefined ? '' : decode(words);
  }
  const [root, second] = top.children;
  if (root === undefined || second !== undefined || open.length !== 1 || top.text.trim() !== '') {
    throw new Error('a document is one element');
  }
  return root;
}
