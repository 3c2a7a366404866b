import type { Uri } from 'vscode';
import type {
  AccountEdit,
  AccountRequest,
  AccountRow,
  AnswerRef,
  BocTarget,
  CallSheetRef,
  CellForm,
  ChainChange,
  CodeTarget,
  ContractRow,
  DAppRow,
  EditorLine,
  EndpointCall,
  EndpointSnippet,
  ExecutionTarget,
  FailedMessageRow,
  GetMethodRequest,
  HitRef,
  MessageRow,
  MessageTarget,
  MethodRow,
  PaymentPart,
  PaymentRow,
  RanGetMethod,
  ReplayTarget,
  RunTarget,
  SecretChange,
  ShownVariable,
  SourceRow,
  TestTarget,
  TestWebhook,
  TraceCopy,
  TraceRef,
  TraceRow,
  TransactionRef,
  TransactionRow,
  UndoRef,
  WalletRequestRow,
  WebhookRow,
} from './commandTargets';

/**
 * Every command with its arguments and their types. Arguments from menus, lenses, keybindings, and links are checked
 * against this table when a command runs: see src/editor/ui/readArguments.ts.
 */

/** Commands with their arguments; missing optional ones are asked for, or taken from the cursor. */
export interface CommandArguments {
  'tonWorkbench.runGetMethod': [call?: GetMethodRequest];
  'tonWorkbench.newCallSheet': [];
  /** The sheet in the active editor. */
  'tonWorkbench.runCallSheet': [];
  'tonWorkbench.runSheetCall': [ref?: CallSheetRef];
  'tonWorkbench.debugSheetStep': [ref?: CallSheetRef];
  'tonWorkbench.watchSheetCall': [ref?: CallSheetRef];
  'tonWorkbench.stopSheetWatch': [ref?: CallSheetRef];
  'tonWorkbench.copySheetCall': [ref?: CallSheetRef];
  'tonWorkbench.compareSheetCall': [ref?: CallSheetRef];
  /** The URI of a sheet; without one, the sheet in the active editor. */
  'tonWorkbench.exploreOrders': [sheet?: string];
  'tonWorkbench.keepOrder': [ref: TraceRef];
  'tonWorkbench.callEndpoint': [call?: EndpointCall];
  'tonWorkbench.copyEndpointCall': [snippet: EndpointSnippet];
  'tonWorkbench.openTrace': [query?: string];
  'tonWorkbench.openTraceFile': [];
  'tonWorkbench.openAnswerTraces': [answer: AnswerRef];
  'tonWorkbench.recentTraces': [row?: AccountRow];
  'tonWorkbench.followTrace': [hash?: string];
  'tonWorkbench.stopFollowing': [];
  'tonWorkbench.showTrace': [ref: TraceRef];
  /** A row's click passes true: the page is shown in the tab that all rows share. */
  'tonWorkbench.showTracePage': [ref: Exclude<ReplayTarget, string>, isPassing?: boolean];
  'tonWorkbench.showTransaction': [ref: TransactionRef | TransactionRow];
  'tonWorkbench.saveTrace': [ref: TraceRef];
  'tonWorkbench.copyTrace': [ref: TraceCopy];
  'tonWorkbench.removeTrace': [row: TraceRef];
  'tonWorkbench.clearTraces': [];
  'tonWorkbench.moreTraces': [after?: TraceRef];
  /** The other trace is asked for if there is none. */
  'tonWorkbench.compareTraces': [row?: TraceRef, other?: TraceRef];
  'tonWorkbench.openTestTrace': [what?: TestTarget];
  'tonWorkbench.debugTest': [what?: TestTarget];
  'tonWorkbench.stepIntoContract': [];
  /** Of the contract in the active editor. */
  'tonWorkbench.mutateTests': [];
  'tonWorkbench.clearSurvivors': [];
  'tonWorkbench.replayTransaction': [what?: ReplayTarget];
  'tonWorkbench.replayWithChanges': [what?: ReplayTarget];
  'tonWorkbench.sendAgain': [what?: ReplayTarget];
  /** Which of the window's returns to undo; without one, the last. */
  'tonWorkbench.undoSendAgain': [which?: UndoRef];
  'tonWorkbench.saveReplay': [what?: ReplayTarget];
  'tonWorkbench.keepAsTest': [what?: ReplayTarget];
  /** A file of the explorer, or its URI as text. */
  'tonWorkbench.openReplay': [file?: string | Uri];
  'tonWorkbench.showReplaySteps': [what?: ReplayTarget];
  'tonWorkbench.showMethodSteps': [call: RanGetMethod];
  'tonWorkbench.goToThrow': [what?: ReplayTarget];
  /** Without an execution, or with a source: the last runs of the contract in the editor. */
  'tonWorkbench.showGas': [what?: ExecutionTarget | Uri];
  /** Without an execution: that of the document, or one of the last runs of the contract in the editor. */
  'tonWorkbench.debug': [what?: ExecutionTarget | Uri];
  /** The last run of a method or message; if there is none, it is run or rehearsed first. */
  'tonWorkbench.debugDeclared': [target: RunTarget | MessageTarget | MessageRow];
  /** Of the execution that is chosen in the call stack. */
  'tonWorkbench.runAgainWithChanges': [];
  /** A row of the variables, or an expression; without one, the operands of what failed. */
  'tonWorkbench.whereFrom': [what?: string | ShownVariable];
  /** A question, a row of the variables, or a line; without one, it is asked for. */
  'tonWorkbench.allHits': [what?: string | ShownVariable | EditorLine];
  'tonWorkbench.goToHit': [hit: HitRef];
  /** Of the session in front: the executions that are not recorded yet. */
  'tonWorkbench.recordAllHits': [];
  'tonWorkbench.hideGas': [];
  'tonWorkbench.compareGas': [];
  'tonWorkbench.openFlameChart': [what?: ExecutionTarget | Uri];
  /** The URI of a file with a mark; without one, all marks. */
  'tonWorkbench.dismissThrow': [uri?: string];
  /** A raw address, a row, or a source. */
  'tonWorkbench.showCoverage': [what?: string | Uri | AccountRow];
  'tonWorkbench.filterTraces': [];
  'tonWorkbench.clearTraceFilter': [];
  /** An address in any form, a row, or a request from a lens of an account's document. */
  'tonWorkbench.openAccount': [account?: string | AccountRequest];
  /** A BoC's text, or a file of the explorer. */
  'tonWorkbench.sendBoc': [boc?: string | Uri];
  /** One line of text, or the row of the recipient account. */
  'tonWorkbench.composeMessage': [given?: string | AccountRow];
  /** A BoC's text, a file's URI as text, or a file of the explorer. */
  'tonWorkbench.inspectBoc': [boc?: string | Uri];
  /** Lenses pass the BoC; otherwise the cursor's line decides, here and below. */
  'tonWorkbench.inspectCell': [target?: BocTarget];
  'tonWorkbench.copyCell': [target?: BocTarget, as?: CellForm];
  'tonWorkbench.compareBoc': [target?: BocTarget];
  'tonWorkbench.disassembleCell': [target?: BocTarget];
  'tonWorkbench.readCellAs': [target?: BocTarget];
  'tonWorkbench.findInBoc': [target?: BocTarget];
  'tonWorkbench.switchNetwork': [];
  'tonWorkbench.addNetwork': [];
  'tonWorkbench.diagnoseNetwork': [];
  'tonWorkbench.setApiKey': [];
  'tonWorkbench.startLocalNetwork': [];
  'tonWorkbench.stopLocalNetwork': [];
  'tonWorkbench.copyLocalNetworkUrl': [];
  'tonWorkbench.localFaucet': [row?: AccountRow];
  /** What is changed is asked for. */
  'tonWorkbench.changeAccount': [row?: AccountRow, what?: AccountEdit];
  'tonWorkbench.setCodeFromSource': [target: CodeTarget];
  'tonWorkbench.verifySource': [target: CodeTarget];
  /** The row of the account to send from. */
  'tonWorkbench.localImportConfig': [];
  'tonWorkbench.localFork': [];
  'tonWorkbench.localLeaveFork': [];
  /** true: includes the editor's own requests. */
  'tonWorkbench.localRequests': [all?: boolean];
  /** Number of a recorded request. */
  'tonWorkbench.localReplay': [id?: number];
  /** Without a row, all messages on which the emulator failed. */
  'tonWorkbench.localRetryMessage': [row?: FailedMessageRow];
  'tonWorkbench.localDropMessage': [row: FailedMessageRow];
  'tonWorkbench.startWallet': [];
  'tonWorkbench.stopWallet': [];
  'tonWorkbench.walletSettings': [];
  'tonWorkbench.copyWalletEntry': [];
  /** A connect link. */
  'tonWorkbench.connectDApp': [link?: string];
  'tonWorkbench.disconnectDApp': [row: DAppRow];
  'tonWorkbench.setDAppApproval': [row: DAppRow];
  'tonWorkbench.openWalletRequest': [row: WalletRequestRow];
  'tonWorkbench.decideWalletRequest': [row: WalletRequestRow];
  'tonWorkbench.startPayments': [];
  'tonWorkbench.stopPayments': [];
  'tonWorkbench.copyPaymentSettings': [];
  'tonWorkbench.newPayment': [];
  'tonWorkbench.openPayment': [row: PaymentRow];
  /** What is to happen: a scenario of docs/payments.md; default: paid rightly. */
  'tonWorkbench.payPayment': [row: PaymentRow, scenario?: string];
  'tonWorkbench.payPaymentOtherwise': [row: PaymentRow];
  'tonWorkbench.showPaymentTrace': [row: PaymentRow];
  'tonWorkbench.showPaymentDelivery': [row: PaymentRow];
  'tonWorkbench.copyPayment': [row: PaymentRow, what?: PaymentPart];
  'tonWorkbench.blocksAndTime': [what?: ChainChange];
  'tonWorkbench.localMisbehave': [];
  'tonWorkbench.localBehave': [];
  'tonWorkbench.localSnapshot': [];
  'tonWorkbench.localRestore': [];
  'tonWorkbench.localRewind': [row: TraceRow];
  'tonWorkbench.localReset': [];
  /** A file of the explorer. */
  'tonWorkbench.localDeploy': [file?: Uri];
  'tonWorkbench.copyAddress': [row: AccountRow];
  'tonWorkbench.runGetMethodOn': [row?: AccountRow];
  'tonWorkbench.callHistory': [];
  'tonWorkbench.saveGasBaseline': [];
  'tonWorkbench.clearGasBaseline': [];
  'tonWorkbench.copyCall': [call?: GetMethodRequest | MethodRow];
  /** An address in any form, or a row. */
  'tonWorkbench.newContract': [];
  'tonWorkbench.pinContract': [contract?: string | AccountRow];
  'tonWorkbench.renameContract': [row: ContractRow];
  'tonWorkbench.removeContract': [row: ContractRow];
  'tonWorkbench.chooseContractSource': [row?: AccountRow];
  /** If there are sections, the account's document is shown again. */
  'tonWorkbench.forgetContractSource': [account: AccountRequest];
  'tonWorkbench.refreshContracts': [];
  'tonWorkbench.runPinnedMethod': [row: MethodRow];
  'tonWorkbench.askPinnedMethod': [row: MethodRow];
  'tonWorkbench.goToSource': [row: SourceRow];
  'tonWorkbench.watchCall': [call: MethodRow | GetMethodRequest];
  'tonWorkbench.unwatchCall': [row: MethodRow];
  'tonWorkbench.stopWatching': [];
  'tonWorkbench.runOnContract': [target: RunTarget];
  'tonWorkbench.sendMessage': [target: MessageTarget | MessageRow];
  'tonWorkbench.showLog': [];
  'tonWorkbench.getStarted': [];
  'tonWorkbench.diagnoseProject': [];
  'tonWorkbench.startWebhooks': [];
  'tonWorkbench.stopWebhooks': [];
  'tonWorkbench.copyWebhookUrl': [];
  'tonWorkbench.allowWebhookHost': [];
  'tonWorkbench.webhookSecrets': [what?: SecretChange];
  'tonWorkbench.refuseDeliveries': [];
  /** The reference of an order, or its row. */
  'tonWorkbench.payOrder': [order: string | WebhookRow];
  'tonWorkbench.acceptDeliveries': [];
  'tonWorkbench.newOrdersFile': [];
  'tonWorkbench.forwardWebhooks': [];
  'tonWorkbench.sendTestWebhook': [test?: TestWebhook];
  'tonWorkbench.checkWebhookEndpoint': [url?: string];
  'tonWorkbench.copyWebhookFix': [code: string];
  'tonWorkbench.chooseWebhookFramework': [];
  'tonWorkbench.newWebhookReceiver': [];
  /** A delivery's id or its row, here and below. */
  'tonWorkbench.openDelivery': [delivery: string | WebhookRow];
  'tonWorkbench.resendDelivery': [delivery: string | WebhookRow];
  'tonWorkbench.resendDeliveryTo': [delivery: string | WebhookRow];
  'tonWorkbench.editDelivery': [delivery: string | WebhookRow];
  /** URI of the edited document; default: the active one. */
  'tonWorkbench.sendEditedDelivery': [document?: string, askWhereTo?: boolean];
  'tonWorkbench.cancelEditedDelivery': [document?: string];
  'tonWorkbench.copyDeliveryAsCurl': [delivery: string | WebhookRow];
  'tonWorkbench.copyDeliveryValue': [row: WebhookRow];
  'tonWorkbench.checkDeliveryOnChain': [delivery: string | WebhookRow];
  'tonWorkbench.showDeliveryTrace': [delivery: string | WebhookRow];
  'tonWorkbench.debugDelivery': [delivery: string | WebhookRow];
  'tonWorkbench.searchDeliveries': [];
  'tonWorkbench.filterDeliveries': [];
  'tonWorkbench.clearDeliveryFilter': [];
  'tonWorkbench.clearDeliveries': [];
  'tonWorkbench.exportDeliveries': [];
  'tonWorkbench.showOlderDeliveries': [];
  /** The selected row of a view, here and below: see LazyTree. */
  'tonWorkbench.openContractsRow': [];
  'tonWorkbench.openTracesRow': [];
  'tonWorkbench.openHitsRow': [];
  'tonWorkbench.openWebhooksRow': [];
  'tonWorkbench.openLocalNetworkRow': [];
}

export type CommandId = keyof CommandArguments;
