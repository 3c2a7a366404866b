import type * as vscode from 'vscode';
import type { AccountServices } from './accountName';
import type { ProjectServices } from './methodsOf';
import type { ReadOnlyDocuments } from '../ui/readOnlyDocuments';

/** Shared by features, each part defined in its folder. Built once in activate() and passed explicitly. */
export interface Services extends AccountServices, ProjectServices {
  context: vscode.ExtensionContext;
  documents: ReadOnlyDocuments;
}
