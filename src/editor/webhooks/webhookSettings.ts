import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { ForwardTarget } from '../../toolkit/webhook/listener/forwarder';
import type { SignatureEncoding } from '../../toolkit/webhook/delivery/signature';

/** This machine's listener settings. All are machine-scoped: no repository can open a port or redirect. */
export interface WebhookSettings {
  port: number;
  path: string;
  allowedHosts: string[];
  signatureHeaders: string[];
  signatureEncoding: SignatureEncoding;
  /** The native coin's label. */
  coin: string;
  /** Undefined: no forwarding. */
  forward: ForwardTarget | undefined;
}

/** The current settings. */
export function readWebhookSettings(): WebhookSettings {
  const { workspace } = vscode;
  const which = readSetting(workspace, 'tonWorkbench.webhooks.forward');
  const url = readSetting(workspace, 'tonWorkbench.webhooks.forwardUrl').trim();
  return {
    port: readSetting(workspace, 'tonWorkbench.webhooks.port'),
    path: readSetting(workspace, 'tonWorkbench.webhooks.path'),
    allowedHosts: readSetting(workspace, 'tonWorkbench.webhooks.allowedHosts'),
    signatureHeaders: readSetting(workspace, 'tonWorkbench.webhooks.signatureHeaders'),
    signatureEncoding: readSetting(workspace, 'tonWorkbench.webhooks.signatureEncoding'),
    coin: readSetting(workspace, 'tonWorkbench.coinLabel'),
    forward: which === 'off' || url === '' ? undefined : { url, which },
  };
}
