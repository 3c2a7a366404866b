import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { ForwardTarget } from '../../toolkit/webhook/listener/forwarder';
import type { ProviderChoice } from '../../toolkit/webhook/provider/providerOf';
import type { SignatureEncoding } from '../../toolkit/webhook/delivery/signature';

/** This machine's listener settings. All are machine-scoped: no repository can open a port or redirect. */
export interface WebhookSettings {
  port: number;
  path: string;
  /** Whose deliveries are received. */
  service: ProviderChoice;
  allowedHosts: string[];
  /** Of the payment service. */
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
    service: readService(),
    allowedHosts: readSetting(workspace, 'tonWorkbench.webhooks.allowedHosts'),
    signatureHeaders: readSetting(workspace, 'tonWorkbench.webhooks.signatureHeaders'),
    signatureEncoding: readSetting(workspace, 'tonWorkbench.webhooks.signatureEncoding'),
    coin: readSetting(workspace, 'tonWorkbench.coinLabel'),
    forward: which === 'off' || url === '' ? undefined : { url, which },
  };
}

function readService(): ProviderChoice {
  const { workspace } = vscode;
  const name = readSetting(workspace, 'tonWorkbench.webhooks.service');
  return name !== 'hmac'
    ? { name }
    : {
        name,
        hmac: {
          header: readSetting(workspace, 'tonWorkbench.webhooks.hmacHeader'),
          prefix: readSetting(workspace, 'tonWorkbench.webhooks.hmacPrefix'),
          algorithm: readSetting(workspace, 'tonWorkbench.webhooks.hmacAlgorithm'),
          encoding: readSetting(workspace, 'tonWorkbench.webhooks.hmacEncoding'),
        },
      };
}
