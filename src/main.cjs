// The extension's entry, in CommonJS. The loader of a VS Code 1.100 host waits for itself for ever where an ES module
// imports 'vscode' under Node.js 24. Everything else is ES modules, in chunks that are loaded on first use.
Object.assign(globalThis, { [Symbol.for('ton-workbench.vscode')]: require('vscode') });
const load = () => import('./extension.js');
module.exports = process.features.require_module
  ? require('./extension.js')
  : {
      // A host whose Node.js cannot require an ES module.
      activate: async (/** @type {import('vscode').ExtensionContext} */ context) =>
        (await load()).activate(context),
      deactivate: async () => (await load()).deactivate(),
    };
