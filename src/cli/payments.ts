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
        'payment counts when its message arrives on the local network; then its signed webhook goes out. POST ' +
        '/control/pay pays one: in full, too little, twice, bounced, or with a late or no webhook.\n\n' +
        'Example:\n  ton-workbench payments --webhook-url http://localhost:3000/webhook --secret-file secret.txt',
    )
    .option('-n, --network <network>', 'the local network that settles the payments', 'local')
    .addOption(requestsPerSecondOption())
    .option('--port <number>', 'port on 127.0.0.1; 0 uses any free port', parsePort, 0)
    .option('--journal <directory>', 'keep payments here (default: a temporary directory)')
    .option('--webhook-url <url>', 'the receiver of the webhooks; https outside this machine')
    .option('--secret-file <file>', 'secret that signs webhooks (default: one is made)')
    .option('--merchant-key-file <file>', 'API key that requests must carry')
    .option('--recipient <address>', 'your wallet, for requests with a key and no recipient')
    .option(
      '--settings <file>',
      'webhookUrl, webhookSecret, apiKey, and recipientAddr as JSON; read again when it changes',
    )
    .option(
      '--time-scale <factor>',
      'factor for the waits between attempts, such as 0.01',
      parseTimeScale,
      1,
    );
  addJsonOptions(
    command,
    'print the address and each change as JSON lines',
    async () => (await import('./paymentsAnswers')).paymentsAnswerSchema,
  ).action(async (options: PaymentsOptions) => {
    await (await import('./paymentsRun')).paymentsRun(options);
  });
}
