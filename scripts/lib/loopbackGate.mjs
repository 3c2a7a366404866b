// Loaded with `node --import` into the editor's server, which checks neither Host nor Origin. A page rebound to this
// machine by DNS sends its own name as Host, and any other page sends its own Origin: both are refused before the
// server sees the request. The connection token keeps out everything else.
import http from 'node:http';

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {number} port
 * @returns {boolean} whether the request names this server, and comes from its own pages or from no page at all
 */
const isOwn = ({ headers }, port) => {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host, origin } = headers;
  return host !== undefined && hosts.includes(host) && (origin === undefined || origin === `http://${host}`);
};

const refusal = 'This editor is for pages of its own address only.\n';

/** @typedef {(this: import('node:http').Server, event: string, ...args: any[]) => boolean} Emit */

const guard = () => {
  const emit = /** @type {Emit} */ (http.Server.prototype.emit);
  /** @type {Emit} */
  const guarded = function (event, ...args) {
    const address = this.address();
    const concerned = ['request', 'upgrade', 'connect', 'checkContinue', 'checkExpectation'].includes(event);
    if (!concerned || address === null || typeof address === 'string' || isOwn(args[0], address.port)) {
      return emit.call(this, event, ...args);
    }
    if (event === 'upgrade' || event === 'connect') {
      args[1].end(`HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    } else {
      args[1].writeHead(403, { 'content-type': 'text/plain', connection: 'close' }).end(refusal);
    }
    return true;
  };
  http.Server.prototype.emit = guarded;
};

// The server's own children load this too; their listeners are not the editor's.
if (process.argv[1]?.endsWith('server-main.js')) {
  guard();
}
