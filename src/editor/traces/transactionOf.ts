import type { Uri } from 'vscode';
import { documentScheme } from '../../contributions';

/** The transaction of a document, by the document's path; see traceDocuments. */
export function transactionOf({ scheme, path }: Uri): { key: string; index: number } | undefined {
  const [, kind, name = ''] = path.split('/');
  if (scheme !== documentScheme || kind !== 'transaction') {
    return undefined;
  }
  const words = decodeURIComponent(name);
  const space = words.lastIndexOf(' ');
  return { key: words.slice(0, space), index: Number(words.slice(space + 1)) };
}
