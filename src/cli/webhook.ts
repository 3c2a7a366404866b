import type { Command } from 'commander';
import type { ListenOptions } from './webhookListen';
import { collect, collectHeader, parsePort, parseTimeScale } from './webhookOptions';
import { addNetworkOptions } from './network';
import type { CheckOptions, SendOptions } from './webhookSend';
import type { VerifyOptions } from './webhookVerify';

/** `webhook listen|send|check|verify`: receives, triggers and checks the payment service's webhooks. */
export function registerWebhook(program: Command): void {
  const webhook = program
    .command('webhook')
    .summary('receive, send, check and verify payment webhooks')
    .description("Receives, triggers and checks the payment service's transfer webhooks.");
  registerListen(webhook);
  registerSend(webhook);
  registerCheck(webhook);
  registerVerify(webhook);
}

function registerListen(webhook: Command): void {
  webhook
    .command('listen')
    .summary('receive, verify and journal deliveries on this machine')
    .option('--port <number>', 'port on 127.0.0.1; 0 takes a free one', parsePort, 8787)
    .option('--path <path>', 'path of the webhook', '/webhook')
    .option(
      '--secret-file <file>',
      'file that holds one secret, the API key too if the service signs with it; may be repeated',
      collect,
      [],
    )
    .option('--orders <file>', 'JSON file with the expected payments, read at the start')
    .option('--forward <url>', 'where verified deliveries go on to')
    .option('--forward-all', 'forward what is not verified, too')
    .option(
      '--journal <directory>',
      'where deliveries are kept, the newest 10,000 and 256 MiB; default a temporary directory',
    )
    .option('--allow-host <name>', 'host name of a tunnel; may be repeated', collect, [])
    .option('--header <name>', 'name of the signature header; may be repeated', collectHeader, [])
    .option('--any-encoding', 'take signatures in base64 and upper-case hex too')
    .option('--coin <name>', coinHelp)
    .option('--json', 'print the address, then each delivery, as one JSON line')
    .action(async (options: ListenOptions) => {
      await (await import('./webhookListen')).webhookListen(options);
    });
}

function registerVerify(webhook: Command): void {
  addNetworkOptions(
    webhook
      .command('verify')
      .summary('compare the payment of a delivery with the chain')
      .argument(
        '<id-or-file>',
        'a payload, an export, or lines of listen --json; with --journal, an id in it',
      )
      .option('--journal <directory>', 'the journal that the id is in'),
  )
    .option('--coin <name>', coinHelp)
    .option('--json', 'print one JSON line for each delivery')
    .action(async (source: string, options: VerifyOptions) => {
      await (await import('./webhookVerify')).webhookVerify(source, options);
    });
}

const coinHelp = 'what the native coin is called, besides TON and GRAM';
const headerHelp =
  "signature header: X-Pay-Signature (the document's), X-TonPay-Signature (the SDK's); repeatable";

function registerSend(webhook: Command): void {
  addSendOptions(webhook.command('send').summary('send a delivery to a receiver, as the service would'))
    .requiredOption(
      '--scenario <name>',
      'required: success, failed, duplicate, … (an unknown name lists them all)',
    )
    .action(async (options: SendOptions) => {
      await (await import('./webhookSend')).webhookSend(options);
    });
}

function registerCheck(webhook: Command): void {
  addSendOptions(webhook.command('check').summary('check a receiver, rule by rule')).action(
    async (options: CheckOptions) => {
      await (await import('./webhookSend')).webhookCheck(options);
    },
  );
}

function addSendOptions(command: Command): Command {
  return command
    .requiredOption('--url <url>', 'required: the receiver; https outside this machine')
    .requiredOption('--secret-file <file>', 'required: file that holds the secret to sign with')
    .option('--set <field=value>', 'a field of the payload, such as amount=2.5; may be repeated', collect, [])
    .option('--header <name>', headerHelp, collectHeader, [])
    .option('--coin <name>', coinHelp)
    .option(
      '--time-scale <factor>',
      "factor on the service's waits of 1, 5 and 15 s, such as 0.01",
      parseTimeScale,
      1,
    )
    .option('--json', 'print the result as one JSON line');
}
