/**
 * The floors inside src/toolkit, highest first, each with what it is about: a folder imports from its own floor and
 * those below. test/check/floors.test.ts checks the imports; docs/architecture.md shows the house.
 * @type {readonly (readonly [about: string, ...rooms: string[]])[]}
 */
export const toolkitFloors = [
  ['what an agent may ask for', 'tools'],
  ['whole use cases', 'workflows', 'debug'],
  ['what one writes and runs', 'callSheet', 'payments', 'tonConnect', 'testRuns'],
  [
    'what one asks of a message or a trace',
    'send',
    'replay',
    'getMethods',
    'accountReport',
    'gas',
    'explore',
  ],
  ['what happened, and where', 'localnet', 'webhook', 'trace'],
  ['states of accounts, and their executions', 'accounts', 'execution'],
  ['where facts come from', 'access', 'build', 'sourceMap', 'recording'],
  ['what contracts mean, and what messages do together', 'contracts', 'actions'],
  ['the project, and the objects of both APIs', 'project', 'api'],
  ['values', 'stack', 'cell'],
  ['addresses and hashes', 'address'],
  ['errors, limits, time, text, files, threads, journals', 'base'],
];
