import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension in the editor', () => {
  it('is present, so the editor is recent enough', () => {
    assert.ok(vscode.extensions.getExtension('ton-workbench.ton-workbench'));
  });
});
