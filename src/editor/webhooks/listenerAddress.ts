import * as vscode from 'vscode';
import { withoutTrailing } from '../../toolkit/text';

/** Under which addresses a listener is reached. */
export interface ListenerAddress {
  /** As programs beside the listener reach it, with the path. */
  local: string;
  /** As the user's own machine, or a tunnel, reaches it, with the path; the same as `local` in a desktop window. */
  external: string;
  /** The host of `external` when it is not this machine. */
  foreignHost: string | undefined;
}

/**
 * Asks the editor where a port of this host is reached from the user's side. A remote window may forward it, add a prefix
 * to the path and drop the path that it is given: so the bare origin is asked for, and the path appended.
 */
export async function listenerAddress(port: number, path: string): Promise<ListenerAddress> {
  const origin = vscode.Uri.parse(`http://127.0.0.1:${port}/`);
  const local = `http://127.0.0.1:${port}${path}`;
  try {
    const uri = await vscode.env.asExternalUri(origin);
    const external = uri.with({ path: withoutTrailing(uri.path, '/') + path }).toString(true);
    const { hostname, host } = new URL(external);
    return { local, external, foreignHost: isThisMachine(hostname) ? undefined : host };
  } catch {
    return { local, external: local, foreignHost: undefined };
  }
}

function isThisMachine(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    hostname.endsWith('.localhost') ||
    /^127\./.test(hostname)
  );
}
