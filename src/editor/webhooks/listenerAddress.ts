import * as vscode from 'vscode';
import { isLoopbackHost } from '../../toolkit/base/loopback';
import { withoutTrailing } from '../../toolkit/base/errors';

/** The addresses of a listener. */
export interface ListenerAddress {
  /** For programs on the same host, with the path. */
  local: string;
  /** For the user's own machine or a tunnel, with the path; equals `local` in a desktop window. */
  external: string;
  /** The host of `external` if it is not this machine. */
  foreignHost: string | undefined;
}

/**
 * Asks the editor for the address of a port on this host as seen from the user's machine. A remote window may
 * forward the port, add a path prefix, and drop the given path, so this asks for the bare origin and appends
 * the path.
 */
export async function listenerAddress(port: number, path: string): Promise<ListenerAddress> {
  const origin = vscode.Uri.parse(`http://127.0.0.1:${port}/`);
  const local = `http://127.0.0.1:${port}${path}`;
  try {
    const uri = await vscode.env.asExternalUri(origin);
    const external = uri.with({ path: withoutTrailing(uri.path, '/') + path }).toString(true);
    const { hostname, host } = new URL(external);
    return { local, external, foreignHost: isLoopbackHost(hostname) ? undefined : host };
  } catch {
    return { local, external: local, foreignHost: undefined };
  }
}
