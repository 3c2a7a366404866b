import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { ForwardTarget } from '../../toolkit/webhook/listener/forwarder';
import type { SignatureEncoding } from '../../toolkit/webhook/delivery/signature';

/** How this machine's listener is set up. All of it is machine-scoped: no repository can open a port or redirect. */
export interface WebhookSettings {
  port: number;
  path: string;
  allowedHosts: string[];
  signatureHeaders: string[];
  signatureEncoding: SignatureEncoding;
  /** What the native coin is called. */
  coin: string;
  /** Undefined: nothing is forwarded. */
  forward: ForwardTarget | undefined;
}

/** The settings as they are now. */
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
