import type * as vscode from 'vscode';
import type { AccountServices } from './accounts/accountServices';
import type { ProjectServices } from './project/methodsOf';
import type { ReadOnlyDocuments } from './ui/readOnlyDocuments';

/** What features share, each part from the room that owns it. Built once in activate(), passed by hand. */
export interface Services extends AccountServices, ProjectServices {
  context: vscode.ExtensionContext;
  documents: ReadOnlyDocuments;
}
