import type * as vscode from 'vscode';
import type { CommandArguments, CommandId } from '../../commandArguments';
import type {
  AccountRequest,
  AccountRow,
  AnswerRef,
  BocTarget,
  CallSheetRef,
  CodeTarget,
  ContractRow,
  DAppRow,
  EditorLine,
  EndpointCall,
  EndpointSnippet,
  FailedMessageRow,
  GetMethodRequest,
  HitRef,
  MessageRow,
  MessageTarget,
  MethodRow,
  PaymentRow,
  RanGetMethod,
  ReplayRef,
  ReplayTarget,
  RunTarget,
  ShownVariable,
  SourceRow,
  TestMessageRow,
  TestRecordRef,
  TestRow,
  TestWebhook,
  TraceCopy,
  TraceRef,
  TraceRow,
  TransactionRef,
  TransactionRow,
  UndoRef,
  WalletRequestRow,
  WebhookRow,
} from '../../commandTargets';
import { WorkbenchError } from '../../toolkit/base/errors';

type Guard<T> = (value: unknown) => value is T;

/** The type of a command's argument at one position. */
interface Reader<T> {
  fits: Guard<NonNullable<T>>;
  isNeeded: undefined extends T ? false : true;
}

const text = (value: unknown): value is string => typeof value === 'string';
const number = (value: unknown): value is number => typeof value === 'number';
const flag = (value: unknown): value is boolean => typeof value === 'boolean';
const record = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const optional =
  <T>(fits: Guard<T>): Guard<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || fits(value);
const either =
  <A, B>(first: Guard<A>, second: Guard<B>): Guard<A | B> =>
  (value): value is A | B =>
    first(value) || second(value);
const word =
  <T extends string>(...words: readonly T[]): Guard<T> =>
  (value): value is T =>
    words.some((one) => one === value);
const list =
  <T>(fits: Guard<T>): Guard<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.every(fits);
/** An object with these properties; others are allowed. */
const object =
  <T extends object>(properties: { [K in keyof T]-?: Guard<T[K]> }): Guard<T> =>
  (value): value is T =>
    record(value) && Object.entries<Guard<unknown>>(properties).every(([key, fits]) => fits(value[key]));

const uri = object<Pick<vscode.Uri, 'scheme' | 'path' | 'fsPath'>>({
  scheme: text,
  path: text,
  fsPath: text,
}) as Guard<vscode.Uri>;
const getMethodCall = object<GetMethodRequest>({
  network: optional(text),
  address: optional(text),
  method: optional(text),
  stack: optional(text),
  beside: optional(flag),
});
const endpointCall = object<EndpointCall>({
  endpoint: optional(text),
  parameters: optional(record),
  edit: optional(flag),
});
const endpointSnippet = object<EndpointSnippet>({
  endpoint: text,
  parameters: record,
  as: word('curl', 'typescript'),
});
const callSheetRef = object<CallSheetRef>({ uri: text, call: text });
const answerRef = object<AnswerRef>({ document: text, network: text });
const runTarget = object<RunTarget>({
  ...{ method: text, contract: text, address: optional(text), file: optional(text) },
});
const shownVariable = object<ShownVariable>({
  variable: object({ name: text, evaluateName: optional(text) }),
  container: optional(object({ name: optional(text), evaluateName: optional(text) })),
});
const editorLine = object<EditorLine>({ lineNumber: number, uri });
const hitRef = object<HitRef>({ session: text, thread: number, step: number });
const messageTarget = object<MessageTarget>({
  ...{ message: text, contract: text, address: optional(text), file: optional(text) },
});
const codeTarget = object<CodeTarget>({ file: text, addresses: list(text) });
const testWebhook = object<TestWebhook>({
  ...{ scenario: optional(text), url: optional(text), order: optional(text) },
});
const traceRef = object<TraceRef>({ key: text });
const traceCopy = object<TraceCopy>({ key: text, as: word('mermaid', 'json') });
const transactionRef = object<TransactionRef>({ key: text, index: number });
const replayRef = object<ReplayRef>({ replay: text });
const ranGetMethod = object<RanGetMethod>({
  ...{ network: text, address: text, method: text, stack: text },
  block: optional(number),
});
const undoRef = object<UndoRef>({ undo: number, seqno: number });
const transactionRow = object<TransactionRow>({
  trace: traceRef,
  node: object<TransactionRow['node']>({ index: number }),
});
const replayTarget: Guard<ReplayTarget> = either(
  either(text, replayRef),
  either(transactionRow, either(transactionRef, traceRef)),
);
const execution = either(either(ranGetMethod, replayTarget), uri);
const testRow = object<TestRow>({ id: text });
const testRecord = object<TestRecordRef>({ recording: text, record: number });
const testTarget = either(testRecord, either(testRow, object<TestMessageRow>({ test: testRow })));
const bocTarget = object<BocTarget>({ key: text });
const address = object<AccountRow['account']>({ address: text });
const accountRow = object<AccountRow>({ account: address });
const accountRequest = object<AccountRequest>({
  account: address,
  section: optional(text),
  sections: optional(list(text)),
});
const pin = object<ContractRow['pin']>({ network: text, address: text });
const contractRow = object<ContractRow>({ pin });
const signature = object<NonNullable<MethodRow['method']['signature']>>({ parameters: list(record) });
const methodRow = object<MethodRow>({
  pin,
  method: object<MethodRow['method']>({ name: text, signature: optional(signature) }),
});
const messageRow = object<MessageRow>({ target: messageTarget });
const sourceRow = object<SourceRow>({
  pin,
  contract: optional(text),
  method: optional(object<{ name: string }>({ name: text })),
  target: optional(messageTarget),
});
const traceRow = object<TraceRow>({ key: text, id: optional(text) });
const walletRequestRow = object<WalletRequestRow>({
  request: object({ number }),
  decision: optional(text),
});
const paymentRow = object<PaymentRow>({ payment: object({ reference: text }) });
const dAppRow = object<DAppRow>({ dApp: object({ session: text }) });
const failedMessageRow = object<FailedMessageRow>({
  failed: object<FailedMessageRow['failed']>({ hash: text }),
});
const webhookRow = object<WebhookRow>({
  label: text,
  value: optional(text),
  delivery: optional(object<NonNullable<WebhookRow['delivery']>>({ id: text })),
  order: optional(
    object<NonNullable<WebhookRow['order']>>({
      deliveryId: (value): value is string | null => value === null || text(value),
      reference: optional(text),
    }),
  ),
});
const delivery = either(text, webhookRow);

const may = <T>(fits: Guard<T>): { fits: Guard<T>; isNeeded: false } => ({ fits, isNeeded: false });
const must = <T>(fits: Guard<T>): { fits: Guard<T>; isNeeded: true } => ({ fits, isNeeded: true });

type Readers<Arguments extends readonly unknown[]> = { [I in keyof Arguments]-?: Reader<Arguments[I]> };

/** Complete by construction: a command with a missing or mismatched entry does not compile. */
const readers: { [K in CommandId]: Readers<CommandArguments[K]> } = {
  'tonWorkbench.runGetMethod': [may(getMethodCall)],
  'tonWorkbench.newCallSheet': [],
  'tonWorkbench.runCallSheet': [],
  'tonWorkbench.runSheetCall': [may(callSheetRef)],
  'tonWorkbench.debugSheetStep': [may(callSheetRef)],
  'tonWorkbench.watchSheetCall': [may(callSheetRef)],
  'tonWorkbench.stopSheetWatch': [may(callSheetRef)],
  'tonWorkbench.copySheetCall': [may(callSheetRef)],
  'tonWorkbench.compareSheetCall': [may(callSheetRef)],
  'tonWorkbench.exploreOrders': [may(text)],
  'tonWorkbench.keepOrder': [must(traceRef)],
  'tonWorkbench.callEndpoint': [may(endpointCall)],
  'tonWorkbench.copyEndpointCall': [must(endpointSnippet)],
  'tonWorkbench.openTrace': [may(text)],
  'tonWorkbench.openTraceFile': [],
  'tonWorkbench.openAnswerTraces': [must(answerRef)],
  'tonWorkbench.recentTraces': [may(accountRow)],
  'tonWorkbench.followTrace': [may(text)],
  'tonWorkbench.stopFollowing': [],
  'tonWorkbench.showTrace': [must(traceRef)],
  'tonWorkbench.showTracePage': [
    must(either(replayRef, either(transactionRow, either(transactionRef, traceRef)))),
    may(flag),
  ],
  'tonWorkbench.showTransaction': [must(either(transactionRow, transactionRef))],
  'tonWorkbench.saveTrace': [must(traceRef)],
  'tonWorkbench.copyTrace': [must(traceCopy)],
  'tonWorkbench.removeTrace': [must(traceRef)],
  'tonWorkbench.clearTraces': [],
  'tonWorkbench.moreTraces': [may(traceRef)],
  'tonWorkbench.compareTraces': [may(traceRef), may(traceRef)],
  'tonWorkbench.openTestTrace': [may(testTarget)],
  'tonWorkbench.debugTest': [may(testTarget)],
  'tonWorkbench.stepIntoContract': [],
  'tonWorkbench.mutateTests': [],
  'tonWorkbench.clearSurvivors': [],
  'tonWorkbench.replayTransaction': [may(replayTarget)],
  'tonWorkbench.replayWithChanges': [may(replayTarget)],
  'tonWorkbench.sendAgain': [may(replayTarget)],
  'tonWorkbench.undoSendAgain': [may(undoRef)],
  'tonWorkbench.saveReplay': [may(replayTarget)],
  'tonWorkbench.keepAsTest': [may(replayTarget)],
  'tonWorkbench.openReplay': [may(either(text, uri))],
  'tonWorkbench.showReplaySteps': [may(replayTarget)],
  'tonWorkbench.showMethodSteps': [must(ranGetMethod)],
  'tonWorkbench.goToThrow': [may(replayTarget)],
  'tonWorkbench.showGas': [may(execution)],
  'tonWorkbench.debug': [may(execution)],
  'tonWorkbench.debugDeclared': [must(either(runTarget, either(messageRow, messageTarget)))],
  'tonWorkbench.runAgainWithChanges': [],
  'tonWorkbench.whereFrom': [may(either(text, shownVariable))],
  'tonWorkbench.allHits': [may(either(text, either(shownVariable, editorLine)))],
  'tonWorkbench.goToHit': [must(hitRef)],
  'tonWorkbench.recordAllHits': [],
  'tonWorkbench.hideGas': [],
  'tonWorkbench.compareGas': [],
  'tonWorkbench.openFlameChart': [may(execution)],
  'tonWorkbench.dismissThrow': [may(text)],
  'tonWorkbench.showCoverage': [may(either(text, either(uri, accountRow)))],
  'tonWorkbench.filterTraces': [],
  'tonWorkbench.clearTraceFilter': [],
  'tonWorkbench.openAccount': [may(either(text, accountRequest))],
  'tonWorkbench.sendBoc': [may(either(text, uri))],
  'tonWorkbench.composeMessage': [may(either(text, accountRow))],
  'tonWorkbench.inspectBoc': [may(either(text, uri))],
  'tonWorkbench.inspectCell': [may(bocTarget)],
  'tonWorkbench.copyCell': [may(bocTarget), may(word('boc', 'hex'))],
  'tonWorkbench.compareBoc': [may(bocTarget)],
  'tonWorkbench.disassembleCell': [may(bocTarget)],
  'tonWorkbench.readCellAs': [may(bocTarget)],
  'tonWorkbench.findInBoc': [may(bocTarget)],
  'tonWorkbench.switchNetwork': [],
  'tonWorkbench.addNetwork': [],
  'tonWorkbench.diagnoseNetwork': [],
  'tonWorkbench.setApiKey': [],
  'tonWorkbench.startLocalNetwork': [],
  'tonWorkbench.stopLocalNetwork': [],
  'tonWorkbench.copyLocalNetworkUrl': [],
  'tonWorkbench.localFaucet': [may(accountRow)],
  // A menu passes the selected rows as its second argument.
  'tonWorkbench.changeAccount': [may(accountRow), may(word('balance', 'code', 'data', 'send'))],
  'tonWorkbench.setCodeFromSource': [must(codeTarget)],
  'tonWorkbench.verifySource': [must(codeTarget)],
  'tonWorkbench.localImportConfig': [],
  'tonWorkbench.localFork': [],
  'tonWorkbench.localLeaveFork': [],
  'tonWorkbench.localRequests': [may(flag)],
  'tonWorkbench.localReplay': [may(number)],
  'tonWorkbench.localRetryMessage': [may(failedMessageRow)],
  'tonWorkbench.localDropMessage': [must(failedMessageRow)],
  'tonWorkbench.startWallet': [],
  'tonWorkbench.stopWallet': [],
  'tonWorkbench.walletSettings': [],
  'tonWorkbench.copyWalletEntry': [],
  'tonWorkbench.connectDApp': [may(text)],
  'tonWorkbench.disconnectDApp': [must(dAppRow)],
  'tonWorkbench.setDAppApproval': [must(dAppRow)],
  'tonWorkbench.openWalletRequest': [must(walletRequestRow)],
  'tonWorkbench.decideWalletRequest': [must(walletRequestRow)],
  'tonWorkbench.startPayments': [],
  'tonWorkbench.stopPayments': [],
  'tonWorkbench.copyPaymentSettings': [],
  'tonWorkbench.newPayment': [],
  'tonWorkbench.openPayment': [must(paymentRow)],
  // A menu passes the selected rows as its second argument.
  'tonWorkbench.payPayment': [must(paymentRow), may(text)],
  'tonWorkbench.payPaymentOtherwise': [must(paymentRow)],
  'tonWorkbench.showPaymentTrace': [must(paymentRow)],
  'tonWorkbench.showPaymentDelivery': [must(paymentRow)],
  'tonWorkbench.copyPayment': [must(paymentRow), may(word('reference', 'bodyHash'))],
  'tonWorkbench.blocksAndTime': [may(word('mine', 'time', 'mode'))],
  'tonWorkbench.localMisbehave': [],
  'tonWorkbench.localBehave': [],
  'tonWorkbench.localSnapshot': [],
  'tonWorkbench.localRestore': [],
  'tonWorkbench.localRewind': [must(traceRow)],
  'tonWorkbench.localReset': [],
  'tonWorkbench.localDeploy': [may(uri)],
  'tonWorkbench.copyAddress': [must(accountRow)],
  'tonWorkbench.runGetMethodOn': [may(accountRow)],
  'tonWorkbench.callHistory': [],
  'tonWorkbench.saveGasBaseline': [],
  'tonWorkbench.clearGasBaseline': [],
  'tonWorkbench.copyCall': [may(either(methodRow, getMethodCall))],
  'tonWorkbench.newContract': [],
  'tonWorkbench.pinContract': [may(either(text, accountRow))],
  'tonWorkbench.renameContract': [must(contractRow)],
  'tonWorkbench.removeContract': [must(contractRow)],
  'tonWorkbench.chooseContractSource': [may(accountRow)],
  'tonWorkbench.forgetContractSource': [must(accountRequest)],
  'tonWorkbench.refreshContracts': [],
  'tonWorkbench.runPinnedMethod': [must(methodRow)],
  'tonWorkbench.askPinnedMethod': [must(methodRow)],
  'tonWorkbench.goToSource': [must(sourceRow)],
  'tonWorkbench.watchCall': [must(either(methodRow, getMethodCall))],
  'tonWorkbench.unwatchCall': [must(methodRow)],
  'tonWorkbench.stopWatching': [],
  'tonWorkbench.runOnContract': [must(runTarget)],
  'tonWorkbench.sendMessage': [must(either(messageRow, messageTarget))],
  'tonWorkbench.showLog': [],
  'tonWorkbench.getStarted': [],
  'tonWorkbench.diagnoseProject': [],
  'tonWorkbench.startWebhooks': [],
  'tonWorkbench.stopWebhooks': [],
  'tonWorkbench.copyWebhookUrl': [],
  'tonWorkbench.allowWebhookHost': [],
  'tonWorkbench.webhookSecrets': [may(word('add', 'replace', 'remove', 'copy'))],
  'tonWorkbench.refuseDeliveries': [],
  'tonWorkbench.payOrder': [must(delivery)],
  'tonWorkbench.acceptDeliveries': [],
  'tonWorkbench.newOrdersFile': [],
  'tonWorkbench.forwardWebhooks': [],
  'tonWorkbench.sendTestWebhook': [may(testWebhook)],
  'tonWorkbench.checkWebhookEndpoint': [may(text)],
  'tonWorkbench.copyWebhookFix': [must(text)],
  'tonWorkbench.chooseWebhookFramework': [],
  'tonWorkbench.newWebhookReceiver': [],
  'tonWorkbench.openDelivery': [must(delivery)],
  'tonWorkbench.resendDelivery': [must(delivery)],
  'tonWorkbench.resendDeliveryTo': [must(delivery)],
  'tonWorkbench.editDelivery': [must(delivery)],
  'tonWorkbench.sendEditedDelivery': [may(text), may(flag)],
  'tonWorkbench.cancelEditedDelivery': [may(text)],
  'tonWorkbench.copyDeliveryAsCurl': [must(delivery)],
  'tonWorkbench.copyDeliveryValue': [must(webhookRow)],
  'tonWorkbench.checkDeliveryOnChain': [must(delivery)],
  'tonWorkbench.showDeliveryTrace': [must(delivery)],
  'tonWorkbench.debugDelivery': [must(delivery)],
  'tonWorkbench.searchDeliveries': [],
  'tonWorkbench.filterDeliveries': [],
  'tonWorkbench.clearDeliveryFilter': [],
  'tonWorkbench.clearDeliveries': [],
  'tonWorkbench.exportDeliveries': [],
  'tonWorkbench.showOlderDeliveries': [],
  'tonWorkbench.openContractsRow': [],
  'tonWorkbench.openTracesRow': [],
  'tonWorkbench.openHitsRow': [],
  'tonWorkbench.openWebhooksRow': [],
  'tonWorkbench.openLocalNetworkRow': [],
};

export const commandIds = Object.keys(readers) as CommandId[];

/**
 * Validates a command's arguments: keybindings, links, menus, and tree rows may pass anything. An invalid
 * optional argument counts as absent, because title buttons and menus pass values that mean nothing to the command; extra
 * arguments are dropped.
 * @throws WorkbenchError `command-argument-missing` (input) if the command cannot work without it, for example when its row
 * was replaced while being clicked
 */
export function readArguments(id: CommandId, given: readonly unknown[]): unknown[] {
  const places: readonly { fits: Guard<unknown>; isNeeded: boolean }[] = readers[id];
  return places.map(({ fits, isNeeded }, index) => {
    const value = given[index];
    if (fits(value)) {
      return value;
    }
    if (isNeeded) {
      throw new WorkbenchError({
        code: 'command-argument-missing',
        kind: 'input',
        message: 'This item no longer exists, or it cannot be read.',
        hint: 'Run it again from its row, link, or document.',
      });
    }
    return undefined;
  });
}
