import * as vscode from 'vscode';
import { withProgress } from '../ui/withProgress';
import type { BocDocuments } from './bocDocuments';
import type { PickedBoc } from './readPickedBoc';
import { pickBoc, readBocFile, readPickedBoc } from './readPickedBoc';

/**
 * TON: Inspect BoC…: shows the contents of a bag of cells.
 * @param given a file from a menu, or the text of a BoC from a link; asked for if absent
 */
export async function inspectBocCommand(
  bocs: BocDocuments,
  given: string | vscode.Uri | undefined,
): Promise<void> {
  const picked = await pickedFrom(given, 'TON: Inspect BoC', 'Choose a BoC');
  if (picked === undefined) {
    return;
  }
  await withProgress('Reading the BoC', async () => bocs.show(await readPickedBoc(picked), picked.name));
}

/** The argument from a menu, link, or page; without one the user is asked. */
export async function pickedFrom(
  given: string | vscode.Uri | undefined,
  title: string,
  question: string,
): Promise<PickedBoc | undefined> {
  if (typeof given === 'string') {
    // A link in the read-only editor carries its file as a URI.
    return given.includes('://')
      ? readBocFile(vscode.Uri.parse(given, true))
      : { content: given, name: undefined };
  }
  return given === undefined ? pickBoc(title, question) : readBocFile(given);
}
