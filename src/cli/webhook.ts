import { Option } from 'commander';
import type { Command } from 'commander';
import { receiverFrameworks } from '../toolkit/webhook/receiver/receiverSource';
import { addJsonOptions } from './networkHere';
import type { ListenOptions } from './webhookListen';
import { parsePort } from './parsePort';
import { addProviderOptions, collect, collectHeader, parseTimeScale } from './webhookOptions';
import { parseMisbehavior, parseRefusedCount } from '../toolkit/webhook/delivery/onPurpose';
import { addNetworkOptions } from './networkOptions';
import type { NewReceiverOptions } from './webhookNew';
import type { CheckOptions, WebhookSendOptions } from './webhookSend';
import type { WebhookListOptions, WebhookResendOptions } from './webhookJournal';
import type { VerifyOptions } from './webhookVerify';

/** `webhook listen|send|check|new|verify|list|resend`: receives, triggers and checks payment webhooks. */
export function registerWebhookCommand(program: Command): void {
  const webhook = program
    .command('webhook')
    .summary('receive, send, check, verify and list payment webhooks; make a receiver')
    .description("Receives, triggers and checks the payment service's transfer webhooks.");
  registerListen(webhook);
  registerSend(webhook);
  registerCheck(webhook);
  registerNew(webhook);
  registerVerify(webhook);
  registerList(webhook);
  registerResend(webhook);
}

function registerListen(webhook: Command): void {
  addJsonOptions(
    addProviderOptions(webhook.command('listen'))
      .summary('receive, verify and keep deliveries on this machine')
      .description(
        "Receives the service's deliveries on 127.0.0.1, checks their signature and rules, keeps them in a journal, and " +
          'prints a line for each. It runs until it is stopped (Ctrl+C).\n\n' +
          'Example:\n  ton-workbench webhook listen --secret-file secret.txt --orders orders.json',
      )
      .option('--port <number>', 'port on 127.0.0.1; 0 uses any free port', parsePort, 8787)
      .option('--path <path>', 'path of the webhook URL', '/webhook')
      .option('--secret-file <file>', 'the secret or API key that signs; may be repeated', collect)
      .option('--orders <file>', 'expected payments (default: accept every payment)')
      .option('--forward <url>', 'forward verified deliveries to this URL')
      .option('--forward-all', 'with --forward: unverified deliveries, too')
      .option('--journal <directory>', 'keep deliveries here (default: a temporary directory)')
      .option('--allow-host <name>', 'accept this host name, too, such as a tunnel', collect)
      .option('--header <name>', signatureHeadersHelp, collectHeader)
      .option(
        '--refuse-next <count>',
        "refuse the next valid deliveries, to see the sender's retries",
        parseRefusedCount,
      )
      .option(
        '--refuse-with <how>',
        'a status such as 503, a delay such as 12s, or cut (default: 500)',
        parseMisbehavior,
      )
      .option('--any-encoding', 'accept signatures in base64 and upper-case hex, too')
      .option('--coin <name>', coinHelp),
    'print the address and each delivery as JSON lines',
    async () => (await import('./webhookAnswers')).listenAnswerSchema,
  ).action(async (options: ListenOptions) => {
    await (await import('./webhookListen')).webhookListen(options);
  });
}

function registerVerify(webhook: Command): void {
  addJsonOptions(
    addNetworkOptions(
      webhook
        .command('verify')
        .summary('compare a payment with the blockchain')
        .description(
          'Compares the payments in a file, or one delivery of a journal, with the blockchain: amount, asset, sender, ' +
            'recipient and result, field by field. Exits with 0 if every payment matches the chain, otherwise with 1.\n\n' +
            'Examples:\n  ton-workbench webhook verify payment.json --network mainnet\n' +
            '  ton-workbench webhook verify mwtuscni-0002 --journal ./deliveries --network testnet',
        )
        .argument(
          '<id-or-file>',
          'a file: a payload, an export of the editor, or lines of webhook listen --json; with --journal, the id of a delivery in it',
        )
        .option('--journal <directory>', 'the journal of webhook listen that contains the delivery'),
    ).option('--coin <name>', coinHelp),
    'print one JSON line for each payment',
    async () => (await import('./webhookAnswers')).verifyAnswerSchema,
  ).action(async (source: string, options: VerifyOptions) => {
    await (await import('./webhookVerify')).webhookVerify(source, options);
  });
}

const journalHelp = 'required: the directory that webhook listen --journal was given; it may be running';

function registerList(webhook: Command): void {
  addJsonOptions(
    webhook
      .command('list')
      .summary('list the deliveries of a journal, or the orders that they are about')
      .description(
        'Lists the deliveries that webhook listen has kept in a journal, oldest first. With --orders, lists how far the ' +
          'payment of each order has come. With --export, writes the deliveries as they came, with headers and bytes.\n\n' +
          'Examples:\n  ton-workbench webhook list --journal ./deliveries --orders orders.json\n' +
          '  ton-workbench webhook list --journal ./deliveries --export deliveries.jsonl',
      )
      .requiredOption('--journal <directory>', journalHelp)
      .option('--orders <file>', 'list the orders of this JSON file instead')
      .option('--export <file>', 'write the complete deliveries to this file, one JSON line each')
      .option('--force', 'with --export: replace a file that exists')
      .option('--coin <name>', coinHelp),
    'print one JSON line for each delivery or order',
    async () => (await import('./webhookAnswers')).listAnswerSchema,
  ).action(async (options: WebhookListOptions) => {
    await (await import('./webhookJournal')).webhookList(options);
  });
}

function registerResend(webhook: Command): void {
  addJsonOptions(
    addProviderOptions(webhook.command('resend'))
      .summary('send a delivery of a journal again')
      .description(
        'Sends a delivery that webhook listen has kept once more, with the same bytes and headers, once. Exits with 0 if the ' +
          'answer means delivered, otherwise with 1.\n\n' +
          'Example:\n  ton-workbench webhook resend mwtuscni-0002 --journal ./deliveries --url http://localhost:3000/webhook',
      )
      .argument('<id>', 'as webhook list prints it')
      .requiredOption('--journal <directory>', journalHelp)
      .requiredOption('--url <url>', 'required: the receiver; https outside this machine')
      .option(
        '--secret-file <file>',
        'sign it again, with the secret in this file (default: its own signature)',
      )
      .option(
        '--header <name>',
        'with --provider hmac: the header that carries the signature',
        collectHeader,
      ),
    'print the answer as one JSON line',
    async () => (await import('./webhookAnswers')).resendAnswerSchema,
  ).action(async (id: string, options: WebhookResendOptions) => {
    await (await import('./webhookJournal')).webhookResend(id, options);
  });
}

const coinHelp = 'another name of the native coin, besides TON and GRAM';
const signatureHeadersHelp =
  'signature header; may be repeated (default: X-Pay-Signature and X-TonPay-Signature; for hmac: X-Signature)';

function registerSend(webhook: Command): void {
  addJsonOptions(
    addSendOptions(
      webhook
        .command('send')
        .summary('send one test delivery to a receiver, as the service would')
        .description(
          'Sends the delivery of one scenario to a receiver, signed and retried as the service does it. Exits with 0 if the ' +
            'receiver answers as expected, otherwise with 1.\n\n' +
            'Example:\n  ton-workbench webhook send --url http://localhost:3000/webhook --secret-file secret.txt --scenario success',
        ),
    )
      .requiredOption(
        '--scenario <name>',
        'required: success, failed, duplicate, concurrent, retry, wrong-secret, altered, reserialized, no-signature, ' +
          'unknown-reference, amount-off-by-one, wrong-asset, refunded, not-json, huge, slow, stale, or other-account',
      )
      .option(
        '--header <name>',
        'name of the signature header; may be repeated (default: the documented X-Pay-Signature)',
        collectHeader,
      )
      .option(
        '--time-scale <factor>',
        "factor for the service's waits of 1, 5 and 15 s between attempts, such as 0.01",
        parseTimeScale,
        1,
      ),
    'print the result as one JSON line',
    async () => (await import('./webhookAnswers')).scenarioAnswerSchema,
  ).action(async (options: WebhookSendOptions) => {
    await (await import('./webhookSend')).webhookSend(options);
  });
}

function registerCheck(webhook: Command): void {
  addJsonOptions(
    addSendOptions(
      webhook
        .command('check')
        .summary('check a receiver, rule by rule')
        .description(
          'Sends every scenario to a receiver and reports rule by rule how it answered. Exits with 0 if all rules are ' +
            'followed, otherwise with 1. With --set reference=…, a shop that trusts deliveries marks that order as ' +
            'paid.\n\n' +
            'Example:\n  ton-workbench webhook check --url http://localhost:3000/webhook --secret-file secret.txt',
        ),
    )
      .option('--header <name>', signatureHeadersHelp, collectHeader)
      .option('--time-scale <factor>', 'factor for the wait before a retry, such as 0.01', parseTimeScale, 1)
      .option(
        '--orders-url <url>',
        'also check what your shop does with its orders, by this URL of it (docs/webhooks.md)',
      )
      .option('-n, --network <network>', 'with --orders-url: the network of your shop', 'local')
      .addOption(
        new Option('--framework <name>', 'print the code that keeps each broken rule').choices(
          receiverFrameworks,
        ),
      ),
    'print the result as one JSON line',
    async () => (await import('./webhookAnswers')).rulesAnswerSchema,
  ).action(async (options: CheckOptions) => {
    await (await import('./webhookSend')).webhookCheck(options);
  });
}

function registerNew(webhook: Command): void {
  addJsonOptions(
    addProviderOptions(webhook.command('new'))
      .summary('make a receiver that follows every rule, with its test')
      .description(
        "Makes a small receiver of a service's webhooks that passes webhook check, and its test for node --test.\n\n" +
          'Examples:\n  ton-workbench webhook new webhook-receiver.mjs --framework express\n' +
          '  ton-workbench webhook new --framework hono --provider bicycle',
      )
      .argument('[file]', 'where to put it, ending with .mjs (default: as the framework expects it)')
      .addOption(
        new Option('--framework <name>', 'required: what your server is written with')
          .choices(receiverFrameworks)
          .makeOptionMandatory(),
      )
      .option(
        '--header <name>',
        'with --provider hmac: the header that carries the signature (default: X-Signature)',
        collectHeader,
      )
      .option('--force', 'replace files that exist'),
    'print what was made as one JSON line',
    async () => (await import('./webhookAnswers')).receiverAnswerSchema,
  ).action(async (file: string | undefined, options: NewReceiverOptions) => {
    await (await import('./webhookNew')).webhookNew(file, options);
  });
}

function addSendOptions(command: Command): Command {
  return addProviderOptions(command)
    .requiredOption('--url <url>', 'required: the receiver; https outside this machine')
    .option('--secret-file <file>', 'required: the secret or token to sign with (not for bicycle)')
    .option('--set <field=value>', 'set a field of the payload; may be repeated', collect)
    .option('--coin <name>', coinHelp);
}
