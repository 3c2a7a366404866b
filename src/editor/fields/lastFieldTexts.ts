import type * as vscode from 'vscode';
import { keepNewest } from '../../toolkit/keepNewest';

const key = 'fieldTexts';
/** Maximum number of structs whose texts are remembered; the oldest are dropped. */
const most = 200;

type Texts = Readonly<Record<string, string>>;

/** The texts last given for a struct, by field. */
export function lastFieldTexts(state: vscode.Memento, struct: string): Texts {
  return new Map(state.get<[string, Texts][]>(key, [])).get(struct) ?? {};
}

/** Remembers the text of each field of a struct. */
export async function rememberFieldTexts(state: vscode.Memento, struct: string, texts: Texts): Promise<void> {
  const all = new Map(state.get<[string, Texts][]>(key, []));
  keepNewest(all, struct, texts, most);
  await state.update(key, [...all]);
}
