import type { Command } from 'commander';
import { addJsonOptions } from './networkHere';
import { parsePort } from './parsePort';
import type { PaymentsOptions } from './paymentsRun';
import { parseTimeScale } from './webhookOptions';
import { requestsPerSecondOption } from './networkOptions';

/** `payments`: the mock of the payment API, settled by a local network. */
export function registerPaymentsCommand(program: Command): void {
  const command = program
    .command('payments')
    .summary('run a mock of the payment API on the local network')
    .description(
      "Answers the payment service's API on 127.0.0.1 until you stop it (Ctrl+C): set TONPAY_BASE_URL to its address. A " +
        'payment counts when its message arrives on the local network; then its signed webhook is delivered as the ' +
        'service does it. POST /control/pay pays one as a wallet of the network: rightly, too little, twice, bounced, ' +
        'or with a late or no webhook.\n\n' +
        'Example:\n  ton-workbench payments --webhook-url http://localhost:3000/webhook --secret-file secret.txt',
    )
    .option('-n, --network <name-or-url>', 'the local network that settles the payments', 'local')
    .addOption(requestsPerSecondOption())
    .option('--port <number>', 'port on 127.0.0.1; 0 uses any free port', parsePort, 0)
    .option('--journal <directory>', 'keep payments in this directory (default: a temporary directory)')
    .option('--webhook-url <url>', 'the receiver of the webhooks; https outside this machine')
    .option(
      '--secret-file <file>',
      'file that contains the secret to sign webhooks with (default: one is made, and kept in the journal)',
    )
    .option('--merchant-key-file <file>', 'file that contains the API key that requests must carry')
    .option('--recipient <address>', 'your wallet, for payments with an API key and without a recipient')
    .option(
      '--settings <file>',
      "the dashboard's settings as JSON: webhookUrl, webhookSecret, apiKey, recipientAddr; read again when it changes",
    )
    .option(
      '--time-scale <factor>',
      'factor for the waits of 1, 5 and 15 s between attempts and for late webhooks, such as 0.01',
      parseTimeScale,
      1,
    );
  addJsonOptions(
    command,
    'print the address and secret, then each change of a payment, as one JSON line',
    async () => (await import('./paymentsAnswers')).paymentsAnswerSchema,
  ).action(async (options: PaymentsOptions) => {
    await (await import('./paymentsRun')).paymentsRun(options);
  });
}
