import { WorkbenchError } from '../base/errors';
import type { PreparedSend } from '../send/preparedSend';
import type { CarryOutContext, SeqnoContext } from './carryOut';
import { settledState, signRelayed, signTransaction } from './carryOut';
import type { ProtocolError } from './protocol';
import { protocolError } from './protocol';
import { withMessages } from './transactionItems';
import type { MessageTask, WalletRequest } from './walletBook';
import { messageTask } from './walletBook';

/**
 * The request with what its items need of the network, or why it is refused for them. A request in a link that is refused stays
 * in its request to connect.
 */
export async function lookUpItems(
  request: WalletRequest,
  { network, wallet, signal }: Pick<CarryOutContext, 'network' | 'wallet' | 'signal'>,
): Promise<WalletRequest | { error: ProtocolError }> {
  const task = messageTask(request);
  if (task?.params.items === undefined || task.params.messages.length > 0) {
    return request;
  }
  try {
    const params = await withMessages(task.params, wallet.address, network, signal);
    return withTask(request, { ...task, params });
  } catch (error) {
    const refused = { error: protocolError(error) };
    return request.method === 'connect' ? withTask(request, refused) : refused;
  }
}

/** A request whose items were looked up, or the request in its link refused for them. */
function withTask(request: WalletRequest, looked: MessageTask | { error: ProtocolError }): WalletRequest {
  if (request.method === 'connect') {
    const embedded = 'error' in looked ? looked : { task: looked };
    return { ...request, params: { ...request.params, embedded } };
  }
  return 'error' in looked ? request : { ...request, method: looked.method, params: looked.params };
}

/** Milliseconds that a request waits for the block of the account's last message before it is shown without a rehearsal. */
const blockPatience = 2_000;

/**
 * What a pending request would do once the account's last message is in a block, or why that is unknown; undefined for those
 * that send and sign no message.
 */
export async function rehearseRequest(
  request: WalletRequest,
  context: SeqnoContext,
): Promise<PreparedSend | WorkbenchError | undefined> {
  const task = messageTask(request);
  const { network, clock, wallet, signal } = context;
  if (task === undefined) {
    return undefined;
  }
  const end = (clock.now() + blockPatience) / 1000;
  const settled = (): ReturnType<typeof settledState> => settledState(end, clock.now(), context);
  try {
    if (task.method === 'signMessage') {
      const message = await signRelayed(task.params, context, settled);
      return await network.rehearseRelay(wallet.address, message, signal, request.number);
    }
    const message = await signTransaction(task.params, context, settled);
    return await network.rehearse(message, signal, request.number);
  } catch (error) {
    return WorkbenchError.is(error) ? error : rehearsalError(error);
  }
}

function rehearsalError(error: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'rehearsal-failed',
    kind: 'failed',
    message: error instanceof Error ? error.message : String(error),
    cause: error,
  });
}
