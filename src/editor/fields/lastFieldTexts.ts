import type * as vscode from 'vscode';
import { keepNewest } from '../../toolkit/keepNewest';

const key = 'fieldTexts';
/** Structs whose texts are remembered; the oldest are forgotten. */
const most = 200;

type Texts = Readonly<Record<string, string>>;

/** By field: what was last given for a struct. */
export function lastFieldTexts(state: vscode.Memento, struct: string): Texts {
  return new Map(state.get<[string, Texts][]>(key, [])).get(struct) ?? {};
}

/** Remembers what was given for each field of a struct. */
export async function rememberFieldTexts(state: vscode.Memento, struct: string, texts: Texts): Promise<void> {
  const all = new Map(state.get<[string, Texts][]>(key, []));
  keepNewest(all, struct, texts, most);
  await state.update(key, [...all]);
}
