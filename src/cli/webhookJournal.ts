import { WorkbenchError } from '../toolkit/base/errors';
import { formatTable } from '../toolkit/base/formatTable';
import { clockTime, visibleText } from '../toolkit/base/text';
import type { BoardOrder } from '../toolkit/webhook/board/paymentBoard';
import { paymentBoard } from '../toolkit/webhook/board/paymentBoard';
import type { WebhookInbox } from '../toolkit/webhook/journal/openKeptInbox';
import { openKeptInbox } from '../toolkit/webhook/journal/openKeptInbox';
import { providerOf } from '../toolkit/webhook/provider/providerOf';
import { parseEndpoint } from '../toolkit/webhook/send/parseEndpoint';
import { resendDelivery } from '../toolkit/webhook/send/resendDelivery';
import { orderSymbol } from '../toolkit/webhook/views/boardNodes';
import { deliveryRow } from '../toolkit/webhook/views/describeDelivery';
import { orderAmount } from '../toolkit/webhook/views/orderFields';
import { describeAttempt } from '../toolkit/webhook/views/sentNodes';
import { existsAlreadyError, journalUnreadableError, keptDelivery } from './fileError';
import { writeJsonLine, writeNote, writeText } from './output';
import { stopSignal } from './runTests';
import { pathHere } from './surroundings';
import { deliveryAnswer, orderAnswer, readOrdersFile, resendAnswer } from './webhookAnswers';
import type { ProviderOptions } from './webhookOptions';
import { providerChoice, readSecret } from './webhookOptions';
import { pathExists, unwritableError } from './writeWholeFile';

export interface WebhookListOptions {
  journal: string;
  orders?: string;
  export?: string;
  force?: true;
  coin?: string;
  json?: true;
}

export interface WebhookResendOptions extends ProviderOptions {
  journal: string;
  url: string;
  secretFile?: string;
  json?: true;
}

/** `webhook list`: the deliveries of a journal, oldest first, or how far each order of a file has come. */
export async function webhookList(options: WebhookListOptions): Promise<void> {
  const { journal, coin, json } = options;
  const orders = options.orders === undefined ? undefined : await readOrdersFile(options.orders, coin);
  const inbox = await openJournal(journal, () => openKeptInbox(pathHere(journal), orders));
  const { items } = await inbox.deliveries({ limit: Infinity });
  if (options.export !== undefined) {
    await exportTo(options.export, inbox, options);
  } else if (orders !== undefined) {
    const board = paymentBoard({ orders: await inbox.orders(), deliveries: items });
    showOrders(board.orders, json === true);
  } else {
    for (const delivery of items.toReversed()) {
      if (json) {
        writeJsonLine(deliveryAnswer(delivery));
      } else {
        writeText(`${delivery.id}  ${deliveryRow(delivery)}`);
      }
    }
    if (items.length === 0) {
      writeNote('The journal has no deliveries.');
    }
  }
}

/** `webhook resend`: sends a kept delivery again; exit status 0 if the answer means delivered. */
export async function webhookResend(id: string, options: WebhookResendOptions): Promise<void> {
  const provider = providerOf(providerChoice(options));
  const url = parseEndpoint(options.url);
  const secret =
    options.secretFile === undefined ? undefined : await readSecret(options.secretFile, provider);
  const delivery = await keptDelivery(options.journal, id);
  const { attempts, delivered } = await resendDelivery(delivery, {
    ...{ url, secret, provider, retries: 0, signal: stopSignal() },
  });
  const [attempt] = attempts;
  if (attempt === undefined) {
    throw new Error('one attempt is made');
  }
  const { status, answer, error } = attempt;
  if (options.json) {
    writeJsonLine(resendAnswer(id, url, attempt, delivered));
  } else {
    writeText(`${id}: ${describeAttempt(attempt)}`);
  }
  if (!delivered) {
    const said = visibleText(answer.trim(), 300);
    throw new WorkbenchError({
      code: error?.code ?? 'webhook-not-as-expected',
      kind: error === null ? 'failed' : 'network',
      message:
        error?.message ??
        `The receiver answered ${status ?? 'nothing'}, which does not mean delivered${said === '' ? '' : `: ${said}`}.`,
      ...(status === 401 && secret === undefined
        ? { hint: 'Sign it with the secret of the receiver: --secret-file.' }
        : {}),
    });
  }
}

function showOrders(rows: readonly BoardOrder[], json: boolean): void {
  if (json) {
    rows.forEach((row) => writeJsonLine(orderAnswer(row)));
    return;
  }
  const table = rows.map((row) => [
    orderSymbol(row),
    visibleText(row.order.reference, 200),
    orderAmount(row.order),
    row.summary,
    row.time === null ? '' : clockTime(Date.parse(row.time) / 1000),
  ]);
  if (table.length > 0) {
    writeText(formatTable(table, ['left', 'left', 'right', 'left', 'left']).join('\n'));
  }
}

async function exportTo(
  file: string,
  inbox: WebhookInbox,
  { force, json }: WebhookListOptions,
): Promise<void> {
  if (force !== true && (await pathExists(pathHere(file)))) {
    throw existsAlreadyError([file]);
  }
  try {
    const count = await inbox.export(pathHere(file));
    if (json === true) {
      writeJsonLine({ exported: count, file });
    }
    writeNote(
      `${count} ${count === 1 ? 'delivery' : 'deliveries'} exported. The file contains customer data: keep it private.`,
    );
  } catch (cause) {
    throw unwritableError('export', file, cause);
  }
}

async function openJournal<T>(journal: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    throw journalUnreadableError(journal, cause);
  }
}
