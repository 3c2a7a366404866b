import * as vscode from 'vscode';
import type { SettingTypes } from '../../contributions';
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
  const forward = readSetting(workspace, 'tonWorkbench.webhooks.forward');
  const url = forward.url.trim();
  const signature = readSetting(workspace, 'tonWorkbench.webhooks.signature');
  return {
    port: readSetting(workspace, 'tonWorkbench.ports').webhooks,
    path: readSetting(workspace, 'tonWorkbench.webhooks.path'),
    service: serviceOf(signature),
    allowedHosts: readSetting(workspace, 'tonWorkbench.webhooks.allowedHosts'),
    signatureHeaders: signature.headers,
    signatureEncoding: signature.encoding,
    coin: readSetting(workspace, 'tonWorkbench.coinLabel'),
    forward: forward.deliveries === 'off' || url === '' ? undefined : { url, which: forward.deliveries },
  };
}

function serviceOf(signature: SettingTypes['tonWorkbench.webhooks.signature']): ProviderChoice {
  const name = readSetting(vscode.workspace, 'tonWorkbench.webhooks.service');
  return name !== 'hmac'
    ? { name }
    : {
        name,
        hmac: {
          header: signature.hmacHeader,
          prefix: signature.hmacPrefix,
          algorithm: signature.hmacAlgorithm,
          encoding: signature.hmacEncoding,
        },
      };
}
