/** Meaningless lines that VS Code's server and workbench log on every run. */
const noise = [
  'Could not locate the bindings file',
  "Cannot find module './build/Release/watchdog'",
  'Failed to register a ServiceWorker',
  /extension ?gallery|extensionGallery|marketplace|open-vsx/i,
  'Failed to load resource: net::ERR_INTERNET_DISCONNECTED',
  'Failed to load resource: net::ERR_NAME_NOT_RESOLVED',
  'Ignoring the error while validating workspace folder',
  'An iframe which has both allow-scripts and allow-same-origin',
  'The web worker extension host is started in a same-origin iframe',
  'Unrecognized feature:',
  /^(Resolving|Resolved) connection token/,
  /^Creating a socket/,
  'Updating additional builtin extensions cache',
  'Ignoring fetching additional builtin extensions from gallery',
  /^ChatSessionStore: /,
];

/**
 * @param {string} line
 * @returns {boolean} whether a line of the editor's log is noise
 */
export const isNoise = (line) =>
  noise.some((part) => (typeof part === 'string' ? line.includes(part) : part.test(line)));
